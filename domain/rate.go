package domain

import "time"

// Rate is a limit on requests: at most Limit in any Span; a breach blocks for
// Block.
type Rate struct {
	Limit int
	Span  time.Duration
	Block time.Duration // 0: a breach blocks only until the oldest request stops counting
}

// The contract's rates (section 8).
var (
	KeyRate  = Rate{Limit: 10, Span: time.Minute, Block: 5 * time.Minute}
	DemoRate = Rate{Limit: 20, Span: time.Minute, Block: time.Minute}
	// PollRate is that of GET /status, per key and beside the key's own rate.
	PollRate = Rate{Limit: 60, Span: time.Minute}
)

// Window is what a limit remembers of one key or client: when the requests of
// the last Span were let in, oldest first, and until when it is blocked.
type Window struct {
	Admitted     []time.Time
	BlockedUntil time.Time
}

// Admit decides on a request at now. It returns the window to remember and how
// long the caller must wait, 0 if the request is let in. A request stops
// counting exactly Span after it. While a block lasts nothing is counted, so
// changed is false and the window need not be stored.
func (r Rate) Admit(w Window, now time.Time) (next Window, wait time.Duration, changed bool) {
	if left := w.BlockedUntil.Sub(now); left > 0 {
		return w, left, false
	}
	live := w.Admitted
	for len(live) > 0 && now.Sub(live[0]) >= r.Span {
		live = live[1:]
	}
	if len(live) >= r.Limit && r.Block == 0 {
		return w, live[0].Add(r.Span).Sub(now), false
	}
	if len(live) >= r.Limit {
		return Window{Admitted: live, BlockedUntil: now.Add(r.Block)}, r.Block, true
	}
	kept := make([]time.Time, 0, len(live)+1)
	return Window{Admitted: append(append(kept, live...), now)}, 0, true
}
