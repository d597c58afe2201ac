package intake

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// uploads reads an upload of the given number of bytes and gives it back.
func (in *Intake) uploads(t *testing.T, account string, from io.Reader, length int64) error {
	b, err := in.ReadUpload(arriving(t.Context(), from, length), account, noWorkbooks)
	if err == nil {
		b.Release()
	}
	return err
}

// noWorkbooks says that a body has none.
func noWorkbooks([]byte) ports.WorkbookMemory { return ports.WorkbookMemory{} }

// TestUploadsOfEverySizeArriveWhole holds the limit of uploads to the byte, whether their
// length is known or not.
func TestUploadsOfEverySizeArriveWhole(t *testing.T) {
	in := newTestIntake(MaxBody, time.Second)
	all := bytes.Repeat([]byte("0123456789abcdef-"), MaxUpload/17+1)
	for _, n := range []int{4097, MaxBody + 1, MaxUpload, MaxUpload + 1} {
		for name, r := range map[string]struct {
			from   io.Reader
			length int64
		}{"known": {bytes.NewReader(all[:n]), int64(n)}, "unknown": {iotest.DataErrReader(bytes.NewReader(all[:n])), -1}} {
			b, err := in.ReadUpload(arriving(t.Context(), r.from, r.length), "account-1", func(text []byte) ports.WorkbookMemory {
				return ports.MemoryOfWorkbooks(int64(len(text)%2), 0, ports.MostUploadText)
			})
			if n > MaxUpload {
				require.ErrorIs(t, err, ErrUploadTooLarge, name)
				continue
			}
			require.NoError(t, err, "%s, %d", name, n)
			require.True(t, bytes.Equal(all[:n], b.Text), "%s, %d", name, n)
			b.Release()
		}
	}
	require.ErrorIs(t, in.uploads(t, "account-1", iotest.ErrReader(errors.New("reset by peer")), MaxUpload), ErrClientGone)
	requireFree(t, in)
}

// TestUploadsHaveMemoryOfTheirOwn holds that uploads beyond MaxBody and bodies of the API do
// not wait for each other, and that a smaller upload is like any body.
func TestUploadsHaveMemoryOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(MaxBody, 10*time.Second)
		large, huge := make([]byte, smallBody+1), int64(MaxBody+1)
		giveBack := full(t, in)
		require.NoError(t, in.uploads(t, "account-1", zeros{}, huge))
		require.ErrorIs(t, in.uploads(t, "account-1", zeros{}, smallBody+1), domain.ErrBusy)
		giveBack()

		n := in.budget.uploads.size
		require.True(t, in.budget.uploads.all.TryAcquire(n))
		require.NoError(t, in.takes(t, "account-1", large))
		began := time.Now()
		require.ErrorIs(t, in.uploads(t, "account-1", zeros{}, huge), domain.ErrBusy)
		require.Equal(t, 10*time.Second, time.Since(began))
		in.budget.uploads.all.Release(n)
		requireFree(t, in)
	})
}

// TestTwoUploadsAtOnce holds that two accounts can have one of the largest uploads each at
// once, and that a third one waits until one of them is done.
func TestTwoUploadsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newTestIntake(256<<20, 10*time.Second)
		var held []Arrival
		for _, account := range []string{"account-1", "account-2"} {
			b := only.Value(in.ReadUpload(arriving(t.Context(), zeros{}, MaxUpload), account, noWorkbooks))(t)
			held = append(held, b)
		}
		require.ErrorIs(t, in.uploads(t, "account-3", zeros{}, MaxUpload), domain.ErrBusy)
		held[0].Release()
		require.NoError(t, in.uploads(t, "account-3", zeros{}, MaxUpload))
		held[1].Release()
		requireFree(t, in)
	})
}

// TestLargerUploadsHaveMoreTime holds that an upload has as much more time as it is larger,
// but may not be slower than any body.
func TestLargerUploadsHaveMoreTime(t *testing.T) {
	send := func(t *testing.T, in *Intake, perSecond int) (time.Duration, error) {
		c := &client{ResponseRecorder: httptest.NewRecorder(), parts: []part{{time.Second, perSecond}}}
		began := time.Now()
		b, err := in.ReadUpload(arrivingOver(t.Context(), c, c, MaxUpload), "account-1", noWorkbooks)
		if err == nil {
			b.Release()
		}
		return time.Since(began), err
	}
	inBubble(t, "in twice the time of a body", func(t *testing.T) {
		require.InDelta(t, 128, only.Value(send(t, newTestIntake(MaxBody, time.Second), MaxUpload/128))(t).Seconds(), 2)
	})
	inBubble(t, "not in three times", func(t *testing.T) {
		took, err := send(t, newTestIntake(MaxBody, time.Second), MaxUpload/180)
		require.ErrorIs(t, err, ErrSlow)
		require.InDelta(t, 60*64/25.0, took.Seconds(), 1.1)
	})
}
