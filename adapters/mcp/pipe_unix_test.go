//go:build unix

package mcp

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// pipe makes a pipe that nobody writes into.
func pipe(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, syscall.Mkfifo(path, 0o644))
}
