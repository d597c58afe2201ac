package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/drafts"
	"milaan/ports"
)

// documentFiles are the documents that a command writes.
type documentFiles struct{ *drafts.Drafts }

func newDocumentFiles(ctx context.Context, to drafts.Files, inputs []string, force bool) documentFiles {
	return documentFiles{drafts.New(ctx, to, force, func(path string) error { return mayWrite(path, inputs, force) })}
}

// at returns a function that begins a file at a path, whatever its document calls it.
func (d documentFiles) at(path string) ports.CreateFile {
	return func(string) (io.Writer, error) { return d.begin(path) }
}

// in returns a function that begins a file of a folder, by its name.
func (d documentFiles) in(folder string) ports.CreateFile {
	return func(name string) (io.Writer, error) {
		if name != filepath.Base(name) || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q is no name of a file in %s", name, folder)
		}
		return d.begin(filepath.Join(folder, name))
	}
}

func (d documentFiles) begin(path string) (io.Writer, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays one
	}
	w, err := d.Begin(path)
	if errors.Is(err, drafts.ErrTwice) {
		return nil, fmt.Errorf("%s would be written twice: give each document its own place", terminal.PrintableText(path))
	}
	return w, err
}

// mayWrite returns an error if a file must not be written: an input never is, and another file
// that exists only with force.
func mayWrite(path string, inputs []string, force bool) error {
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(info, there) {
			return fmt.Errorf("%s is one of the files that are compared: give the document another name", terminal.PrintableText(path))
		}
	}
	return mayReplace(path, there, force)
}

// mayReplace returns an error if a file that exists must not be overwritten.
func mayReplace(path string, there fs.FileInfo, force bool) error {
	switch {
	case there.IsDir():
		return fmt.Errorf("%s is a folder: give the name of a file", terminal.PrintableText(path))
	case !there.Mode().IsRegular():
		return fmt.Errorf("%s is no ordinary file: give another name, or - for standard output", terminal.PrintableText(path))
	case !force:
		return fmt.Errorf("%s exists: give another name, or --force to overwrite it", terminal.PrintableText(path))
	}
	return nil
}

// disk fills drafts.Files with paths of the system.
type disk struct{}

func (disk) OpenFile(name string, flag int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm) //nolint:gosec // the user names it
}

func (disk) MkdirAll(path string, perm os.FileMode) error { return os.MkdirAll(path, perm) }

func (disk) Link(old, name string) error { return os.Link(old, name) }

func (disk) Rename(old, name string) error { return os.Rename(old, name) }

func (disk) Remove(name string) error { return os.Remove(name) }

// ownersDisk makes files for their owner only.
type ownersDisk struct{ disk }

func (d ownersDisk) OpenFile(name string, flag int, _ os.FileMode) (*os.File, error) {
	return d.disk.OpenFile(name, flag, 0o600)
}
