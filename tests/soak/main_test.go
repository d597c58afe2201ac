package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTestsThatDoMoreAreFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"stage.go": `package p
func Stage() int { return size }
var size = len(os.Getenv(VARIABLE))
type load struct{ narrow int }
func (l load) run() { Stage() }`,
		"stage_test.go": `package p_test
func TestMain(m *testing.M) { p.Stage() }
func TestDirect(t *testing.T) { os.Getenv(VARIABLE) }
func TestByExported(t *testing.T) { p.Stage() }
func TestByMethod(t *testing.T) { load{}.run() }
func TestByRounds(t *testing.T) { first() }
func TestByTable(t *testing.T) { table[0]() }
func TestByAdded(t *testing.T) { for range cases { } }
func TestPlain(t *testing.T) { for _ = range others { t.Run("plain", nil) }; plain() }
func TestSame(t *testing.T) { narrow() }
var table = []func(){first}
var _ = cases.add(first)
var _ = others.add(plain)
var _ any = first
func first() { second() }
func second() { first(); p.Stage() }
func plain() {}
// narrow is the same for all.
//
//soak:same
func narrow() { os.Getenv(VARIABLE) }`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(text, "VARIABLE", `"`+variable+`"`)), 0o600))
	}
	tests, err := longer(folder)
	require.NoError(t, err)
	require.Equal(t, []string{"TestByAdded", "TestByExported", "TestByMethod", "TestByRounds", "TestByTable", "TestDirect"}, tests)
	require.Equal(t, tests, ofDay(tests, -1))
	require.Equal(t, []string{"TestByAdded", "TestByMethod", "TestByTable"}, ofDay(tests, 332))
	require.Equal(t, []string{"TestByExported", "TestByRounds", "TestDirect"}, ofDay(tests, 333))
}
