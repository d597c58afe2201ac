package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/cli"
)

func TestWrite(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1769817600")
	folder := t.TempDir()
	require.NoError(t, write(cli.New(cli.Deps{}), folder))
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		return string(text)
	}
	page := read("man/milaan-webhook-set.1")
	require.Contains(t, page, `.TH "MILAAN-WEBHOOK-SET" "1" "Jan 2026" "Milaan" "Milaan"`)
	require.Contains(t, page, "--email")
	require.Contains(t, read("man/milaan.1"), "milaan-reconcile(1)")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		require.Contains(t, read("completions/milaan."+shell), "milaan")
	}
}
