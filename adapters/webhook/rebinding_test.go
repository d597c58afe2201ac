package webhook_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/network"
)

// A name that was public when it was saved, and is not when it is called.
func TestRebindingBetweenSavingAndDialling(t *testing.T) {
	for _, then := range [][]string{{"127.0.0.1"}, {"169.254.169.254"}, {"::ffff:10.0.0.1"}, {publicAddress, "10.0.0.1"}} {
		resolver := network.Changing(map[string][][]string{"rebound.example": {{publicAddress}, then}})
		s := newPoster(world{Resolver: resolver, Dial: network.Unused(t)}, time.Now)
		require.Empty(t, s.Check(t.Context(), domain.FieldEndpoint, "https://rebound.example/"))
		for range 3 {
			a := s.Post(t.Context(), "https://rebound.example/", nil, []byte("{}"))
			require.Equal(t, domain.OutcomeForbidden, a.Outcome)
			require.Equal(t, "the host has an address that is not public", a.Failure)
		}
	}
}

// A name whose addresses change with each look-up: what is dialled is what was
// looked at, because there is one look-up, and the dialler is given no name.
func TestRebindingBetweenLookingAndConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resolver := network.Changing(map[string][][]string{"rebound.example": {{publicAddress}, {"127.0.0.1"}}})
		w := network.NewWire()
		s := newPoster(world{Resolver: resolver, Dial: w.Dial}, time.Now)
		go func() {
			if c, err := w.Accept(); err == nil {
				_ = c.Close()
			}
		}()
		a := s.Post(t.Context(), "https://rebound.example:8443/", nil, []byte("{}"))
		require.Equal(t, domain.OutcomeUnreachable, a.Outcome)
		require.Equal(t, []string{publicAddress + ":8443"}, w.Addresses())
		require.Equal(t, []string{"rebound.example."}, resolver.Lookups())

		a = s.Post(t.Context(), "https://rebound.example:8443/", nil, []byte("{}"))
		require.Equal(t, domain.OutcomeForbidden, a.Outcome, "no connection or answer of DNS is kept for the next POST")
		require.Len(t, w.Addresses(), 1)
	})
}

func TestAProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://10.0.0.1:3128")
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		s := newPoster(world{Resolver: network.Always(map[string][]string{"shop.example": {publicAddress}}), Dial: w.Dial}, time.Now)
		go func() {
			if c, err := w.Accept(); err == nil {
				_ = c.Close()
			}
		}()
		s.Post(t.Context(), "https://shop.example/", nil, []byte("{}"))
		require.Equal(t, []string{publicAddress + ":443"}, w.Addresses())
	})
}
