//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile returns the content of a file of this size. Reading a file may alter it: that is not
// written back. It is mapped until the program ends.
func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
}

// giveBack gives the memory of whole pages of a mapped file back. Whoever reads them again gets the file's content once more.
func giveBack(text []byte, from, to int) {
	page := os.Getpagesize()
	if from, to = (from+page-1)/page*page, to/page*page; from < to {
		_ = unix.Madvise(text[from:to], unix.MADV_DONTNEED) // it is only advice
	}
}
