// Package drafts writes several files so that either all of them get their names or, mostly, none.
package drafts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

var (
	// ErrTwice says that two files would have one path.
	ErrTwice = errors.New("two files would have one path")
	// ErrInterrupted says that the context has ended.
	ErrInterrupted = errors.New("interrupted: nothing was written")
)

// Files is where drafts are written, by their paths: an *os.Root is one.
type Files interface {
	OpenFile(name string, flag int, perm os.FileMode) (*os.File, error)
	MkdirAll(path string, perm os.FileMode) error
	Link(old, name string) error
	Rename(old, name string) error
	Remove(name string) error
}

// Drafts are files that are being written. Each has a temporary name in its own folder, until all
// of them are complete and get their names.
type Drafts struct {
	ctx      context.Context
	to       Files
	mayWrite func(path string) error
	replace  bool
	list     []draft
	open     *os.File // the last of list, while it is being written
}

// draft is one of the files. temporary is blank once the file has its name.
type draft struct{ path, temporary string }

// New makes drafts. Once ctx ends, nothing more is written. mayWrite returns an error if a file must
// not be written; replace says that it lets files that exist be overwritten.
func New(ctx context.Context, to Files, replace bool, mayWrite func(path string) error) *Drafts {
	return &Drafts{ctx: ctx, to: to, mayWrite: mayWrite, replace: replace}
}

// Begin begins a file, and ends the one before. Its folder is created.
func (d *Drafts) Begin(path string) (io.Writer, error) {
	if err := d.end(); err != nil {
		return nil, err
	}
	if slices.Contains(d.Paths(), path) {
		return nil, ErrTwice
	}
	if err := d.mayWrite(path); err != nil {
		return nil, err
	}
	folder, name := filepath.Split(path)
	if folder != "" {
		if err := d.to.MkdirAll(filepath.Clean(folder), 0o777); err != nil { // the user's umask says who may read what they write
			return nil, err
		}
	}
	temporary := filepath.Join(folder, "."+name+"."+rand.Text()+".part")
	file, err := d.to.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, ofPath(err, path)
	}
	d.open = file
	d.list = append(d.list, draft{path, temporary})
	return d, nil
}

// Write fills io.Writer for the file that was begun last.
func (d *Drafts) Write(p []byte) (int, error) {
	if d.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	n, err := d.open.Write(p)
	return n, ofPath(err, d.last())
}

func (d *Drafts) last() string { return d.list[len(d.list)-1].path }

// ofPath gives an error of the system the name of the file, in place of its temporary one.
func ofPath(err error, path string) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = path
	}
	return err
}

func (d *Drafts) end() error {
	if d.open == nil {
		return nil
	}
	file := d.open
	d.open = nil
	return ofPath(errors.Join(file.Sync(), file.Close()), d.last())
}

// Publish gives all files their names. If one of them cannot have its name, those before it
// have theirs.
func (d *Drafts) Publish() error {
	if err := d.end(); err != nil {
		return err
	}
	if d.ctx.Err() != nil {
		return ErrInterrupted
	}
	for _, path := range d.Paths() {
		if err := d.mayWrite(path); err != nil { // somebody may have made it meanwhile
			return err
		}
	}
	for i := range d.list {
		if err := d.name(&d.list[i]); err != nil {
			return err
		}
	}
	return nil
}

// name gives a file its name. A link is made where that is possible, because, other than
// renaming, it never replaces a file.
func (d *Drafts) name(f *draft) error {
	if !d.replace {
		err := d.to.Link(f.temporary, f.path)
		if err == nil {
			return nil // Discard removes the temporary name
		}
		if errors.Is(err, fs.ErrExist) {
			return cmp.Or(d.mayWrite(f.path), err) // it may be gone again
		}
		if err := d.mayWrite(f.path); err != nil { // no links there
			return err
		}
	}
	if err := d.to.Rename(f.temporary, f.path); err != nil {
		return err
	}
	f.temporary = ""
	return nil
}

// Discard removes what has a temporary name.
func (d *Drafts) Discard() {
	if d.open != nil {
		_ = d.open.Close() // it is removed
		d.open = nil
	}
	for _, f := range d.list {
		if f.temporary != "" {
			_ = d.to.Remove(f.temporary) // there is nothing else to do about it
		}
	}
}

// Paths returns the files in the order in which they were written.
func (d *Drafts) Paths() (paths []string) {
	for _, f := range d.list {
		paths = append(paths, f.path)
	}
	return paths
}
