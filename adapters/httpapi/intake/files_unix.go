//go:build unix

package intake

import "syscall"

// openFiles is how many files the process may have open, connections among them.
// Go has raised it as far as it may when the process started.
func openFiles() (limit uint64, known bool) {
	var r syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r)
	return uint64(r.Cur), err == nil //nolint:unconvert // of another type on some systems
}
