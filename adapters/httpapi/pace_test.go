package httpapi

import (
	"context"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

// slowReader is the connection of an answer: it takes it at a rate, and
// keeps to its deadline.
type slowReader struct {
	*httptest.ResponseRecorder
	rate     int // bytes a second; 0: all at once
	deadline time.Time
}

func (w *slowReader) SetWriteDeadline(at time.Time) error {
	w.deadline = at
	return nil
}

func (w *slowReader) Write(p []byte) (int, error) {
	if w.rate > 0 {
		took := time.Duration(len(p)) * time.Second / time.Duration(w.rate)
		if left := time.Until(w.deadline); took > left {
			time.Sleep(left)
			return 0, context.DeadlineExceeded
		}
		time.Sleep(took)
	}
	return len(p), nil
}

func TestAnswersHaveASlowestRate(t *testing.T) {
	for name, c := range map[string]struct {
		size, rate int
		ends       time.Duration // of one that is cut off; 0: all is taken
	}{
		"at once":                   {11 << 20, 0, 0},
		"a byte a second":           {11 << 20, 1, 8 * time.Second},
		"a byte a second, a little": {100, 1, 5 * time.Second},
		"a little too slow":         {11 << 20, 31 << 10, 8 * time.Second},
		"just fast enough":          {1 << 20, 32 << 10, 0},
		"too long for all of it":    {11 << 20, 33 << 10, time.Minute},
		"in a minute":               {11 << 20, 200 << 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := &slowReader{ResponseRecorder: httptest.NewRecorder(), rate: c.rate}
				served, _ := gin.CreateTestContext(client)
				w, began := newPacedWriter(served.Writer, time.Minute), time.Now()
				n, err := w.Write(make([]byte, c.size))
				if c.ends == 0 {
					require.NoError(t, err)
					require.Equal(t, c.size, n)
					return
				}
				require.Error(t, err)
				require.Equal(t, c.ends, time.Since(began))
			})
		})
	}
}
