package domain

import (
	"slices"
	"time"
)

// Rate is a limit on requests: at most Limit in any Span. A request over the limit
// blocks all further ones for Block.
type Rate struct {
	Limit int
	Span  time.Duration
	Block time.Duration // 0: requests are blocked only until the oldest one stops counting
}

// The rates (guide: limits 3).
var (
	// KeyRate is the rate of a key. An account has one key at a time, and the window
	// is stored with the account: a new key continues it, and a block too.
	KeyRate = Rate{Limit: 10, Span: time.Minute, Block: 5 * time.Minute}
	// SandboxRate is the rate of a sandbox key. Its window is another one than that of the
	// account's live keys.
	SandboxRate = KeyRate
	DemoRate    = Rate{Limit: 20, Span: time.Minute, Block: time.Minute}
	// PollRate is the rate of GET /status. It is stored like KeyRate, in a window of
	// its own.
	PollRate = Rate{Limit: 60, Span: time.Minute}
	// UploadRate is the rate of the runs and documents that an account makes in the
	// dashboard, together. A person makes a few a minute; it keeps a broken page or a
	// script from slowing all others down. InspectionRate is that of inspections,
	// of which a page makes one whenever a file or a mapping is changed.
	UploadRate     = Rate{Limit: 30, Span: time.Minute}
	InspectionRate = Rate{Limit: 120, Span: time.Minute}
	// IssueRate is the rate of POST /generate-api-key, per account.
	IssueRate = Rate{Limit: 5, Span: time.Minute}
	// ChangeRate is the rate of the changes that an account's people make in the dashboard,
	// of its webhook, its key and all else. Tests of its webhook are among them: each makes
	// the service call the endpoint.
	ChangeRate = Rate{Limit: 30, Span: time.Minute}
	// RefreshRate is how often the billing provider is asked because an account's people look
	// at their subscription.
	RefreshRate = Rate{Limit: 1, Span: 30 * time.Second}
	// SubscribeRate is the rate of the subscriptions that are made at the billing provider for an
	// account: there, each stays for good. SubscribeTryRate is that of the attempts, which the
	// provider may refuse.
	SubscribeRate    = Rate{Limit: 10, Span: time.Hour}
	SubscribeTryRate = Rate{Limit: 10, Span: 10 * time.Minute}
	// ExportRate is the rate at which an account may be exported.
	ExportRate = Rate{Limit: 10, Span: time.Hour}
	// SignInRate is the rate of attempts to sign in, per client.
	SignInRate = Rate{Limit: 20, Span: time.Minute, Block: time.Minute}
	// SignUpRate is the rate of accounts that people make for themselves, per client. Some
	// people of one office sign up on the same day; a script would make thousands.
	SignUpRate = Rate{Limit: 5, Span: time.Hour}
	// AllSignUpsRate is that of all clients together. It bounds what a provider that
	// identifies anybody lets in.
	AllSignUpsRate = Rate{Limit: 1000, Span: 24 * time.Hour}
)

// ClockSkew is how far the clocks of two instances may differ; up to this, a
// request that one instance counts is counted by the other too.
const ClockSkew = 5 * time.Second

// RateWindow is what the service remembers of one account or client for a rate: when
// the requests of the last Span were admitted, oldest first, and until when the
// account or client is blocked. A rate without Block ignores a BlockedUntil that is over.
type RateWindow struct {
	Admitted     []time.Time
	BlockedUntil time.Time
}

// With combines two windows of the same client. A request that both remember counts
// once.
func (w RateWindow) With(other RateWindow) RateWindow {
	if len(other.Admitted) > 0 {
		w.Admitted = mergeMoments(w.Admitted, other.Admitted)
	}
	if other.BlockedUntil.After(w.BlockedUntil) {
		w.BlockedUntil = other.BlockedUntil
	}
	return w
}

// mergeMoments merges two lists of moments, oldest first. A moment that stands in a
// list several times stands in the result as often as in the list that has it more
// often.
func mergeMoments(a, b []time.Time) []time.Time {
	all := make([]time.Time, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		order := a[0].Compare(b[0])
		if order <= 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all = append(all, b[0])
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// Admit decides on a request at the time now. It returns the window to store, and
// how long the caller must wait: 0 if the request is admitted, and never longer
// than Block, or Span for a rate without Block. A request stops counting exactly
// Span after it was admitted. While a block lasts, no request is counted; then
// changed is false and the window need not be stored, unless a clock that was ahead
// has written in it.
func (r Rate) Admit(w RateWindow, now time.Time) (next RateWindow, wait time.Duration, changed bool) {
	w, corrected := r.correct(w, now)
	if left := w.BlockedUntil.Sub(now); left > 0 {
		return w, left, corrected
	}
	live := w.Admitted
	for len(live) > 0 && now.Sub(live[0]) >= r.Span {
		live = live[1:]
	}
	if len(live) >= r.Limit && r.Block == 0 {
		return w, live[len(live)-r.Limit].Add(r.Span).Sub(now), corrected
	}
	if len(live) >= r.Limit {
		return RateWindow{Admitted: live, BlockedUntil: now.Add(r.Block)}, r.Block, true
	}
	kept := make([]time.Time, 0, len(live)+1)
	return RateWindow{Admitted: append(append(kept, live...), now)}, 0, true
}

// correct removes from a window what only a clock that was ahead can have written:
// requests that were admitted after now, and a block that ends later than one that
// begins now. A request that is ahead by no more than ClockSkew counts as made now,
// and a block that is too long is shortened instead of lifted. Otherwise instances
// whose clocks differ a little would admit more requests than the limit.
func (r Rate) correct(w RateWindow, now time.Time) (_ RateWindow, corrected bool) {
	if w.BlockedUntil.Sub(now) > r.Block {
		w.BlockedUntil, corrected = now.Add(r.Block), true
	}
	if !slices.ContainsFunc(w.Admitted, func(at time.Time) bool { return at.After(now) }) {
		return w, corrected
	}
	kept := make([]time.Time, 0, len(w.Admitted))
	for _, at := range w.Admitted {
		if at.After(now) && at.Sub(now) <= ClockSkew {
			at = now
		}
		if !at.After(now) {
			kept = append(kept, at)
		}
	}
	w.Admitted = kept
	return w, true
}
