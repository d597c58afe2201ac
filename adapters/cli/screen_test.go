package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// pseudoTerminal is a terminal of the given number of columns.
func pseudoTerminal(t *testing.T, columns uint16) *os.File {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Skipf("NOT TESTED: no pseudo terminal: %v", err)
	}
	t.Cleanup(func() { _, _ = theirs.Close(), ours.Close() })
	require.NoError(t, pty.Setsize(theirs, &pty.Winsize{Rows: 24, Cols: columns}))
	return theirs
}

func TestScreens(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	wide := pseudoTerminal(t, 132)
	for _, c := range []struct {
		name          string
		noColor, term string
		mode          colourMode
		onTerminal    screen
		coloured      bool // elsewhere
	}{
		{"a terminal", "", "xterm-256color", colourAuto, screen{132, true}, false},
		{"NO_COLOR", "1", "xterm", colourAuto, screen{132, false}, false},
		{"NO_COLOR with any value", "0", "xterm", colourAuto, screen{132, false}, false},
		{"a dumb terminal", "", "dumb", colourAuto, screen{132, false}, false},
		{"a terminal that says nothing", "", "", colourAuto, screen{132, false}, false},
		{"never", "", "xterm", colourNever, screen{132, false}, false},
		{"always", "1", "dumb", colourAlways, screen{132, true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("TERM", c.term)
			require.Equal(t, c.onTerminal, newScreen(wide, c.mode))
			require.Equal(t, screen{0, c.coloured}, newScreen(file, c.mode))
			require.Equal(t, screen{0, c.coloured}, newScreen(new(bytes.Buffer), c.mode))
		})
	}
	require.Equal(t, screen{}, newScreen(pseudoTerminal(t, 0), colourNever), "one that does not know its width")
}

func TestEveryFlagHasAColour(t *testing.T) {
	require.Len(t, flagColours, len(domain.Flags()))
	for _, f := range domain.Flags() {
		require.NotEmpty(t, flagColours[f.String()], f)
		if f != domain.Overpaid {
			require.NotEqual(t, flagColours[f.String()], flagColours[domain.Overpaid.String()], "%v: money too much is like no lack of it", f)
		}
	}
}

// TestColours holds what is coloured: flags in both tables, and nothing else but
// the word of a warning. Without the colours the text is the same.
func TestColours(t *testing.T) {
	p := &previews{build: someOrders}
	plain := p.reconcile(t).stdout
	coloured := p.reconcile(t, "--color", "always").stdout
	require.Contains(t, coloured, "\n\x1b[31mMISSING\x1b[0m     1 ")
	require.Contains(t, coloured, "\n\x1b[31mMISSING\x1b[0m     #1003 ")
	require.Contains(t, coloured, "\n\x1b[32mRECONCILED\x1b[0m  #1001 ")
	require.Equal(t, plain, regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured, ""))
	require.Equal(t, 2*(4+4+len(p.told)), strings.Count(coloured, "\x1b"))
	require.Equal(t, plain, p.reconcile(t, "--color=never").stdout)

	got := p.reconcile(t, "--color", "maybe")
	require.Equal(t, ExitUsage, got.code)
	require.Contains(t, got.stderr, `milaan: --color is "maybe": must be auto, always or never`)
}
