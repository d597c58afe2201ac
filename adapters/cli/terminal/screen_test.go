package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
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
		mode          ColourMode
		onTerminal    Screen
		coloured      bool // elsewhere
	}{
		{"a terminal", "", "xterm-256color", ColourAuto, Screen{132, true}, false},
		{"NO_COLOR", "1", "xterm", ColourAuto, Screen{132, false}, false},
		{"NO_COLOR with any value", "0", "xterm", ColourAuto, Screen{132, false}, false},
		{"a dumb terminal", "", "dumb", ColourAuto, Screen{132, false}, false},
		{"a terminal that says nothing", "", "", ColourAuto, Screen{132, false}, false},
		{"never", "", "xterm", ColourNever, Screen{132, false}, false},
		{"always", "1", "dumb", ColourAlways, Screen{132, true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("TERM", c.term)
			require.Equal(t, c.onTerminal, NewScreen(wide, c.mode))
			require.Equal(t, Screen{0, c.coloured}, NewScreen(file, c.mode))
			require.Equal(t, Screen{0, c.coloured}, NewScreen(new(bytes.Buffer), c.mode))
		})
	}
	require.Equal(t, Screen{}, NewScreen(pseudoTerminal(t, 0), ColourNever), "one that does not know its width")
}
