package cli

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMCP(t *testing.T) {
	var named []string
	deps := Deps{Assist: func(_ context.Context, folders []string, _ io.Reader, out io.Writer) error {
		named = folders
		_, err := io.WriteString(out, "answered")
		return err
	}}
	got := run(deps, "mcp", "--folder", "a", "--folder", "b,c")
	require.Equal(t, ExitDone, got.code)
	require.Equal(t, "answered", got.stdout)
	require.Equal(t, []string{"a", "b,c"}, named)
	named = nil
	for _, args := range [][]string{{"mcp"}, {"mcp", "a"}} {
		got = run(deps, args...)
		require.Equal(t, ExitUsage, got.code)
		require.Empty(t, got.stdout)
	}
	require.Nil(t, named)
}
