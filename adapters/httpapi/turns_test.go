package httpapi

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// takeAll takes the turns that are free.
func takeAll(t *testing.T, from *turns) (ends []func()) {
	t.Helper()
	for range runtime.GOMAXPROCS(0) {
		end, err := from.take(t.Context())
		require.NoError(t, err)
		ends = append(ends, end)
	}
	return ends
}

func TestLargeBodiesComeInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		ends := takeAll(t, &in.turns)
		served := make(chan error)
		go func() {
			b, err := in.read(arriving(t.Context(), bytes.NewReader(nil), -1), "account-1", unread)
			if err == nil {
				b.release()
			}
			served <- err
		}()
		synctest.Wait()
		require.EqualValues(t, 1, figure(t, in.figures, "milaan_body_waiting"))
		small, err := in.read(arriving(t.Context(), bytes.NewReader([]byte("{}")), 2), "account-1", unread)
		require.NoError(t, err, "small bodies need no turn")
		small.release()

		began := time.Now()
		ends[0]()
		ends[0]()
		require.NoError(t, <-served)
		require.Zero(t, time.Since(began), "the next comes at once")
		require.Zero(t, figure(t, in.figures, "milaan_body_waiting"))
		for _, end := range ends[1:] {
			end()
		}
		takeAll(t, &in.turns)
		require.Zero(t, time.Since(began), "the body has given its turn back")
		requireFree(t, in)
	})
}

func TestSlowBodiesLoseTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(10*time.Second, newFigures())
		ends := takeAll(t, &turns)
		began := time.Now()
		takeAll(t, &turns)
		require.Equal(t, turnTime, time.Since(began))
		for _, end := range ends {
			end() // of a turn that is over already
		}
		require.False(t, turns.free.TryAcquire(1), "a turn has ended twice")
	})
}

func TestNobodyWaitsForeverForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(turnTime/2, newFigures())
		takeAll(t, &turns)
		_, err := turns.take(t.Context())
		require.ErrorIs(t, err, domain.ErrBusy)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, err = turns.take(gone)
		require.ErrorIs(t, err, errClientOff)
	})
}
