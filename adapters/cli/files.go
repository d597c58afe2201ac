package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"milaan/domain"
)

// maxFile is how many bytes of a file are read. The service takes 25 MB for
// both files together; on one's own machine there is room for more.
const maxFile = 64 << 20

// standardInput is the path that means it.
const standardInput = "-"

// readFiles reads two files at once. Where both are faulty, the first one's
// error is returned.
func readFiles(cmd *cobra.Command, first, second string) (one, two []byte, err error) {
	var other sync.WaitGroup
	var otherErr error
	other.Go(func() { two, otherErr = readFile(cmd, second) })
	one, err = readFile(cmd, first)
	other.Wait()
	return one, two, cmp.Or(err, otherErr)
}

// readFile reads a whole file. Errors name it.
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	in, size := cmd.InOrStdin(), int64(0)
	if path != standardInput {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		if info, err := f.Stat(); err == nil {
			size = min(info.Size(), maxFile)
		}
		in = f
	}
	// Memory for all of it at once, and for the read that finds its end.
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(in, maxFile+1)); err != nil {
		return nil, err
	}
	if text.Len() > maxFile {
		return nil, fmt.Errorf("%s is larger than 64 MB: split the export by date and run the parts", shownPath(path))
	}
	return text.Bytes(), nil
}

// shownPath is what messages call a file.
func shownPath(path string) string {
	if path == standardInput {
		return "standard input"
	}
	return path
}

// named puts the path of the file that an error is about in place of our name
// for it: on the command line people know files by their paths, and speak in
// flags.
func named(err error, paths map[domain.File]string) error {
	e, ok := errors.AsType[*domain.FileError](err)
	if !ok {
		return err
	}
	path, ok := paths[e.File]
	if !ok {
		return err
	}
	return errors.New(shownPath(path) + inFlags(strings.TrimPrefix(e.Error(), e.File.String())))
}
