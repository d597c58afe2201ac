// Package answer writes a reconciliation as the contract's JSON object
// (sections 2.2 to 2.4), straight from the findings to the response: no copy of
// a result is made on the way. HTTP and the command line both use it.
package answer
