package terminal

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// Screen describes what a text is written to. The zero value is a file or a pipe.
type Screen struct {
	Width    int // columns; 0: lines may have any length
	Coloured bool
}

// The colours, as the terminal's own palette has them (SGR parameters).
const (
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Purple = "35"
	Cyan   = "36"
	Alarm  = "1;33" // of the word that begins a warning
)

// Paint returns a text in a colour, or as it is if the screen has no colours.
func (s Screen) Paint(colour, text string) string {
	if !s.Coloured || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// NewScreen finds out whether w is a terminal. By default a terminal that has colours gets
// them, unless NO_COLOR is set (https://no-color.org); --color takes precedence.
func NewScreen(w io.Writer, mode ColourMode) Screen {
	width, is := Width(w)
	s := Screen{Width: width}
	switch mode {
	case ColourAlways:
		s.Coloured = true
	case ColourAuto:
		kind := os.Getenv("TERM")
		s.Coloured = is && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb"
	}
	return s
}

// Width says whether w is a terminal, and how many columns it has; 0 if that is not
// known.
func Width(w io.Writer) (width int, is bool) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		return width, true
	}
	return 0, true
}

// ColourMode is the value of --color.
type ColourMode string

// The values of --color.
const (
	ColourAuto   ColourMode = "auto"
	ColourAlways ColourMode = "always"
	ColourNever  ColourMode = "never"
)

// Set reads a value.
func (c *ColourMode) Set(s string) error {
	switch mode := ColourMode(s); mode {
	case ColourAuto, ColourAlways, ColourNever:
		*c = mode
		return nil
	}
	return errors.New("must be auto, always or never")
}
