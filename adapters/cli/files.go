package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"milaan/domain"
)

// maxFile is how many bytes of a file are read. The service takes 25 MB for
// both files together; on one's own machine there is room for more.
const maxFile = 64 << 20

// readFile reads a whole file. Errors name it.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s is larger than 64 MB: split the export by date and run the parts", path)
	}
	return text, nil
}

// named puts the path of the file that an error is about in place of our name
// for it: on the command line people know files by their paths.
func named(err error, paths map[domain.File]string) error {
	e, ok := errors.AsType[*domain.FileError](err)
	if !ok {
		return err
	}
	path, ok := paths[e.File]
	if !ok {
		return err
	}
	return errors.New(path + strings.TrimPrefix(e.Error(), e.File.String()))
}
