// Package answer writes what we say of runs as JSON: the contract's answer
// (sections 2.2 to 2.4), the summary that webhooks carry (section 6) and the
// report on a batch (section 2.8). Results go straight from the findings to the
// response: no copy is made on the way. HTTP, batches and the command line use
// it.
package answer
