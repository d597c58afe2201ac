package mcp

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"milaan/adapters/drafts"
)

// documentFiles are documents that are written into a folder.
type documentFiles struct {
	*drafts.Drafts
	to place
}

// newDocumentFiles returns files of which none takes the place of an input, or of another file that exists
// unless overwrite says so.
func newDocumentFiles(ctx context.Context, to place, inputs []fs.FileInfo, overwrite bool) documentFiles {
	return documentFiles{drafts.New(ctx, to.root, overwrite, func(name string) error {
		there, err := to.root.Lstat(name)
		path := place{to.folder, name}.path()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !there.Mode().IsRegular():
			return refuse("%s is no ordinary file: give another folder", path)
		case slices.ContainsFunc(inputs, func(input fs.FileInfo) bool { return os.SameFile(input, there) }):
			return refuse("%s is one of the files that are compared: give another folder", path)
		case !overwrite:
			return refuse("%s exists, and nothing was written: give another folder or, if the person agrees to lose that file, overwrite", path)
		}
		return nil
	}), to}
}

func (d documentFiles) begin(name string) (io.Writer, error) {
	if name != filepath.Base(name) || !filepath.IsLocal(name) {
		return nil, refuse("a document cannot be called %q", name)
	}
	w, err := d.Begin(filepath.Join(d.to.name, name))
	if errors.Is(err, drafts.ErrTwice) {
		return nil, refuse("two documents would be called %s: write them into folders of their own, one call for each", name)
	}
	return w, err
}
