package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"milaan/domain"
)

// maxFile is how many bytes of a file are read. The service takes 25 MB for
// both files together; on one's own machine there is room for more.
const maxFile = 64 << 20

// standardInput is the path that means it.
const standardInput = "-"

// readFile reads a whole file. Errors name it.
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	in := cmd.InOrStdin()
	if path != standardInput {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s is larger than 64 MB: split the export by date and run the parts", shownPath(path))
	}
	return text, nil
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
