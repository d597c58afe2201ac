// Package httpapi is the service over HTTP: the contract's endpoints, the probes and
// metrics for operators, and the pages. It has the routes, the order of checks, the
// answers and their headers, HTTPS, and the server's start and stop. For everything else
// it calls the use cases of ports.
//
// The packages below it:
//
//   - intake limits connections, bodies and their memory.
//   - jsonbody decodes the JSON of a large request, and multipart splits a form with files.
//   - compress compresses answers.
//   - pages has what people read about the service: the home page, /docs, and the
//     description that /docs is made of.
//   - dashboard has the JSON resources of the pages under /app, and decides who may ask for
//     them. Those that take files are here (uploads.go, inspection.go), because they read
//     them as POST /reconcile/files does. Its package assets serves the pages, which package
//     bundle makes of the sources in ui.
//
// A request passes, from the outside in: intake's handler, setRequestID, observe,
// setBrowserHeaders, answerErrors and demandHTTPS (middleware.go), then one handler,
// each in the file of its resource. A handler returns its error, and answerErrors alone
// answers it, by the table in errors.go.
package httpapi
