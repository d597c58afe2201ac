package storage

import (
	"context"
	"fmt"
	"strings"

	"milaan/domain"
	"milaan/ports/glue"
)

// sealed is a text as a column keeps it: null for none.
func sealed(sealer glue.Sealer, text []byte, place ...string) []byte {
	if len(text) == 0 {
		return nil
	}
	return sealer.Seal(text, place...)
}

// opened is the text that a column keeps, nil for null.
func opened(sealer glue.Sealer, kept []byte, place ...string) ([]byte, error) {
	if kept == nil {
		return nil, nil
	}
	text, err := sealer.Open(kept, place...)
	if err != nil {
		return nil, fmt.Errorf("open what is sealed in %s: %w", strings.Join(place, "/"), err)
	}
	return text, nil
}

// doWithout is for an error of opened. It returns one that passes, and must not make
// anybody do without what is sealed for good. Of any other one it tells the log, and
// returns nil: nobody will open that again, so it counts as absent.
func (s *Store) doWithout(ctx context.Context, err error) error {
	if kind, _, known := domain.KindOf(err); known && kind == domain.KindUnavailable {
		return err
	}
	if err != nil {
		s.tellUnreadable(ctx, err)
	}
	return nil
}

// tellUnreadable tells of something sealed that is damaged, or by a secret that
// has been replaced.
func (s *Store) tellUnreadable(ctx context.Context, err error) {
	s.log.WarnContext(ctx, "does without what cannot be opened: it is damaged, or the secret key was replaced", "error", err)
}
