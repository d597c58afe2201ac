package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// progressEvery is the time after which a progress line appears, and between its updates.
const progressEvery = time.Second

// Progress is a line on a terminal that says what a command is doing. It is removed when
// the command is done, and never appears for a command that takes less than a second.
type Progress struct {
	at  atomic.Value // a string: what the command is doing
	end func()
}

// StartProgress shows a line on out if that is a terminal. The caller must call End.
func StartProgress(out io.Writer, at string) *Progress {
	if width, is := Width(out); is {
		return showProgress(out, width, at)
	}
	return &Progress{end: func() {}}
}

func showProgress(out io.Writer, width int, at string) *Progress {
	p, stop := &Progress{}, make(chan struct{})
	p.Now(at)
	var showing sync.WaitGroup
	showing.Go(func() { p.show(out, width, stop) })
	p.end = sync.OnceFunc(func() {
		close(stop)
		showing.Wait()
	})
	return p
}

// show does not tell errors of writing: the line is only for people who watch. It is taken off by blanks over it, because
// consoles of Windows show sequences of terminals as they are.
func (p *Progress) show(out io.Writer, width int, stop <-chan struct{}) {
	takenOff := ""
	for seconds := 1; ; seconds++ {
		select {
		case <-time.After(progressEvery):
			line := fmt.Appendf(nil, "%s: %d s", p.at.Load(), seconds)
			if width > 0 { // what continues on the next line could not be taken off
				line, _ = CutLine(line, width-1)
			}
			_, _ = fmt.Fprintf(out, "%s%s", takenOff, line)
			takenOff = "\r" + strings.Repeat(" ", Columns(line)) + "\r"
		case <-stop:
			if takenOff != "" {
				_, _ = io.WriteString(out, takenOff)
			}
			return
		}
	}
}

// Now says what the command is doing from now on.
func (p *Progress) Now(at string) { p.at.Store(at) }

// End removes the line. It may be called again.
func (p *Progress) End() { p.end() }
