//go:build unix

package intake

import "syscall"

// openFiles returns how many files the process may have open; connections count as files.
// Go has raised the limit as far as it may at the start of the process.
func openFiles() (limit uint64, known bool) {
	var r syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r)
	return uint64(r.Cur), err == nil //nolint:unconvert // of another type on some systems
}
