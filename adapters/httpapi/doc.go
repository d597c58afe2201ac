// Package httpapi is the service over HTTP: the contract's endpoints, the
// probes and figures for operators, and the pages. It owns what belongs to the
// transport (limits on bytes and time, HTTPS, the order of checks, the answers
// and their headers) and asks the use cases of ports for everything else.
//
// A request passes, from the outside in: lingering (upload.go), identify,
// observe, guard, answerErrors and demandHTTPS (middleware.go), then one handler,
// each in the file of its resource. A handler attaches its error to the context
// and returns; answerErrors alone answers, by the table in errors.go.
package httpapi
