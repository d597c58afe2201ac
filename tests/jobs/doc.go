// Package jobs holds the job engine to its promises, on both databases and with
// several engines on one.
package jobs
