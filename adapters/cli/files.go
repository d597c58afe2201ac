package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
)

// maxFile is how many bytes a file may have: rows and cells are counted in 32
// bits. The service takes 25 MB for both files together; the command line has no such
// limit.
const maxFile = math.MaxInt32

// worthMapping is from how many bytes on a file is mapped into memory. Copying it would take
// as long as reading its rows: the kernel gives the copy its memory in pages, one at a time.
// A file must not be altered while it is compared: if it is shortened, this program ends with a fault.
// A copy would end where the file did at that moment, and orders would be missing silently.
const worthMapping = 16 << 10

const standardInput = "-"

// readFile reads a whole file. Errors name it.
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	text, _, err := openFile(cmd, path)
	return text, err
}

// openFile is readFile, and says whether the file is mapped into memory.
func openFile(cmd *cobra.Command, path string) (text []byte, mapped bool, err error) {
	in, size := cmd.InOrStdin(), int64(0)
	if path != standardInput {
		f, err := os.Open(path)
		if err != nil {
			return nil, false, err
		}
		defer func() { _ = f.Close() }() // it was only read
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		if size >= worthMapping && size <= maxFile {
			if text, err := mapFile(f, int(size)); err == nil {
				return text, true, nil
			}
		}
		in = f
	}
	text, err = readUpTo(in, size, maxFile)
	if errors.Is(err, errTooLarge) {
		return nil, false, fmt.Errorf("%s has more than 2 GB, which is more than a file may have: export the orders of fewer months, or give "+
			"the report in several files", terminal.PrintableText(pathText(path)))
	}
	return text, false, err
}

// givingBack returns what gives the memory of a part of these mapped files back. It leaves all other parts alone.
func givingBack(mapped [][]byte) func(part []byte) {
	return func(part []byte) {
		for _, text := range mapped {
			// Both slices end where the memory of the file does.
			if from := len(text) - cap(part); from >= 0 && len(part) > 0 && &text[from] == &part[0] {
				giveBack(text, from, from+len(part))
			}
		}
	}
}

// errTooLarge says that a file has more bytes than it may have.
var errTooLarge = errors.New("too large")

// readUpTo reads in to its end, which is expected after size bytes; 0 means that the
// size is not known. It returns errTooLarge if there are more than most bytes, and reads
// none of them if size says so already.
func readUpTo(in io.Reader, size, most int64) ([]byte, error) {
	if size > most {
		return nil, errTooLarge
	}
	// Memory for all of it at once, and for the read that finds its end.
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(in, most+1)); err != nil {
		return nil, err
	}
	if int64(text.Len()) > most {
		return nil, errTooLarge
	}
	return text.Bytes(), nil
}

// pathText returns the name that messages use for a file.
func pathText(path string) string {
	if path == standardInput {
		return "standard input"
	}
	return path
}
