// Package answer writes finished runs as JSON: the contract's answer (sections 2.2 to
// 2.4), the summary that webhooks send (section 6) and the status of a batch (section 2.8);
// and everything that is stored of an account, as its export.
// Results are written straight from the reconciliation to the response and never copied.
// HTTP, batches and the command line use it.
package answer
