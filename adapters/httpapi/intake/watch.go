package intake

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// A body has a buffer for its whole length before all of it has arrived. If it then hardly
// arrives while others wait for memory, it is ended, unless it fills giveWayPart of its
// buffer already. A body that is only slower than at first goes on.
const (
	watchPause  = 500 * time.Millisecond // between two looks
	giveWayPart = 4                      // a quarter
	// A body hardly arrives if less than this part of its buffer arrives in watchPause:
	// at that rate the whole body would take more than three minutes. For a small buffer,
	// what arrives at the slowest rate takes the place of that part.
	hardlyPart = 400
)

// watch watches one such body. The methods of a nil watch do nothing.
type watch struct {
	of      []*gate // the gates at which others wait for its memory
	control *http.ResponseController
	enough  int // bytes from which on the body stays
	hardly  int // bytes between two looks: with fewer, the body hardly arrives
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

// look ends the body if it must give way, by a read deadline in the past.
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

// moved notes how many bytes of the body have arrived. It returns whether the body was
// ended.
func (w *watch) moved(arrived int) (gaveWay bool) {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrived = arrived
	return w.gaveWay
}

// end ends the watch, which then changes no deadline any more. It may be called again.
func (w *watch) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.timer.Stop()
}
