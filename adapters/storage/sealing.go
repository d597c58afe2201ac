package storage

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

// seal returns a text as a column keeps it: null for none.
func seal(sealer peers.Sealer, text []byte, place ...string) []byte {
	if len(text) == 0 {
		return nil
	}
	return sealer.Seal(text, place...)
}

// unseal returns the text that a column keeps; nil for null.
func unseal(sealer peers.Sealer, kept []byte, place ...string) ([]byte, error) {
	if kept == nil {
		return nil, nil
	}
	text, err := sealer.Open(kept, place...)
	if err != nil {
		return nil, fmt.Errorf("open what is sealed in %s: %w", strings.Join(place, "/"), err)
	}
	return text, nil
}

// open returns the text that a column keeps; nil if it cannot be opened any more. An error is temporary.
func (v view) open(ctx context.Context, kept []byte, place ...string) ([]byte, error) {
	text, err := unseal(v.sealer, kept, place...)
	return text, v.store.passUnavailable(ctx, err)
}

// openText returns what the JSON that a column keeps says; the zero value if it cannot be opened any more.
func openText[T any](ctx context.Context, v view, kept []byte, place ...string) (said T, err error) {
	text, err := v.open(ctx, kept, place...)
	if err != nil || text == nil {
		return said, err
	}
	return decodeText[T](text)
}

// openOr is open, but returns lost if the text cannot be opened any more.
func (v view) openOr(ctx context.Context, lost *domain.Error, kept []byte, place ...string) ([]byte, error) {
	text, err := unseal(v.sealer, kept, place...)
	if err != nil {
		return nil, cmp.Or(v.store.passUnavailable(ctx, err), error(lost.Caused(err)))
	}
	return text, nil
}

// passUnavailable takes an error of unseal. It returns one that is temporary: what is
// sealed must not count as lost because of it. Any other error it writes to the log and
// returns nil: what is sealed cannot be opened any more, and counts as absent.
func (s *Store) passUnavailable(ctx context.Context, err error) error {
	if kind, _, known := domain.KindOf(err); known && kind == domain.KindUnavailable {
		return err
	}
	if err != nil {
		s.logUnreadable(ctx, err)
	}
	return nil
}

// logUnreadable logs that something sealed is damaged, or was sealed with a secret that
// has been replaced. The error names the table, the column and the ids of its row.
func (s *Store) logUnreadable(ctx context.Context, err error) {
	s.log.WarnContext(ctx, "a sealed value cannot be opened and counts as missing: it is damaged, or was sealed with a secret that "+
		"is not set; milaan help secret says what to do", "error", err)
}
