// Package quarter reconciles quarters month by month, with the ledger of each month given to the next one, and
// compares what is owed at the end with one run over the whole quarter.
package quarter
