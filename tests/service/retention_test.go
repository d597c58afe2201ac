package service

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
)

// A run is in the history for as long as the operator has set, and the pages say how long
// that is.
func TestTheHistoryForgetsRunsWhenTheirTimeIsOver(t *testing.T) {
	const days = 70
	s := Start(t, Options{Settings: func(c *config.Config) { c.Storage.RunRetention = days * 24 * time.Hour }})
	customer := s.Account(t)
	b := customer.SignIn(t)
	listed := func() int {
		require.NoError(t, s.Housekeep.Sweep(t.Context()))
		history := answered[struct{ Runs []struct{} }](t, customer.SignIn(t).Get(t, "/app/api/runs"))
		return len(history.Runs)
	}
	var me struct {
		Days int `json:"retention_days"`
	}
	b.Get(t, "/app/api/me").JSON(t, &me)
	require.Equal(t, days, me.Days)
	require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/reconcile", EightFlags().Form(t)).Status)
	require.Equal(t, 1, listed())
	s.Clock.Advance(days*24*time.Hour - time.Minute)
	require.Equal(t, 1, listed())
	s.Clock.Advance(2 * time.Minute)
	require.Zero(t, listed())
}
