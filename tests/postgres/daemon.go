package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// daemon is a program that lets clients of PostgreSQL in, with a folder of its
// own.
type daemon struct {
	name, folder string
	owner        *owner
	address      string // of a database that it lets in to
	process      *exec.Cmd
	ended        chan struct{}
}

// newDaemon makes the folder of a program in another folder; blank: that for temporary files.
// Its name is short, because the path of a socket has at most 103 bytes.
func newDaemon(name, parent string) (*daemon, error) {
	// Not t.TempDir: the unprivileged owner must be able to walk into it.
	folder, err := os.MkdirTemp(parent, "milaan-")
	if err != nil {
		return nil, err
	}
	d := &daemon{name: name, folder: folder, owner: unprivileged()}
	if err := d.owner.give(folder); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return d, nil
}

// do runs a program of the owner to its end, in the folder.
func (d *daemon) do(program string, arguments ...string) error {
	command := exec.Command(program, arguments...)
	command.Dir = d.folder
	d.owner.run(command)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

// start starts the program and waits until it accepts a connection.
func (d *daemon) start(command *exec.Cmd) error {
	log, err := os.OpenFile(d.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	d.process = command
	d.process.Dir, d.process.Stdout, d.process.Stderr = d.folder, log, log
	d.owner.run(d.process)
	if err := startTied(d.process); err != nil {
		return err
	}
	d.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait()
		close(ended)
	}(d.process, d.ended)
	return d.awaitAnswer()
}

func (d *daemon) log() string { return filepath.Join(d.folder, "log") }

func (d *daemon) awaitAnswer() error {
	db, err := sql.Open("pgx", d.address)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-d.ended:
			text, _ := os.ReadFile(d.log())
			return fmt.Errorf("%s ended: %s", d.name, text)
		case <-ctx.Done():
			return errors.Join(err, d.stop(os.Kill))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (d *daemon) stop(signal os.Signal) error {
	if d.process == nil {
		return nil
	}
	select {
	case <-d.ended:
		return nil
	default:
	}
	if err := d.process.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-d.ended:
		return nil
	case <-time.After(waitLimit):
		return fmt.Errorf("%s does not stop", d.name)
	}
}

// discard ends the program and removes its folder.
func (d *daemon) discard() {
	if err := d.stop(os.Interrupt); err != nil {
		_ = d.process.Process.Kill()
	}
	_ = os.RemoveAll(d.folder)
}
