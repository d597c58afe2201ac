package sources

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"milaan/domain"
	"milaan/ports"
)

// folderConnector is a folder of the machine, below one that the operator has set aside for
// accounts. An account sees only its own part of it.
func folderConnector(operators string) connector {
	return connector{
		id: "folder", name: "Folder", files: true, off: operators == "",
		settings: []setting{
			{SettingInfo: ports.SettingInfo{Name: settingFolder, Required: true, Example: "remittances"}, check: checkLocal},
		},
		open: func(_ context.Context, _ *line, access ports.SourceAccess) (place, error) {
			return openFolder(operators, access.AccountID, access.Source.Settings[settingFolder])
		},
	}
}

// checkLocal says that a path must stay below where it begins.
func checkLocal(value string, _ hostCheck) domain.Fault {
	if !filepath.IsLocal(value) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return domain.Fault{}
}

// folder is an opened folder. It fills place. Nothing outside of it can be read, whatever
// symbolic links lead there.
type folder struct{ root *os.Root }

// openFolder opens a folder of an account. A link may lead to another folder of the account,
// and not out of the account's.
func openFolder(operators, account, name string) (place, error) {
	missing := &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder}
	if account == "" || account != filepath.Base(account) || !filepath.IsLocal(account) || account == "." {
		return nil, missing
	}
	all, err := os.OpenRoot(operators)
	if err != nil {
		return nil, noFolder(err)
	}
	own, err := all.OpenRoot(account)
	if err = errors.Join(err, all.Close()); err != nil {
		return nil, noFolder(err)
	}
	root, err := own.OpenRoot(name)
	if err = errors.Join(err, own.Close()); err != nil {
		return nil, noFolder(err)
	}
	return folder{root}, nil
}

// noFolder returns the error of a folder that cannot be opened. A path that leads out of the
// account's is one that does not exist.
func noFolder(err error) error {
	return &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder, Cause: hushed(err)}
}

func (f folder) close() error { return f.root.Close() }

// listedAtOnce is how many names of a folder are read at a time.
const listedAtOnce = 1000

func (f folder) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, noFolder(err)
	}
	defer func() { _ = dir.Close() }() // it was only read
	for count := 0; ; {
		entries, err := dir.ReadDir(listedAtOnce)
		if count += len(entries); count > q.most {
			return nil, q.tooMany()
		}
		for _, entry := range entries {
			if !q.matches(entry.Name()) {
				continue
			}
			// A link counts as the file that it leads to, if that is in the folder too. One
			// that leads nowhere, and a file that has just gone, do not count.
			info, err := f.root.Stat(entry.Name())
			if err == nil && info.Mode().IsRegular() && q.wants(entry.Name(), info.ModTime()) {
				files = append(files, sourceFile(shown(entry.Name()), info, entry.Name()))
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return files, nil
		case err != nil:
			return nil, noFolder(err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

func (f folder) read(_ context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	name, _ := file.Handle.(string)
	// Without O_NONBLOCK, opening a pipe that has replaced the file would wait for a writer.
	opened, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, goneOr(err)
		}
		return nil, &domain.ConnectorError{Rule: domain.ConnGone, Cause: hushed(err)}
	}
	defer func() { _ = opened.Close() }() // it was only read
	return readVersion(opened, file, limit)
}
