package browser_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
)

// refused is a test that may fail, and says with what.
type refused struct {
	testing.TB
	said string
}

func (r *refused) Errorf(_ string, args ...any) { r.said, _ = args[0].(string) }
func (r *refused) FailNow()                     { runtime.Goexit() }

// TestAClickThatLandsElsewhereFails has a button below something that nobody sees.
func TestAClickThatLandsElsewhereFails(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><h1>A page</h1><button>Pay out</button><div style="position:fixed;inset:0">`))
	}))
	t.Cleanup(page.Close)
	tab, r, done := browser.Open(t, page.URL), &refused{TB: t}, make(chan struct{})
	tab.Go("/")
	back := tab.Lend(r)
	go func() {
		defer close(done)
		tab.Click("Pay out")
	}()
	<-done
	back()
	require.Contains(t, r.said, "Pay out")
}
