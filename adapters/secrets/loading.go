package secrets

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"milaan/config"
	"milaan/ports/peers"
)

const (
	// proposedSuffix ends the name of a secret to which the database has not agreed.
	proposedSuffix = ".proposed"
	// lockSuffix ends the name of an empty file that is locked while a secret is proposed.
	// The file stays; the lock ends with the process that holds it.
	lockSuffix = ".lock"
	// lockTimeout is how long a process waits for another one that proposes a secret in
	// the same directory, and lockPause is the time between two attempts to lock.
	lockTimeout = 30 * time.Second
	lockPause   = 5 * time.Millisecond
)

var (
	// errAbsent says that there is no secret, and that the database would not agree to a
	// new one.
	errAbsent = errors.New("is missing, and " + config.Prefix + "SECRET_KEY is not set, but this database was set up with a secret key: " +
		"put the file back from your backup, or set the variable; if the secret is lost, milaan help secret says what to do")
	errDatabase = errors.New("compare secret keys")
	errDamaged  = errors.New("is damaged")
)

type loader struct {
	settings config.Secrets
	facts    peers.Facts
	log      *slog.Logger
	path     string // of the secret in the data directory
}

// Load takes the secrets from the settings or, if there are none, from the data directory.
// If that has none either, it draws a secret and keeps it once the database has agreed to
// it. So an instance that is refused leaves no secret behind that would be refused again. It
// returns errOther, errIncomplete, errAbsent, or the error of the database.
func Load(ctx context.Context, settings config.Secrets, facts peers.Facts, log *slog.Logger) (*Secrets, error) {
	l := loader{settings, facts, log, filepath.Join(settings.DataDir, FileName)}
	if len(settings.Keys) > 0 {
		s := New(settings.Keys...)
		return s, l.agree(ctx, s)
	}
	s, err := l.readKept(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		s, err = l.propose(ctx)
	}
	if err == nil || disagreement(err) || errors.Is(err, errDatabase) {
		return s, err
	}
	remedy := "make it readable, or set " + config.Prefix + "SECRET_KEY to a key of your own (openssl rand -hex 32)"
	if errors.Is(err, errDamaged) {
		remedy = "if a service has used the file, put it back from your backup instead, or set " + config.Prefix + "SECRET_KEY to what it " +
			"held; if that is lost, milaan help secret says what to do"
	}
	return nil, fmt.Errorf("the secret in the data directory (%sDATA_DIR): %w; %s", config.Prefix, err, remedy)
}

func (l loader) agree(ctx context.Context, s *Secrets) error {
	err := NewAgreement(s, l.facts).agree(ctx, l.settings.Lost)
	if err == nil || disagreement(err) {
		return err // its text needs no addition
	}
	return fmt.Errorf("%w: %w", errDatabase, err)
}

// readKept takes the secrets from the data directory.
func (l loader) readKept(ctx context.Context) (*Secrets, error) {
	s, err := read(l.path, l.log)
	if err != nil {
		return nil, err
	}
	if err := l.agree(ctx, s); err != nil {
		return nil, err
	}
	_ = os.Remove(l.path + proposedSuffix) // of a start that was cut off after the secret was kept
	return s, nil
}

// propose draws a secret and keeps it if the database agrees to it. One process at a time
// does so in a directory. The proposal is written to the directory before the database is
// asked: if the process dies in between, the next one proposes the same secret.
func (l loader) propose(ctx context.Context) (*Secrets, error) {
	if err := os.MkdirAll(l.settings.DataDir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(l.path + lockSuffix)
	defer func() { _ = lock.Close() }()
	waiting, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, lockPause); err != nil {
		return nil, fmt.Errorf("%s cannot be locked: another process holds it, or the file system has no locks: %w", lock.Path(), err)
	}
	if s, err := l.readKept(ctx); !errors.Is(err, fs.ErrNotExist) {
		return s, err // another process had the lock before
	}
	proposal := l.path + proposedSuffix
	s, err := read(proposal, l.log)
	if errors.Is(err, fs.ErrNotExist) {
		s, err = l.draw(ctx, proposal)
	}
	if err != nil {
		return nil, err
	}
	if err := l.agree(ctx, s); disagreement(err) {
		_ = os.Remove(proposal)
		return nil, fmt.Errorf("%s %w", l.path, errAbsent)
	} else if err != nil {
		return nil, err
	}
	if err := keep(l.path, s.first().master); err != nil {
		return nil, err
	}
	_ = os.Remove(proposal)
	return s, nil
}

// draw makes a proposal. It returns errAbsent if the database was already set up with a
// secret: then this is not the first start, and the secret is missing.
func (l loader) draw(ctx context.Context, proposal string) (*Secrets, error) {
	stored, err := l.facts.Find(ctx, agreedFact)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errDatabase, err)
	case stored != "" && !l.settings.Lost:
		return nil, fmt.Errorf("%s %w", l.path, errAbsent)
	}
	master := make([]byte, secretBytes)
	_, _ = rand.Read(master)
	return New(master), keep(proposal, master)
}
