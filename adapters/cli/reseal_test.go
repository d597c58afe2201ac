package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// resealing is ports.ManagingSecrets, which has done what it says.
type resealing struct {
	done  ports.Resealed
	fault error
}

func (r resealing) Reseal(context.Context) (ports.Resealed, error) { return r.done, r.fault }

func TestReseal(t *testing.T) {
	var lost, closed bool
	work := resealing{done: ports.Resealed{Afresh: 3, Kept: 2, Unreadable: 1}}
	deps := Deps{Secrets: func(_ context.Context, l bool) (ports.ManagingSecrets, func() error, error) {
		lost = l
		return work, func() error { closed = true; return nil }, nil
	}}
	got := run(deps, "reseal")
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "Sealed afresh: 3. Sealed with the first secret already: 2. Cannot be opened: 1.\n"+
		"Every other secret can be taken out of MILAAN_SECRET_KEY. "+
		"Wait until 24 hours after the service began to seal with the first one: request keys given before that stand for nothing without the others.\n", got.stdout)
	require.False(t, lost)
	require.True(t, closed)

	require.Zero(t, run(deps, "reseal", "--lost").code)
	require.True(t, lost)

	closed, work.fault = false, errors.New("database away")
	got = run(deps, "reseal")
	require.Equal(t, ExitFailed, got.code)
	require.Equal(t, "Sealed afresh: 3. Sealed with the first secret already: 2. Cannot be opened: 1.\n", got.stdout, "what was done stays done")
	require.Contains(t, got.stderr, "database away")
	require.True(t, closed)

	require.Equal(t, ExitUsage, run(deps, "reseal", "all").code)
}
