package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progressEvery is the time after which a progress line appears, and between its updates.
const progressEvery = time.Second

// progress is a line on a terminal that says what a command is doing. It is removed when
// the command is done, and never appears for a command that takes less than a second.
type progress struct {
	out   io.Writer
	width int // of the terminal; 0: not known

	mu    sync.Mutex
	at    string // what the command is doing
	shown int    // how many columns the line takes now

	stop, stopped chan struct{}
	once          sync.Once
}

// startProgress shows a line on out if that is a terminal. The caller must call end.
func startProgress(out io.Writer, at string) *progress {
	width, is := terminal(out)
	if !is {
		return &progress{}
	}
	return showProgress(out, width, at)
}

func showProgress(out io.Writer, width int, at string) *progress {
	p := &progress{out: out, width: width, at: at, stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.run()
	return p
}

func (p *progress) run() {
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

// now says what the command is doing from now on.
func (p *progress) now(at string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = at
}

// end removes the line. It may be called again.
func (p *progress) end() {
	if p.out == nil {
		return
	}
	p.once.Do(func() { close(p.stop) })
	<-p.stopped
}

func (p *progress) draw(took time.Duration) {
	p.mu.Lock()
	at := p.at
	p.mu.Unlock()
	p.replace(fmt.Sprintf("%s: %d s", at, int(took.Round(time.Second)/time.Second)))
}

// replace overwrites the line. The text is cut to the terminal's width, because what
// continues on the next line could not be removed.
func (p *progress) replace(text string) {
	line := []byte(text)
	if p.width > 0 && columns(line) >= p.width {
		line, _ = cutLine(line, p.width-1)
	}
	was := p.shown
	if p.shown = columns(line); p.shown == 0 && was == 0 {
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
