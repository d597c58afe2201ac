package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"milaan/adapters/drafts"
)

// refusal is an error in words that say what to do next. It names no path but below the folders.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// folders are those that a person has named. Nothing outside of them is read or written.
type folders []folder

type folder struct {
	path string // absolute
	real string // the same without symbolic links
	root *os.Root
}

// openFolders opens folders. They are closed by the end of the process.
func openFolders(paths []string) (all folders, err error) {
	for _, path := range paths {
		path, err = filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		f := folder{path: path}
		if f.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
		if f.root, err = os.OpenRoot(path); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

type place struct {
	folder
	name string // from the folder on
}

func (p place) path() string { return filepath.Join(p.folder.path, p.name) }

// at returns the place of a path. One that is not absolute is below the folder that has it, or
// else the first.
func (f folders) at(path string) (place, error) {
	if path == "" {
		return place{}, refuse("a path is blank: list_files shows the files that there are")
	}
	if filepath.IsAbs(path) {
		for _, of := range f {
			for _, base := range []string{of.path, of.real} {
				if name, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(name) {
					return place{of, name}, nil
				}
			}
		}
		return place{}, f.outside()
	}
	if !filepath.IsLocal(path) {
		return place{}, f.outside()
	}
	for _, of := range f {
		if _, err := of.root.Lstat(path); err == nil {
			return place{of, filepath.Clean(path)}, nil
		}
	}
	return place{f[0], filepath.Clean(path)}, nil
}

// outside says that a path is none of the folders', without repeating it.
func (f folders) outside() error {
	var paths []string
	for _, of := range f {
		paths = append(paths, of.path)
	}
	return refuse("a path is not below the folders that Milaan may use: give one below %s, or ask the person to start milaan mcp "+
		"with another --folder", strings.Join(paths, " or "))
}

// explain returns what a person can do about an error of a place. The texts of the system may tell
// where a link leads, so they are not repeated.
func (f folders) explain(p place, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("there is no file %s: list_files shows the files that there are", p.path())
	case errors.Is(err, fs.ErrPermission):
		return refuse("%s may not be opened by the user who runs milaan mcp: ask the person to change its permissions", p.path())
	}
	return fmt.Errorf("%s cannot be opened, or it is a link that leads out of its folder: %w", p.path(), f.outside())
}

// explainWriting is explain for a folder in which documents are written.
func (f folders) explainWriting(p place, err error) error {
	if _, is := errors.AsType[refusal](err); is {
		return err
	}
	switch {
	case errors.Is(err, drafts.ErrInterrupted):
		return refusal(err.Error())
	case errors.Is(err, syscall.ENOSPC):
		return refuse("the disk of %s is full: nothing was written", p.path())
	case errors.Is(err, fs.ErrPermission):
		return refuse("the user who runs milaan mcp may not write in %s: give another folder", p.path())
	}
	return fmt.Errorf("nothing can be written in %s, or it is a link that leads out of its folder: %w", p.path(), f.outside())
}

// maxTogether is how many bytes the files of one call may have together: as many as those of a
// request to the service.
const maxTogether = 25 << 20

// read returns the content of a file, and takes its bytes off room.
func (f folders) read(path string, room *int64) ([]byte, fs.FileInfo, error) {
	p, err := f.at(path)
	if err != nil {
		return nil, nil, err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(p.name), "/") {
		if strings.HasPrefix(part, ".") && part != "." { // list_files does not show it: it may have a password
			return nil, nil, refuse("%s is hidden, and is not read: ask the person to copy it elsewhere", p.path())
		}
	}
	// Opening a pipe would wait for a writer.
	file, err := p.root.OpenFile(p.name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, f.explain(p, err)
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, nil, f.explain(p, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, refuse("%s is no ordinary file: give a CSV file or a workbook", p.path())
	}
	if info.Size() > *room {
		return nil, nil, errTogether
	}
	text, err := io.ReadAll(io.LimitReader(file, *room+1))
	if err != nil {
		return nil, nil, f.explain(p, err)
	}
	if *room -= int64(len(text)); *room < 0 {
		return nil, nil, errTogether // it grows
	}
	return text, info, nil
}

var errTogether error = refusal(fmt.Sprintf("the files have more than %d MB together: give files of fewer months, or ask the person to "+
	"compare them with milaan reconcile on the command line, which has no limit", maxTogether>>20))

// What a list of files has at most.
const (
	mostFound  = 10_000 // files and folders that are looked at
	mostListed = 100
	mostDepth  = 5 // folders below each other
)

// kinds are how the names of files end that Milaan may be able to read.
var kinds = []string{".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".html", ".htm", ".xml"}

type listed struct {
	Path       string    `json:"path"`
	Bytes      int64     `json:"bytes"`
	ModifiedAt time.Time `json:"modified_at"`
}

func (f folders) list(ctx context.Context) (files []listed, more bool, err error) {
	found := 0
	for _, of := range f {
		err := fs.WalkDir(of.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			found++
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case found > mostFound:
				more = true
				return fs.SkipAll
			case err != nil, name != "." && strings.HasPrefix(entry.Name(), "."):
				return skip(entry)
			case entry.IsDir():
				if strings.Count(name, "/") >= mostDepth {
					return fs.SkipDir
				}
				return nil
			case !entry.Type().IsRegular() || !slices.Contains(kinds, strings.ToLower(filepath.Ext(name))):
				return nil
			}
			if info, err := entry.Info(); err == nil {
				path := place{of, filepath.FromSlash(name)}.path()
				files = append(files, listed{Path: path, Bytes: info.Size(), ModifiedAt: info.ModTime().UTC().Truncate(time.Second)})
			}
			return nil
		})
		if err != nil {
			return nil, false, err
		}
	}
	slices.SortStableFunc(files, func(a, b listed) int { return cmp.Or(b.ModifiedAt.Compare(a.ModifiedAt), cmp.Compare(a.Path, b.Path)) })
	if len(files) > mostListed {
		files, more = files[:mostListed], true
	}
	return files, more, nil
}

// skip leaves out a file, or a folder with all that is below it.
func skip(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}
