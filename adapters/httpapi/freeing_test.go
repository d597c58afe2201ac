package httpapi

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// TestFilesThatWereReadAreForgotten holds that nothing of a request has its body any more once its
// files were read: what a client that reads slowly holds is what is charged for its answer.
func TestFilesThatWereReadAreForgotten(t *testing.T) {
	s := start(t, nil)
	var body weak.Pointer[byte]
	s.reconcile = func(_ context.Context, _ ports.Caller, r ports.Request) (*ports.FinishedRun, error) {
		body = weak.Make(&r.Storefront[0])
		r.Read()
		r.Made(&ports.FinishedRun{Memory: 10})
		return s.outcome(storedRun), nil
	}
	s.write = func(io.Writer, *ports.FinishedRun, bool) error {
		require.Eventually(t, func() bool { runtime.GC(); return body.Value() == nil }, time.Minute, time.Millisecond)
		return nil
	}
	const bytes = 3 << 20 // buffers of this size lie in no list of spares
	form, media := formOf(t, "orders", "Name\n"+strings.Repeat("#1\n", bytes/3), "report", "AWB No\n1")
	require.Equal(t, http.StatusOK, do(t, s.post(t, text(`{"shopify":"`+strings.Repeat("#1,", bytes/3)+`","courier":"AWB No"}`))).status)
	for path, header := range map[string][2]string{"/reconcile/files": {"X-Any", "1"}, "/app/api/reconcile": {"Cookie", "milaan=" + signedIn}} {
		r := s.postTo(t, path, text(form))
		r.Header.Set("Content-Type", media)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if r.Header.Set(header[0], header[1]); header[0] == "Cookie" {
			r.Header.Del("Authorization")
		}
		got := do(t, r)
		require.Equal(t, http.StatusOK, got.status, got.body)
	}
}
