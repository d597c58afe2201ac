package intake

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// A body that began fast and then does not come gives its memory to others who
// wait for it, but keeps it where nobody does, or where most of it is there.
func TestBodiesThatDoNotComeGiveWay(t *testing.T) {
	for name, c := range map[string]struct {
		sent    int
		waits   bool
		givesAt time.Duration
	}{
		"others wait":                {300 << 10, true, 1500 * time.Millisecond},
		"nobody waits":               {300 << 10, false, 9375 * time.Millisecond},
		"others wait, much is there": {7 << 20, true, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, done := newTestIntake(256<<20, 10*time.Second), make(chan time.Duration, 1)
				began := time.Now()
				go func() {
					_, err := in.sends(t, "account-1", MaxBody, part{0, c.sent}, part{time.Hour, 1})
					if !errors.Is(err, ErrSlow) {
						t.Errorf("the body got %v", err)
					}
					done <- time.Since(began)
				}()
				synctest.Wait()
				if c.waits {
					time.Sleep(time.Second + time.Millisecond)
					const length = 2 << 20
					needed := length + ports.WorkBytesFor(make([]byte, length)) // which is there only without the first body
					room := in.budget.large.size - MaxBody - (needed - MaxBody/2)
					require.True(t, in.budget.large.all.TryAcquire(room))
					go func() {
						time.Sleep(time.Minute)
						in.budget.large.all.Release(room)
					}()
					b, err := in.Read(arriving(t.Context(), bytes.NewReader(make([]byte, length)), length), "account-2", unread)
					if c.sent < MaxBody/giveWayPart {
						require.NoError(t, err)
						b.Release()
					} else {
						require.ErrorIs(t, err, domain.ErrBusy)
					}
				}
				require.InDelta(t, c.givesAt.Seconds(), (<-done).Seconds(), 0.01)
				time.Sleep(2 * time.Minute)
				requireFree(t, in)
			})
		})
	}
}
