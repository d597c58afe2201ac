package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// versionOf returns the version of a file of which size and time are known.
func versionOf(bytes int64, modified time.Time) string {
	return fmt.Sprintf("%d:%d", bytes, modified.UnixNano())
}

// sourceFile returns a file of which size and time are the version.
func sourceFile(name string, info fs.FileInfo, handle any) ports.SourceFile {
	return ports.SourceFile{Name: name, Version: versionOf(info.Size(), info.ModTime()), Modified: info.ModTime(), Bytes: info.Size(),
		Handle: handle}
}

// readVersion reads a file if it is what was listed, before and after.
func readVersion(from fs.File, file ports.SourceFile, limit int64) ([]byte, error) {
	check := func() error {
		info, err := from.Stat()
		switch {
		case err != nil:
			return goneOr(err)
		case !info.Mode().IsRegular():
			return &domain.ConnectorError{Rule: domain.ConnGone}
		case versionOf(info.Size(), info.ModTime()) != file.Version:
			return &domain.ConnectorError{Rule: domain.ConnGrowing}
		}
		return nil
	}
	if err := check(); err != nil {
		return nil, err
	}
	content := newBounded(file.Bytes, limit)
	if _, err := io.Copy(content, from); err != nil { // by WriteTo, where the file has that
		return nil, goneOr(err)
	}
	if err := check(); err != nil {
		return nil, err
	}
	return content.all(file.Bytes)
}

// goneOr returns the error of a file that is not there, or may not be read, any more.
func goneOr(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return &domain.ConnectorError{Rule: domain.ConnGone}
	}
	return err
}

// bounded is a buffer of at most the given number of bytes.
type bounded struct {
	buffer bytes.Buffer
	most   int64
}

// newBounded makes a buffer for a file that should have the given number of bytes.
func newBounded(expected, most int64) *bounded {
	b := &bounded{most: most}
	b.buffer.Grow(int(max(0, min(expected, most, 1<<20))))
	return b
}

// Write returns an error with domain.ConnManyBytes for what does not fit.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.buffer.Len()+len(p)) > b.most {
		return 0, &domain.ConnectorError{Rule: domain.ConnManyBytes}
	}
	return b.buffer.Write(p)
}

// all returns everything that was written, if it has as many bytes as it should have.
func (b *bounded) all(expected int64) ([]byte, error) {
	if int64(b.buffer.Len()) != expected {
		return nil, &domain.ConnectorError{Rule: domain.ConnGrowing}
	}
	return b.buffer.Bytes(), nil
}
