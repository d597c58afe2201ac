package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
)

// resealing is ports.ManagingSecrets, which has done what it says.
type resealing struct {
	done  ports.Resealed
	fault error
}

func (r resealing) Reseal(context.Context) (ports.Resealed, error) { return r.done, r.fault }

func TestReseal(t *testing.T) {
	var lost bool
	var closed int
	work := resealing{done: ports.Resealed{Afresh: 3, Kept: 2, Unreadable: 1}}
	deps := Deps{Open: opens(&closed, fx.Supply(config.Secrets{}), fx.Provide(func(s config.Secrets) ports.ManagingSecrets {
		lost = s.Lost
		return work
	}))}
	got := run(deps, "reseal")
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "Sealed afresh: 3. Sealed with the first secret already: 2. Cannot be opened: 1.\n"+
		"Every other secret can be taken out of MILAAN_SECRET_KEY. "+
		"Wait until 24 hours after the service began to seal with the first one: request keys from before that have no effect without the others.\n", got.stdout)
	require.False(t, lost)
	require.Equal(t, 1, closed)

	work.done.Webhooks = 1
	got = run(deps, "reseal", "--lost")
	require.Zero(t, got.code)
	require.True(t, lost)
	require.Equal(t, "Sealed afresh: 3. Sealed with the first secret already: 2. Cannot be opened, and given up: 1.\n"+
		"The webhook of 1 account is among that: set it again with milaan webhook set.\n"+
		"Batches whose files or results are among that end with an error, or have none any more: send them again.\n"+
		"What was given up stays in the database until it is replaced or deleted, and the next reseal counts it again.\n"+
		"No secret but the first is needed any more.\n", got.stdout)
	work.done = ports.Resealed{Afresh: 3, Kept: 2, Unreadable: 2, Webhooks: 2}
	require.Contains(t, run(deps, "reseal", "--lost").stdout, "The webhooks of 2 accounts are among that: set them again with milaan webhook set.")
	work.done = ports.Resealed{Unreadable: 3, Connections: 2}
	require.Contains(t, run(deps, "reseal", "--lost").stdout, "Connections of the autopilot whose settings are among that: 2. "+
		"Set them again with milaan connection set, with their secrets; reports that were kept for them must be uploaded again.\n")
	work.done = ports.Resealed{Kept: 1}
	require.Equal(t, "Sealed afresh: 0. Sealed with the first secret already: 1. Cannot be opened, and given up: 0.\n"+
		"No secret but the first is needed any more.\n", run(deps, "reseal", "--lost").stdout)
	work.done = ports.Resealed{Afresh: 3, Kept: 2, Unreadable: 1}

	closed, work.fault = 0, errors.New("database away")
	got = run(deps, "reseal")
	require.Equal(t, ExitFailed, got.code)
	require.Equal(t, "Sealed afresh: 3. Sealed with the first secret already: 2. Cannot be opened: 1.\n", got.stdout, "what was done stays done")
	require.Contains(t, got.stderr, "database away")
	require.Equal(t, 1, closed)

	require.Equal(t, ExitUsage, run(deps, "reseal", "all").code)
}
