package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"milaan/adapters/cli/terminal"
)

// drafts are files that are being written. Each has a temporary name in its own folder,
// until all of them are complete and get their names.
type drafts struct {
	ctx    context.Context // once it ends, nothing more is written
	inputs []string        // paths of files that are never overwritten
	force  bool            // other files that exist may be overwritten
	list   []draft
	open   *os.File // the last of list, while it is being written
}

// draft is one of the files. temporary is blank once the file has its name.
type draft struct{ path, temporary string }

func newDrafts(ctx context.Context, in *inputs, force bool) *drafts {
	return &drafts{ctx: ctx, inputs: in.paths(), force: force}
}

// at returns a function that begins a file at a path, whatever its document calls it.
func (d *drafts) at(path string) func(string) (io.Writer, error) {
	return func(string) (io.Writer, error) { return d.begin(path) }
}

// in returns a function that begins a file of a folder, by its name.
func (d *drafts) in(folder string) func(string) (io.Writer, error) {
	return func(name string) (io.Writer, error) {
		if name != filepath.Base(name) || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q is no name of a file in %s", name, folder)
		}
		return d.begin(filepath.Join(folder, name))
	}
}

// begin begins a file, and ends the one before. Its folder is created.
func (d *drafts) begin(path string) (io.Writer, error) {
	if err := d.end(); err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays one
	}
	if slices.ContainsFunc(d.list, func(other draft) bool { return other.path == path }) {
		return nil, fmt.Errorf("%s would be written twice: give each document its own place", terminal.PrintableText(path))
	}
	if err := d.mayWrite(path); err != nil {
		return nil, err
	}
	folder, name := filepath.Split(path)
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil { //nolint:gosec // the user's umask says who may read what they write
			return nil, err
		}
	}
	temporary := filepath.Join(folder, "."+name+"."+rand.Text()+".part")
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666) //nolint:gosec // as above
	if err != nil {
		return nil, err
	}
	d.open = file
	d.list = append(d.list, draft{path, temporary})
	return d, nil
}

// Write fills io.Writer for the file that was begun last.
func (d *drafts) Write(p []byte) (int, error) {
	if d.ctx.Err() != nil {
		return 0, errors.New("interrupted: nothing was written")
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
func (d *drafts) mayWrite(path string) error {
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, input := range d.inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(info, there) {
			return fmt.Errorf("%s is one of the files that are compared: give the document another name", terminal.PrintableText(path))
		}
	}
	return mayReplace(path, there, d.force)
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

// publish gives all files their names. If one of them cannot have its name, those before
// it have theirs.
func (d *drafts) publish() error {
	if err := d.end(); err != nil {
		return err
	}
	for i := range d.list {
		if err := d.mayWrite(d.list[i].path); err != nil { // somebody may have made it meanwhile
			return err
		}
	}
	for i := range d.list {
		if err := d.place(&d.list[i]); err != nil {
			return err
		}
	}
	return nil
}

// place gives a file its name. A link is made where that is possible, because, other than
// renaming, it never replaces a file.
func (d *drafts) place(f *draft) error {
	if !d.force {
		err := os.Link(f.temporary, f.path)
		if err == nil {
			return nil // discard removes the temporary name
		}
		if errors.Is(err, fs.ErrExist) {
			return cmp.Or(d.mayWrite(f.path), err) // it may be gone again
		}
		if err := d.mayWrite(f.path); err != nil { // no links there
			return err
		}
	}
	if err := os.Rename(f.temporary, f.path); err != nil {
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
			_ = os.Remove(f.temporary) // there is nothing else to do about it
		}
	}
}

// paths returns the files in the order in which they were written.
func (d *drafts) paths() (paths []string) {
	for _, f := range d.list {
		paths = append(paths, f.path)
	}
	return paths
}
