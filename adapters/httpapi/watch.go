package httpapi

import (
	"net/http"
	"sync"
	"time"
)

// A body that began fast has the buffer for all of it before it has arrived. If
// it then hardly comes, and others wait for memory of its lane, it gives way to
// them, while it fills less than a part of its buffer. A client whose connection
// is merely slower than at first keeps it.
const (
	watchPause  = 500 * time.Millisecond // between two looks
	hardlyComes = 64 << 10               // bytes in that time
	giveWayPart = 4                      // a quarter
)

// watch is over one such body. A nil one is none: its methods do nothing.
type watch struct {
	lane    *lane
	control *http.ResponseController
	enough  int // bytes from which on the body stays
	timer   *time.Timer

	mu      sync.Mutex
	over    bool
	arrived int
	before  int // arrived, at the last look
	gaveWay bool
}

func watchOver(l *lane, control *http.ResponseController, enough, arrived int) *watch {
	w := &watch{lane: l, control: control, enough: enough, arrived: arrived, before: arrived}
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
	if w.arrived-w.before < hardlyComes && w.lane.waiting.Load() > 0 {
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
