package resident

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// unmapFile unmaps the program's file where it is only read. The start touches nearly all of it, and
// an idle service less than half. The kernel maps again what is used, from its cache of files, some sixteen
// pages at a time. What was altered since, as a loader does with addresses, is not in the file and
// stays.
func unmapFile() {
	mappings, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return // the service only stays larger
	}
	var from, to uint64
	ofFile := false
	for line := range strings.Lines(string(mappings)) {
		fields := strings.Fields(line)
		if first, end, found := strings.Cut(fields[0], "-"); found {
			from, _ = strconv.ParseUint(first, 16, 64)
			to, _ = strconv.ParseUint(end, 16, 64)
			ofFile = strings.HasPrefix(fields[1], "r-") && fields[4] != "0" // the number of the file
		} else if ofFile && fields[0] == "Anonymous:" && fields[1] == "0" {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(from), uintptr(to-from), syscall.MADV_DONTNEED)
		}
	}
}

func askForLargePages(memory []byte) error { return syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
