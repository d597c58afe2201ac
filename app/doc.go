// Package app holds the use cases of the service, one file each: it admits requests with
// a key, issues keys, manages accounts and their webhooks, reconciles, at once and in
// batches, posts events to endpoints, runs the demo, and deletes what has expired. It
// decides by the rules of package domain and uses nothing else but package ports.
package app
