// Package service tests the whole service over HTTP, in process: the four
// modules of main.go, on a free loopback port, with a clock that tests move.
//
// The harness is in the files without _test: service.go starts a service,
// accounts.go makes accounts and keys as their owners do, client.go sends
// requests, batches.go follows batches, endpoint.go is what webhooks call,
// description.go holds every answer against the service's own
// /openapi.json, and files.go writes the CSV files. An answer that the
// description does not allow fails the test that asked, whatever it was about.
//
// A rule is tested in all its cases where it is: in domain, in a topic of app, or in an
// adapter. Here it is seen once from outside.
package service
