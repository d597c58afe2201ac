package cli

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"

	"milaan/domain"
)

// screen is what a text is written for. The zero value is a file or a pipe.
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

// severity is the colour of each flag: red for money to be claimed, yellow for
// what is to be looked into, purple for money too much, green and blue for what
// may rest.
var severity = map[string]string{
	domain.Missing.String(): red, domain.ShortPaid.String(): red, domain.RTOAnomaly.String(): red,
	domain.Overdue.String(): yellow, domain.Overpaid.String(): purple,
	domain.MinorDiff.String(): cyan, domain.AwaitingNextCycle.String(): cyan, domain.Reconciled.String(): green,
}

// painted is a text in a colour, or as it is where there are none.
func (s screen) painted(colour, text string) string {
	if !s.coloured || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// screenOf finds out what w is. Colours are for terminals that have them, unless
// the user does without (https://no-color.org); the wish of the command line goes
// first.
func screenOf(w io.Writer, wish colourWish) screen {
	width, is := terminal(w)
	s := screen{width: width}
	switch wish {
	case colourAlways:
		s.coloured = true
	case colourAuto:
		kind := os.Getenv("TERM")
		s.coloured = is && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb"
	}
	return s
}

// terminal says whether w is a terminal, and how many columns it has; 0 if it
// does not know.
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

// colourWish is what --color says.
type colourWish string

const (
	colourAuto   colourWish = "auto"
	colourAlways colourWish = "always"
	colourNever  colourWish = "never"
)

func (c *colourWish) String() string { return string(*c) }

func (c *colourWish) Set(s string) error {
	switch wish := colourWish(s); wish {
	case colourAuto, colourAlways, colourNever:
		*c = wish
		return nil
	}
	return errors.New("must be auto, always or never")
}

func (c *colourWish) Type() string { return "WHEN" }
