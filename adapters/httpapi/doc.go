// Package httpapi is the service over HTTP: the contract's endpoints, the probes and
// metrics for operators, and the pages. It has the routes, the order of checks, the
// answers and their headers, HTTPS, and the server's start and stop. For everything else
// it calls the use cases of ports. Package intake limits connections and bodies, package
// pages has what people read, and package body decodes the JSON of a large request.
//
// A request passes, from the outside in: intake's handler, setRequestID, observe,
// setBrowserHeaders, answerErrors and demandHTTPS (middleware.go), then one handler,
// each in the file of its resource. A handler returns its error, and answerErrors alone
// answers it, by the table in errors.go.
package httpapi
