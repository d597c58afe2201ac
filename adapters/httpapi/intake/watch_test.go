package intake

import (
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
		inBubble(t, name, func(t *testing.T) {
			in, done := newTestIntake(256<<20, 10*time.Second), make(chan time.Duration, 1)
			began := time.Now()
			go func() {
				if err := in.sends(t, "account-1", MaxBody, part{0, c.sent}, part{time.Hour, 1}); !errors.Is(err, ErrSlow) {
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
				var want error
				if c.sent >= MaxBody/giveWayPart {
					want = domain.ErrBusy
				}
				require.ErrorIs(t, in.takes(t, "account-2", make([]byte, length)), want)
			}
			require.InDelta(t, c.givesAt.Seconds(), (<-done).Seconds(), 0.01)
			time.Sleep(2 * time.Minute)
			requireFree(t, in)
		})
	}
}
