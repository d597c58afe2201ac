package answer

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"milaan/domain/verdict"
	"milaan/ports"
)

// Two goroutines make the results of a long answer, in turns of so many: while one makes its turn,
// the other makes the next one. For fewer than worthAnotherCore, waking another core takes longer
// than it saves.
const (
	turn             = 1024
	worthAnotherCore = 4 * turn
)

// takeHelper says whether there are fewer helpers than cores beside the first. The caller gives it back.
func (w *Writer) takeHelper() bool {
	if int(w.helpers.Add(1)) < runtime.GOMAXPROCS(0) {
		return true
	}
	w.helpers.Add(-1)
	return false
}

// part is results that a helper has made, up to a given one. panicked is what it has panicked with.
type part struct {
	b        []byte
	to       int
	panicked any
}

// placed is a panic of a goroutine with its stack, for one that panics in its place.
func placed(p any) any {
	if p != nil {
		p = fmt.Errorf("%v\n%s", p, debug.Stack())
	}
	return p
}

// inTurns appends all results, of which a helper makes every other turn. The helper is two buffers
// ahead at most, and leaves the rest of a turn that does not fit its buffer.
func (s *stream) inTurns(o *ports.FinishedRun) error {
	made, free := make(chan part, 1), make(chan []byte, 2)
	for range cap(free) {
		free <- *s.writer.buffers.Get().(*[]byte)
	}
	helper := stream{words: s.words}
	go helper.help(o.Another(), made, free)
	defer func() {
		close(free)
		for p := range made {
			s.writer.keep(p.b)
		}
		for b := range free {
			s.writer.keep(b)
		}
	}()
	for from := 0; from < o.Len(); from += turn {
		at, to := from, min(from+turn, o.Len())
		if from/turn%2 == 1 {
			p := <-made
			if p.panicked != nil {
				panic(p.panicked)
			}
			if err := s.through(p.b); err != nil {
				s.writer.keep(p.b)
				return err
			}
			free <- p.b
			at = p.to
		}
		for at < to {
			at = s.resultsUpTo(o.Reconciliation, at, to)
			if err := s.flushIfLong(); err != nil {
				return err
			}
		}
	}
	return nil
}

// help makes every other turn, until there is no free buffer any more.
func (s *stream) help(r *verdict.Reconciliation, made chan<- part, free <-chan []byte) {
	defer close(made)
	defer func() {
		if p := placed(recover()); p != nil {
			made <- part{panicked: p}
		}
	}()
	for from := turn; from < r.Len(); from += 2 * turn {
		b, more := <-free
		if !more {
			return
		}
		s.b = b[:0]
		to := s.resultsUpTo(r, from, min(from+turn, r.Len()))
		made <- part{b: s.b, to: to}
	}
}

// resultsUpTo appends results with the contract's fields until there are enough bytes to be
// written. It returns the one at which to go on.
func (s *stream) resultsUpTo(r *verdict.Reconciliation, from, to int) int {
	for i := from; i < to; i++ {
		if len(s.b) >= chunk {
			return i
		}
		if i > 0 {
			s.b = append(s.b, ',')
		}
		f := r.Result(i)
		s.result(r, i, &f)
		s.b = append(s.b, '}')
	}
	return to
}
