package terminal

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// watched is an output that is read while a progress writes to it.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func TestProgressIsShownAfterASecondAndTakenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out watched
		p := showProgress(&out, 80, "Reading orders.csv")
		time.Sleep(progressEvery - 1)
		synctest.Wait()
		require.Empty(t, out.String(), "most are done by then")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, "Reading orders.csv: 1 s", out.String())
		p.Now("Comparing")
		time.Sleep(progressEvery)
		synctest.Wait()
		const shown = "Reading orders.csv: 1 s\r                       \rComparing: 2 s"
		require.Equal(t, shown, out.String())
		p.End()
		require.Equal(t, shown+"\r              \r", out.String())
		p.End()
		time.Sleep(5 * progressEvery)
		require.Equal(t, shown+"\r              \r", out.String())
	})
}

func TestProgressOfShortWorkIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := showProgress(&out, 80, "Reading")
		time.Sleep(progressEvery / 2)
		p.End()
		require.Empty(t, out.String())
	})
}

// TestProgressFitsTheScreen keeps it off the next line, from which it could not be
// taken.
func TestProgressFitsTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := showProgress(&out, 10, "Comparing "+strings.Repeat("x", 50))
		time.Sleep(progressEvery)
		synctest.Wait()
		p.End()
		require.Equal(t, "Comparing\r         \r", out.String())
	})
}

// TestProgressIsForTerminals asks the real thing with a buffer.
func TestProgressIsForTerminals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := StartProgress(&out, "Reading")
		time.Sleep(3 * progressEvery)
		p.Now("Comparing")
		p.End()
		require.Empty(t, out.String())
	})
}
