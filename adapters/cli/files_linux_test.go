package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestPartsOfFilesAreGivenBack: what is given back of a mapped file is read from the file once more. Other memory is left alone.
func TestPartsOfFilesAreGivenBack(t *testing.T) {
	page := os.Getpagesize()
	path, want := filepath.Join(t.TempDir(), "orders.csv"), bytes.Repeat([]byte("a"), 8*page)
	require.NoError(t, os.WriteFile(path, want, 0o600))
	text, mapped, err := openFile(&cobra.Command{}, path)
	require.NoError(t, err)
	require.True(t, mapped)
	altered := bytes.Repeat([]byte("b"), len(text))
	copy(text, altered)
	passed := givingBack([][]byte{make([]byte, 100), text})
	for _, part := range [][]byte{nil, altered, text[:0], text[8*page:], text[:page-1], text[2*page+1:][: page : 2*page]} {
		passed(part)
	}
	require.Equal(t, altered, text)
	passed(text[page+1 : 6*page+1])
	require.Equal(t, altered[:2*page], text[:2*page])
	require.Equal(t, want[:4*page], text[2*page:6*page])
	require.Equal(t, altered[:2*page], text[6*page:])
	require.Equal(t, bytes.Repeat([]byte("b"), 8*page), altered)
}
