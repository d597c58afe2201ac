package answer

import (
	"errors"
	"slices"

	"milaan/ports"
)

// ahead is an answer that another goroutine makes while its run is stored: most of that is waiting for the disk.
type ahead struct {
	*stream
	made     chan struct{} // closed once the goroutine has ended
	err      error
	panicked any
}

// Begin begins no long answer: one that does not fit a buffer is made again when its run is stored.
func (w *Writer) Begin(o *ports.FinishedRun, early func(answer []byte)) {
	if o.Memory > 2*chunk || !w.takeHelper() {
		return
	}
	a, run := &ahead{stream: w.begin(full{}), made: make(chan struct{})}, *o
	o.Begun = a
	go func() {
		defer close(a.made)
		defer w.helpers.Add(-1)
		defer func() { a.panicked = placed(recover()) }()
		if a.err = a.answer(&run, false); a.err == nil {
			early(a.b)
		}
	}()
}

// Drop waits until nobody reads the run any more.
func (a *ahead) Drop() {
	<-a.made
	a.writer.keep(a.b)
}

// ends waits for the answer, and adds to it if the run was found to be a duplicate. It returns false if the answer must be made
// again, and panics if making it has panicked.
func (a *ahead) ends(o *ports.FinishedRun) bool {
	<-a.made
	if a.panicked != nil {
		panic(a.panicked)
	}
	if a.err == nil && o.Duplicate {
		rest := slices.Clone(a.b[a.repeated:])
		a.b = a.b[:a.repeated]
		a.repeats(o)
		a.b = append(a.b, rest...)
	}
	return a.err == nil
}

// full takes nothing: an answer that is longer than a buffer must wait until its run is stored.
type full struct{}

var errFull = errors.New("the buffer is full")

func (full) Write([]byte) (int, error) { return 0, errFull }
