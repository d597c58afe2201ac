// Package answer writes finished runs as JSON: the answer of POST /reconcile, the summary that
// webhooks send and the status of a batch; and everything that is stored of an account, as its
// export.
// Results are written straight from the reconciliation to the response and never copied.
// HTTP, batches and the command line use it.
package answer
