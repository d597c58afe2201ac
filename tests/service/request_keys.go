package service

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Keyed sends a body to a route under a request key, with the customer's API
// key. It may be called from any goroutine.
func (c *Customer) Keyed(t testing.TB, path, requestKey string, b Body) Answer {
	t.Helper()
	return c.KeyedText(t, path, requestKey, b.Text(t))
}

// KeyedText does so with the text of a body.
func (c *Customer) KeyedText(t testing.TB, path, requestKey string, text []byte) Answer {
	t.Helper()
	r := c.service.Request(t, http.MethodPost, path, bytes.NewReader(text), "Content-Type", "application/json", "Authorization", "Bearer "+c.Key)
	r.Header.Set("Idempotency-Key", requestKey) // it may be blank
	return c.service.Do(t, r)
}

// Repeats holds that an answer is that of a first one again.
func (a Answer) Repeats(t testing.TB, first Answer) {
	t.Helper()
	again := a.Run(t)
	require.NotNil(t, again.Duplicate)
	require.Equal(t, first.Header.Get("X-Run-Id"), *again.RunID)
	require.Empty(t, a.Header.Get("X-Run-Id"), "nothing was stored for it")
	require.Equal(t, first.Run(t).Results, again.Results)
	require.Equal(t, first.Run(t).Guidance, again.Guidance)
}

// Claims counts the request keys that are kept, of all accounts.
func (s *Service) Claims(t testing.TB) int {
	t.Helper()
	return len(s.Query(t, "SELECT holder FROM claims"))
}
