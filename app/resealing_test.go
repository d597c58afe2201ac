package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app"
	"milaan/ports"
)

// sealedThings is ports.Seals, which has done what it says.
type sealedThings struct {
	done  ports.Resealed
	fault error
}

func (s sealedThings) Reseal(context.Context) (ports.Resealed, error) { return s.done, s.fault }

func TestOlderSecretsAreRetiredOnceNothingNeedsThem(t *testing.T) {
	done, fault := ports.Resealed{Afresh: 3, Kept: 2, Unreadable: 1}, errors.New("database away")
	agreed := &agreement{}
	got, err := (&app.Resealing{Seals: sealedThings{done, fault}, Retire: agreed.Retire}).Reseal(t.Context())
	require.ErrorIs(t, err, fault)
	require.Equal(t, done, got)
	require.Zero(t, agreed.retired, "something may be left that needs them")

	got, err = (&app.Resealing{Seals: sealedThings{done, nil}, Retire: agreed.Retire}).Reseal(t.Context())
	require.NoError(t, err)
	require.Equal(t, done, got)
	require.Equal(t, 1, agreed.retired)

	agreed.fault = fault
	_, err = (&app.Resealing{Seals: sealedThings{done, nil}, Retire: agreed.Retire}).Reseal(t.Context())
	require.ErrorIs(t, err, fault)
}

// agreement is ports.RetireSecrets in memory.
type agreement struct {
	retired int
	fault   error
}

func (a *agreement) Retire(context.Context) error {
	a.retired++
	return a.fault
}
