package domain

import "time"

const (
	// MaxRequestKey is how many characters a request key may have.
	MaxRequestKey = 255
	// ClaimSpan is how long a request key stands for its request.
	ClaimSpan = 24 * time.Hour
	// ClaimLease is how long a claim without an outcome is good for: if the
	// process that makes the outcome has died, the claim ends with the lease.
	ClaimLease = 30 * time.Second
	// ClaimRenewal is how often whoever makes the outcome renews the lease.
	ClaimRenewal = 10 * time.Second
)

// GoodRequestKey says that a text can be a request key: 1 to MaxRequestKey
// printable characters of ASCII, not only blanks.
func GoodRequestKey(key string) bool {
	blank := true
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
		blank = blank && key[i] == ' '
	}
	return !blank && len(key) <= MaxRequestKey
}

// ClaimHash is a keyed hash of a request key, or of what a request asks: equal
// for equal ones, and telling nothing of them without the service's secret.
type ClaimHash [32]byte

// Claim is what is kept of a request key: which request it stands for, who
// makes it, and what came of it.
type Claim struct {
	AccountID string
	Key       ClaimHash // of the request key, within the account
	Request   ClaimHash // of the request's fields
	Holder    string    // id of whoever makes the outcome; no two requests have the same
	At        time.Time // when the request was claimed
	Until     time.Time // end of the lease, while there is no outcome
	RunID     string    // the outcome of a run; blank: none yet
	BatchID   string    // the outcome of a batch; blank: none yet
}

// Running says that the request has no outcome yet.
func (c Claim) Running() bool { return c.RunID == "" && c.BatchID == "" }

// Over says that the claim no longer stands for its request, so that another
// may take its place: its time is up, or its lease has ended without an outcome.
// An outcome of more than a ClaimSpan ahead was claimed by a clock that was wrong,
// and would stand for longer than any: it counts as over. Copies of the service
// whose clocks differ by less, far more than they may, agree on all others.
// A lease that reaches further than any renewal can was written by a clock that
// was wrong, and counts as ended; copies of the service whose clocks differ by
// up to a lease do not take each other's for that.
func (c Claim) Over(now time.Time) bool {
	if !c.Running() {
		return !now.Before(c.At.Add(ClaimSpan)) || c.At.After(now.Add(ClaimSpan))
	}
	return !now.Before(c.Until) || c.Until.After(now.Add(2*ClaimLease))
}
