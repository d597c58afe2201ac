package storage

import (
	"context"
	"fmt"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// sealed is a text as a column keeps it: null for none.
func sealed(sealer ports.Sealer, text []byte, place ...string) []byte {
	if len(text) == 0 {
		return nil
	}
	return sealer.Seal(text, place...)
}

// opened is the text that a column keeps, nil for null.
func opened(sealer ports.Sealer, kept []byte, place ...string) ([]byte, error) {
	if kept == nil {
		return nil, nil
	}
	text, err := sealer.Open(kept, place...)
	if err != nil {
		return nil, fmt.Errorf("open what is sealed in %s: %w", strings.Join(place, "/"), err)
	}
	return text, nil
}

// final says that what could not be opened never will be: other errors of a
// Sealer pass, and must not make anybody do without it for good.
func final(err error) bool {
	kind, _, known := domain.KindOf(err)
	return !known || kind != domain.KindUnavailable
}

// tellUnreadable tells of something sealed that is damaged, or by a secret that
// has been replaced. Nobody will open it again, so it counts as absent.
func (s *Store) tellUnreadable(ctx context.Context, err error) {
	s.log.WarnContext(ctx, "does without what cannot be opened: it is damaged, or the secret key was replaced", "error", err)
}
