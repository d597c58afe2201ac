package intake

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// A body has the buffer for all of it before it has arrived. If it then hardly
// comes, and others wait for memory, it gives way to them, while it fills less
// than a part of its buffer. A client whose connection is merely slower than at
// first keeps it.
const (
	watchPause  = 500 * time.Millisecond // between two looks
	giveWayPart = 4                      // a quarter
	// A body hardly comes if less arrives in that time than this part of its
	// buffer: at that rate all of it would take three minutes and more. At least
	// it is what comes at the slowest rate.
	hardlyPart = 400
)

// watch is over one such body. A nil one is none: its methods do nothing.
type watch struct {
	of      []*gate // where others wait for its memory
	control *http.ResponseController
	enough  int // bytes from which on the body stays
	hardly  int // bytes between two looks
	timer   *time.Timer

	mu      sync.Mutex
	over    bool
	arrived int
	before  int // arrived, at the last look
	gaveWay bool
}

// watchOver watches a body for which a buffer of size bytes is reserved.
func watchOver(h *holding, control *http.ResponseController, size, arrived int) *watch {
	w := &watch{of: h.share.body[:], control: control, enough: size / giveWayPart, arrived: arrived, before: arrived,
		hardly: max(size/hardlyPart, int(slowestRate*watchPause/time.Second))}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(watchPause, w.look)
	return w
}

// look ends the body, by a deadline that has passed, if it is time to.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || w.arrived >= w.enough {
		return
	}
	wanted := slices.ContainsFunc(w.of, func(g *gate) bool { return g.waiting.Load() > 0 })
	if wanted && w.arrived-w.before < w.hardly {
		w.gaveWay = true
		_ = w.control.SetReadDeadline(time.Unix(1, 0))
	}
	w.before = w.arrived
	w.timer.Reset(watchPause)
}

// moved says how much of the body has arrived, and is told whether it gave way.
func (w *watch) moved(arrived int) (gaveWay bool) {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrived = arrived
	return w.gaveWay
}

// end ends the watch, after which the connection's deadline stays as it is. It
// may be called again.
func (w *watch) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.timer.Stop()
}
