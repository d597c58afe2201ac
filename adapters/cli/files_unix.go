//go:build unix

package cli

import (
	"os"
	"syscall"
)

// mapFile returns the content of a file of this size. Reading a file may alter it: that is not
// written back. It is mapped until the program ends.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}
