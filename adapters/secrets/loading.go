package secrets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"milaan/config"
	"milaan/ports"
)

// encounters is how often copies that start at once in one folder may cross
// each other's way before one of them gives up.
const encounters = 10

// proposedSuffix ends the name of a secret to which the database has not agreed.
const proposedSuffix = ".proposed"

var (
	// errAbsent says that there is no secret, and that a new one would not do.
	errAbsent = errors.New("is missing, and " + config.Prefix + "SECRET_KEY is not set, but this database was set up with a secret key: " +
		"put the file back from your backup, or set the variable; if the secret is lost, README.md, Changing the secret, says what to do")
	// errCrossed says that another copy in this folder was faster.
	errCrossed = errors.New("another copy has moved the secret meanwhile")
	// errDatabase marks what the database returned.
	errDatabase = errors.New("the database has not agreed to a secret")
)

// Load takes the secrets from the settings; without any there, from the data
// directory. Where that has none either, it draws one and keeps it once the
// database has agreed to it, so that a copy which is refused leaves nothing
// behind that would be refused again. It returns errOther, errIncomplete,
// errAbsent, or what the database returns.
func Load(ctx context.Context, settings config.Secrets, facts ports.Facts, log *slog.Logger) (*Secrets, error) {
	if len(settings.Keys) > 0 {
		return agreed(ctx, New(settings.Keys...), settings, facts)
	}
	path := filepath.Join(settings.DataDir, FileName)
	for range encounters {
		s, err := read(path, log)
		if err == nil {
			if s, err = agreed(ctx, s, settings, facts); err == nil {
				_ = os.Remove(path + proposedSuffix) // of a first start that was cut off once the secret lay in its place
			}
			return s, err
		}
		if errors.Is(err, fs.ErrNotExist) {
			if s, err = proposed(ctx, settings, path, facts, log); err == nil {
				return s, nil
			}
		}
		switch {
		case errors.Is(err, errCrossed):
		case disagreement(err) || errors.Is(err, errDatabase):
			return nil, err
		default:
			return nil, fmt.Errorf("the secret in the data directory (%sDATA_DIR): %w; make it readable, or set %sSECRET_KEY to a key of your own (openssl rand -hex 32)",
				config.Prefix, err, config.Prefix)
		}
	}
	return nil, fmt.Errorf("%s comes and goes: is anything else writing to that folder?", path)
}

func agreed(ctx context.Context, s *Secrets, settings config.Secrets, facts ports.Facts) (*Secrets, error) {
	switch err := NewAgreement(s, facts).agree(ctx, settings.Lost); {
	case disagreement(err):
		return nil, err // it says all that there is to say
	case err != nil:
		return nil, fmt.Errorf("compare secret keys: %w", err)
	}
	return s, nil
}

// proposed asks the database whether a new secret will do, and keeps it then.
// The proposal lies in the data directory before the database hears of it: all
// copies that start there make the same one, and if they die in between, the
// next start makes it again.
func proposed(ctx context.Context, settings config.Secrets, path string, facts ports.Facts, log *slog.Logger) (*Secrets, error) {
	proposal := path + proposedSuffix
	if err := wanted(ctx, settings, path, proposal, facts); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(settings.DataDir, 0o700); err != nil {
		return nil, err
	}
	if err := create(settings.DataDir, proposal); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	s, err := read(proposal, log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errCrossed
	}
	if err != nil {
		return nil, err
	}
	switch err := NewAgreement(s, facts).agree(ctx, settings.Lost); {
	case disagreement(err):
		_ = os.Remove(proposal)
		if exists(path) {
			return nil, errCrossed // it was this folder's own secret that was agreed
		}
		return nil, fmt.Errorf("%s %w", path, errAbsent)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errDatabase, err)
	}
	// A link never replaces what another copy has put there, as a rename would.
	if err := os.Link(proposal, path); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	syncNames(settings.DataDir) // the database has agreed to this secret: its file must not be lost
	_ = os.Remove(proposal)
	return s, nil
}

// wanted returns errAbsent if the database was set up with a secret and none is
// proposed: that is no first start. The order of the three looks matters: a
// proposal goes only after the secret is in its place.
func wanted(ctx context.Context, settings config.Secrets, path, proposal string, facts ports.Facts) error {
	stored, err := facts.Find(ctx, agreedFact)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errDatabase, err)
	case stored == "" || settings.Lost || exists(proposal):
		return nil
	case exists(path):
		return errCrossed
	}
	return fmt.Errorf("%s %w", path, errAbsent)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
