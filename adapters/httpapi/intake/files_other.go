//go:build !unix

package intake

// openFiles would return how many files the process may have open; these systems do not
// tell.
func openFiles() (limit uint64, known bool) { return 0, false }
