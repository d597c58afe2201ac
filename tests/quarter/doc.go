// Package quarter reconciles quarters month by month, with the ledger of each month given to the next one, and
// compares what is owed at the end with one run over the whole quarter. It also posts the vouchers of months by a plain
// program of its own.
package quarter
