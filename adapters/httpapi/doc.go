// Package httpapi is the service over HTTP: the contract's endpoints, the
// probes and figures for operators, and the pages. It owns the resources, their
// routes, the order of checks, the answers and their headers, HTTPS and the
// server's start and stop, and asks the use cases of ports for everything else.
// What bounds connections and bodies is in package intake, what people read in
// package pages, and the JSON of a large request in package body.
//
// A request passes, from the outside in: intake's handler, identify, observe,
// guard, answerErrors and demandHTTPS (middleware.go), then one handler, each in
// the file of its resource. A handler returns its error, and answerErrors
// alone answers it, by the table in errors.go.
package httpapi
