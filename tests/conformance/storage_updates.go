package conformance

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// updating is what the ports have in common by which one value of an account is changed.
type updating[T any] interface {
	Update(ctx context.Context, account string, event domain.SecurityEvent, change func(*T) error) (T, error)
}

// Change changes a value of an account, which is named as its port does, and returns it.
func Change[T any](t *testing.T, values updating[T], account string, change func(*T)) T {
	t.Helper()
	v, err := values.Update(t.Context(), account, domain.SecurityEvent{}, func(v *T) error { change(v); return nil })
	require.NoError(t, err)
	return v
}

// updates is the case of such a port: an update that fails alters nothing, an unknown account has nothing to
// update, and updates do not overwrite each other. add adds one to what count counts.
func updates[T any](values func(Storage) updating[T], add func(*T), count func(T) int) func(t *testing.T, one, other Storage) {
	return func(t *testing.T, one, other Storage) {
		account := created(t, one, "updated")
		name := account.ID
		if _, byEmail := values(one).(updating[domain.Account]); byEmail {
			name = account.Email
		}
		was := Change(t, values(one), name, add)
		refusal := errors.New("refused")
		_, err := values(one).Update(t.Context(), name, domain.SecurityEvent{}, func(v *T) error {
			require.Equal(t, was, *v)
			add(v)
			return refusal
		})
		require.Same(t, refusal, err)
		require.Equal(t, was, Change(t, values(other), name, func(*T) {}))

		_, err = values(one).Update(t.Context(), "nobody", domain.SecurityEvent{}, func(*T) error {
			t.Error("there is nothing to change")
			return nil
		})
		require.ErrorIs(t, err, domain.ErrNoAccount)

		requireInParallel(t, one, other, func(s Storage, _ int) error {
			_, err := values(s).Update(t.Context(), name, domain.SecurityEvent{}, func(v *T) error { add(v); return nil })
			return err
		})
		require.Equal(t, count(was)+many, count(Change(t, values(one), name, func(*T) {})))
	}
}
