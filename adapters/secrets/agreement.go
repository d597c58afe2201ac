package secrets

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"milaan/config"
	"milaan/ports"
)

// agreedFact is the name under which the database remembers which secret it
// was set up with.
const agreedFact = "secret_key"

// errDisagreed says that the database was set up with another secret. Sessions,
// pseudonyms and seals of this copy would mean nothing to the others.
var errDisagreed = errors.New("this database was set up with another secret key: give every copy of the service the same " +
	config.Prefix + "SECRET_KEY (or the same " + fileName + " in its data directory); if that secret is lost, " +
	"README.md, On PostgreSQL, says how to replace it")

// agree makes sure that every copy of the service on one database has the same
// secret: the first one leaves a check value, from which the secret cannot be
// found, and the others compare. It returns errDisagreed, or what the database
// returns.
func (s *Secret) agree(ctx context.Context, facts ports.Facts) error {
	check := s.Subkey("check value")
	mine := hex.EncodeToString(check[:16])
	stored, err := facts.Claim(ctx, agreedFact, mine)
	if err != nil {
		return fmt.Errorf("compare secret keys: %w", err)
	}
	if stored != mine {
		return errDisagreed
	}
	return nil
}

func (s *Secret) agreed(ctx context.Context, facts ports.Facts) (*Secret, error) {
	if err := s.agree(ctx, facts); err != nil {
		return nil, err
	}
	return s, nil
}

// encounters is how often copies that start at once in one folder may cross
// each other's way before one of them gives up.
const encounters = 10

// Load takes the secret from the settings; without one there, from the data
// directory. Where that has none either, it draws one and keeps it once the
// database has agreed to it, so that a copy which is refused leaves nothing
// behind that would be refused again. It returns errDisagreed, or what the
// database returns.
func Load(ctx context.Context, settings config.Secrets, facts ports.Facts, log *slog.Logger) (*Secret, error) {
	if len(settings.Key) > 0 {
		return New(settings.Key).agreed(ctx, facts)
	}
	path := filepath.Join(settings.DataDir, fileName)
	for range encounters {
		master, err := read(path, log)
		if err == nil {
			return New(master).agreed(ctx, facts)
		}
		if errors.Is(err, fs.ErrNotExist) {
			var s *Secret
			if s, err = proposed(ctx, settings.DataDir, path, facts, log); err == nil {
				return s, nil
			}
		}
		switch {
		case errors.Is(err, errCrossed):
		case errors.Is(err, errDisagreed) || errors.Is(err, errDatabase):
			return nil, err
		default:
			return nil, fmt.Errorf("the secret in the data directory (%sDATA_DIR): %w; make it readable, or set %sSECRET_KEY to a key of your own (openssl rand -hex 32)",
				config.Prefix, err, config.Prefix)
		}
	}
	return nil, fmt.Errorf("%s comes and goes: is anything else writing to that folder?", path)
}

var (
	// errCrossed says that another copy in this folder was faster.
	errCrossed = errors.New("another copy has moved the secret meanwhile")
	// errDatabase marks what the database returned.
	errDatabase = errors.New("the database has not agreed to a secret")
)

// proposed asks the database whether a new secret will do, and keeps it then.
// The proposal lies in the data directory before the database hears of it: all
// copies that start there make the same one, and if they die in between, the
// next start makes it again.
func proposed(ctx context.Context, dir, path string, facts ports.Facts, log *slog.Logger) (*Secret, error) {
	proposal := path + ".proposed"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := create(dir, proposal); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	master, err := read(proposal, log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errCrossed
	}
	if err != nil {
		return nil, err
	}
	s := New(master)
	switch err := s.agree(ctx, facts); {
	case errors.Is(err, errDisagreed):
		_ = os.Remove(proposal)
		if _, err := os.Stat(path); err == nil {
			return nil, errCrossed // it was this folder's own secret that was agreed
		}
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errDatabase, err)
	}
	// A link never replaces what another copy has put there, as a rename would.
	if err := os.Link(proposal, path); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	_ = os.Remove(proposal)
	return s, nil
}
