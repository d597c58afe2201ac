package mcp

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

// drafts are documents that are being written into a folder. Each has a temporary name until all of
// them are complete.
type drafts struct {
	ctx       context.Context // once it ends, nothing more is written
	to        place
	inputs    []fs.FileInfo // files that are never overwritten
	overwrite bool          // other files that exist may be
	list      []draft
	open      *os.File // the last of list, while it is being written
}

// draft is one of the files. temporary is blank once the file has its name.
type draft struct{ path, temporary string }

// begin begins a file of the folder, and ends the one before.
func (d *drafts) begin(name string) (io.Writer, error) {
	if err := d.end(); err != nil {
		return nil, err
	}
	if name != filepath.Base(name) || !filepath.IsLocal(name) {
		return nil, refuse("a document cannot be called %q", name)
	}
	f := draft{path: filepath.Join(d.to.name, name), temporary: filepath.Join(d.to.name, "."+name+"."+rand.Text()+".part")}
	if slices.ContainsFunc(d.list, func(other draft) bool { return other.path == f.path }) {
		return nil, refuse("two documents would be called %s: write them into folders of their own, one call for each", name)
	}
	if err := d.mayWrite(f.path); err != nil {
		return nil, err
	}
	if err := d.to.root.MkdirAll(d.to.name, 0o777); err != nil {
		return nil, err
	}
	file, err := d.to.root.OpenFile(f.temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	d.open = file
	d.list = append(d.list, f)
	return d, nil
}

// Write fills io.Writer for the file that was begun last.
func (d *drafts) Write(p []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	return d.open.Write(p)
}

// end ends the file that is being written.
func (d *drafts) end() error {
	if d.open == nil {
		return nil
	}
	file := d.open
	d.open = nil
	return errors.Join(file.Sync(), file.Close())
}

// mayWrite returns an error if a file must not be written.
func (d *drafts) mayWrite(name string) error {
	there, err := d.to.root.Lstat(name)
	path := place{d.to.folder, name}.path()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !there.Mode().IsRegular():
		return refuse("%s is no ordinary file: give another folder", path)
	case slices.ContainsFunc(d.inputs, func(input fs.FileInfo) bool { return os.SameFile(input, there) }):
		return refuse("%s is one of the files that are compared: give another folder", path)
	case !d.overwrite:
		return refuse("%s exists, and nothing was written: give another folder or, if the person agrees to lose that file, overwrite", path)
	}
	return nil
}

// publish gives all files their names. If one of them cannot have its name, those before it have
// theirs.
func (d *drafts) publish() error {
	if err := errors.Join(d.end(), d.ctx.Err()); err != nil {
		return err
	}
	for i := range d.list {
		if err := d.mayWrite(d.list[i].path); err != nil { // somebody may have made it meanwhile
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

// name gives a file its name. A link is made where that is possible, because, other than renaming,
// it never replaces a file.
func (d *drafts) name(f *draft) error {
	if !d.overwrite {
		err := d.to.root.Link(f.temporary, f.path)
		if err == nil {
			return nil // discard removes the temporary name
		}
		if errors.Is(err, fs.ErrExist) {
			return cmp.Or(d.mayWrite(f.path), err)
		}
		if err := d.mayWrite(f.path); err != nil {
			return err
		}
	}
	if err := d.to.root.Rename(f.temporary, f.path); err != nil {
		return err
	}
	f.temporary = ""
	return nil
}

// discard removes what has a temporary name.
func (d *drafts) discard() {
	if d.open != nil {
		_ = d.open.Close() // it is removed
		d.open = nil
	}
	for _, f := range d.list {
		if f.temporary != "" {
			_ = d.to.root.Remove(f.temporary) // there is nothing else to do about it
		}
	}
}
