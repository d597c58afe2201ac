package cli

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"

	"milaan/domain"
)

// screen describes what a text is written to. The zero value is a file or a pipe.
type screen struct {
	width    int // columns; 0: lines may have any length
	coloured bool
}

// The colours, as the terminal's own palette has them (SGR parameters).
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	purple = "35"
	cyan   = "36"
	alarm  = "1;33" // of the word that begins a warning
)

// flagColours has the colour of each flag: red for money to claim, yellow for orders to
// look into, purple for money paid too much, green and cyan where nothing is to be done.
var flagColours = map[string]string{
	domain.Missing.String(): red, domain.ShortPaid.String(): red, domain.RTOAnomaly.String(): red,
	domain.Overdue.String(): yellow, domain.Overpaid.String(): purple,
	domain.MinorDiff.String(): cyan, domain.AwaitingNextCycle.String(): cyan, domain.Reconciled.String(): green,
}

// paint returns a text in a colour, or as it is if the screen has no colours.
func (s screen) paint(colour, text string) string {
	if !s.coloured || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// newScreen finds out whether w is a terminal. By default a terminal that has colours gets
// them, unless NO_COLOR is set (https://no-color.org); --color takes precedence.
func newScreen(w io.Writer, mode colourMode) screen {
	width, is := terminal(w)
	s := screen{width: width}
	switch mode {
	case colourAlways:
		s.coloured = true
	case colourAuto:
		kind := os.Getenv("TERM")
		s.coloured = is && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb"
	}
	return s
}

// terminal says whether w is a terminal, and how many columns it has; 0 if that is not
// known.
func terminal(w io.Writer) (width int, is bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		return width, true
	}
	return 0, true
}

// colourMode is the value of --color.
type colourMode string

const (
	colourAuto   colourMode = "auto"
	colourAlways colourMode = "always"
	colourNever  colourMode = "never"
)

func (c *colourMode) String() string { return string(*c) }

func (c *colourMode) Set(s string) error {
	switch mode := colourMode(s); mode {
	case colourAuto, colourAlways, colourNever:
		*c = mode
		return nil
	}
	return errors.New("must be auto, always or never")
}

func (c *colourMode) Type() string { return "WHEN" }
