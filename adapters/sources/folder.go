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
		ConnectorInfo: ports.ConnectorInfo{
			ID: "folder", Name: "Folder", Files: true,
			Settings: []ports.SettingInfo{
				{Name: settingFolder, Required: true, Example: "remittances"},
			},
		},
		checks: map[string]ports.SettingCheck{settingFolder: checkLocal},
		off:    operators == "",
		open: func(_ context.Context, _ *network, access ports.SourceAccess) (place, error) {
			return openFolder(operators, access.AccountID, access.Source.Settings[settingFolder])
		},
	}
}

// checkLocal says that a path must stay below where it begins.
func checkLocal(value string, _ domain.Settings, _ ports.HostCheck) (fault domain.Fault) {
	if !filepath.IsLocal(value) {
		fault.Rule = domain.RuleLocal
	}
	return fault
}

// folder is an opened folder. Nothing outside of the account's folder can be read, whatever
// symbolic links lead there.
type folder struct {
	own  *os.Root // the account's
	name string
}

func openFolder(operators, account, name string) (place, error) {
	if account == "" || account == "." || account != filepath.Base(account) || !filepath.IsLocal(account) {
		return nil, &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder}
	}
	all, err := os.OpenRoot(operators)
	if err != nil {
		return nil, noFolder(err)
	}
	own, err := all.OpenRoot(account)
	if err = errors.Join(err, all.Close()); err != nil {
		return nil, noFolder(err)
	}
	f := folder{own, name}
	dir, err := f.open()
	if err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return f, dir.Close()
}

// open opens the folder. It does not wait if it is a pipe.
func (f folder) open() (*os.File, error) {
	dir, err := f.own.OpenFile(f.name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, noFolder(err)
	}
	if info, err := dir.Stat(); err != nil || !info.IsDir() { // no system but Unix has a flag that opens folders alone
		return nil, noFolder(errors.Join(err, dir.Close(), syscall.ENOTDIR))
	}
	return dir, nil
}

// noFolder returns the error of a folder that cannot be opened. A path that leads out of the
// account's is one that does not exist.
func noFolder(err error) error {
	return &domain.ConnectorError{Rule: domain.ConnNoFolder, Setting: settingFolder, Cause: hushed(err)}
}

func (f folder) close() error { return f.own.Close() }

// listedAtOnce is how many names of a folder are read at a time.
const listedAtOnce = 1000

func (f folder) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	dir, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	for count := 0; ; {
		entries, err := dir.ReadDir(listedAtOnce)
		if count += len(entries); count > q.most {
			return nil, q.crowded(settingFolder)
		}
		for _, entry := range entries {
			if !q.matches(entry.Name()) {
				continue
			}
			// A link counts as the file that it leads to, if that is the account's too. One
			// that leads nowhere, and a file that has just gone, do not count.
			handle := filepath.Join(f.name, entry.Name())
			info, err := f.own.Stat(handle)
			if err == nil && info.Mode().IsRegular() && q.wants(entry.Name(), info.ModTime()) {
				files = append(files, sourceFile(shown(entry.Name()), info, handle))
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
	opened, err := f.own.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, goneOr(err)
		}
		return nil, &domain.ConnectorError{Rule: domain.ConnGone, Cause: hushed(err)}
	}
	defer func() { _ = opened.Close() }() // it was only read
	return readVersion(opened, file, limit)
}
