package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progressEvery is the time after which a progress line appears, and between its updates.
const progressEvery = time.Second

// Progress is a line on a terminal that says what a command is doing. It is removed when
// the command is done, and never appears for a command that takes less than a second.
type Progress struct {
	out   io.Writer
	width int // of the terminal; 0: not known

	mu    sync.Mutex
	at    string // what the command is doing
	shown int    // how many columns the line takes now

	stop, stopped chan struct{}
	once          sync.Once
}

// StartProgress shows a line on out if that is a terminal. The caller must call End.
func StartProgress(out io.Writer, at string) *Progress {
	width, is := Width(out)
	if !is {
		return &Progress{}
	}
	return showProgress(out, width, at)
}

func showProgress(out io.Writer, width int, at string) *Progress {
	p := &Progress{out: out, width: width, at: at, stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.run()
	return p
}

func (p *Progress) run() {
	defer close(p.stopped)
	began, ticker := time.Now(), time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.draw(time.Since(began))
		case <-p.stop:
			p.replace("")
			return
		}
	}
}

// Now says what the command is doing from now on.
func (p *Progress) Now(at string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = at
}

// End removes the line. It may be called again.
func (p *Progress) End() {
	if p.out == nil {
		return
	}
	p.once.Do(func() { close(p.stop) })
	<-p.stopped
}

func (p *Progress) draw(took time.Duration) {
	p.mu.Lock()
	at := p.at
	p.mu.Unlock()
	p.replace(fmt.Sprintf("%s: %d s", at, int(took.Round(time.Second)/time.Second)))
}

// replace overwrites the line. The text is cut to the terminal's width, because what
// continues on the next line could not be removed.
func (p *Progress) replace(text string) {
	line := []byte(text)
	if p.width > 0 && Columns(line) >= p.width {
		line, _ = CutLine(line, p.width-1)
	}
	was := p.shown
	if p.shown = Columns(line); p.shown == 0 && was == 0 {
		return
	}
	after := max(was-p.shown, 0)
	end := ""
	if p.shown == 0 {
		end = "\r"
	}
	// The line is only for people who watch: an error of writing it is of no interest.
	_, _ = fmt.Fprintf(p.out, "\r%s%s%s", line, strings.Repeat(" ", after), end)
}
