package httpapi

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
)

func TestOriginsOfScripts(t *testing.T) {
	const named, other = "https://tools.shop.example", "https://tools.shop.example.evil"
	plain := start(t, nil)
	got := plain.call(t, http.MethodGet, "/demo", "Origin", named)
	require.Empty(t, got.header.Get("Access-Control-Allow-Origin"), "off by default")
	require.Equal(t, http.StatusMethodNotAllowed, plain.call(t, http.MethodOptions, "/reconcile", "Origin", named, "Access-Control-Request-Method", "POST").status)

	s := start(t, func(s *Settings) { s.Origins = config.Origins{named} })
	asked := s.call(t, http.MethodOptions, "/reconcile", "Origin", named, "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization,content-type")
	require.Equal(t, http.StatusNoContent, asked.status)
	require.Equal(t, named, asked.header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, asked.header.Get("Access-Control-Allow-Headers"), "Authorization")
	require.Contains(t, asked.header.Get("Access-Control-Allow-Headers"), "X-Account", "a person may have several")
	require.Contains(t, asked.header.Get("Access-Control-Expose-Headers"), "X-Sandbox")
	require.Contains(t, asked.header.Get("Access-Control-Allow-Methods"), "POST, PUT, PATCH, DELETE")
	for path, status := range map[string]int{"/demo": 200, "/nowhere": 404, "/openapi.json": 200} {
		got := s.call(t, http.MethodGet, path, "Origin", named)
		require.Equal(t, status, got.status)
		require.Equal(t, named, got.header.Get("Access-Control-Allow-Origin"), "errors are for the script too")
		require.Empty(t, got.header.Get("Access-Control-Allow-Credentials"))
		require.Contains(t, got.header.Values("Vary"), "Origin")
	}
	for _, origin := range []string{other, "null", "", "http://tools.shop.example"} {
		got := s.call(t, http.MethodGet, "/demo", "Origin", origin)
		require.Equal(t, 200, got.status)
		require.Empty(t, got.header.Get("Access-Control-Allow-Origin"), origin)
		require.Contains(t, got.header.Values("Vary"), "Origin", "a cache must not give this answer to the named one")
		require.Equal(t, http.StatusMethodNotAllowed, s.call(t, http.MethodOptions, "/reconcile", "Origin", origin, "Access-Control-Request-Method", "POST").status)
	}
	for _, path := range []string{"/app", "/app/api/me"} {
		require.Empty(t, s.call(t, http.MethodGet, path, "Origin", named).header.Get("Access-Control-Allow-Origin"), "cookies count there")
	}
}
