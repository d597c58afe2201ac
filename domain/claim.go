package domain

import "time"

const (
	// MaxRequestKey is how many characters a request key may have at most.
	MaxRequestKey = 255
	// ClaimSpan is how long a request key stands for its request.
	ClaimSpan = 24 * time.Hour
	// ClaimLease is how long a claim without an outcome is valid. If the process
	// that makes the outcome dies, the claim ends with its lease.
	ClaimLease = 30 * time.Second
	// ClaimRenewal is how often the process that makes the outcome renews the
	// lease.
	ClaimRenewal = 10 * time.Second
)

// GoodRequestKey says whether a text can be a request key: 1 to MaxRequestKey
// printable ASCII characters, not all of them blanks.
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

// ClaimHash is a hash of a request key, or of the fields of a request, made with
// the service's secret. Equal texts have equal hashes. Without the secret, a hash
// tells nothing about the text.
type ClaimHash [32]byte

// Claim is what the service stores for a request key: for which request it stands,
// who makes the outcome, and the outcome itself.
type Claim struct {
	AccountID string
	Key       ClaimHash // of the request key, within the account
	Request   ClaimHash // of the request's fields
	Holder    string    // id of the request that makes the outcome; each request has another id
	At        time.Time // when the request was claimed
	Until     time.Time // when the lease ends; used while there is no outcome
	RunID     string    // the outcome of a run; blank: none yet
	BatchID   string    // the outcome of a batch; blank: none yet
}

// Running says whether the request has no outcome yet.
func (c Claim) Running() bool { return c.RunID == "" && c.BatchID == "" }

// Over says whether the claim no longer stands for its request, so that another
// claim may take its place. With an outcome it is over once it is older than
// ClaimSpan. Without one it is over once its lease has ended.
//
// The clocks of two instances may differ. A claim whose time is more than a
// ClaimSpan after now was written by a wrong clock and would be valid too long, so
// it is over; instances whose clocks differ by less than that agree on all other
// claims. In the same way, a lease counts as ended if it reaches further into the
// future than any renewal can set it; instances whose clocks differ by at most a
// ClaimLease do not take each other's leases for ended because of this.
func (c Claim) Over(now time.Time) bool {
	if !c.Running() {
		return !now.Before(c.At.Add(ClaimSpan)) || c.At.After(now.Add(ClaimSpan))
	}
	return !now.Before(c.Until) || c.Until.After(now.Add(2*ClaimLease))
}
