package domain

import "time"

const (
	// MaxRequestKey is how many characters a request key may have at most.
	MaxRequestKey = 255
	// RequestKeySpan is how long a request key stands for its request.
	RequestKeySpan = 24 * time.Hour
	// RequestLease is how long a claim without an outcome is valid. If the process
	// that makes the outcome dies, the claim ends with its lease.
	RequestLease = 30 * time.Second
	// RequestRenewal is how often the process that makes the outcome renews the
	// lease.
	RequestRenewal = 10 * time.Second
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

// RequestHash is a hash of a request key, or of the fields of a request, made with
// the service's secret. Equal texts have equal hashes. Without the secret, a hash
// tells nothing about the text.
type RequestHash [32]byte

// RequestClaim is what the service stores for a request key: for which request it stands,
// who makes the outcome, and the outcome itself.
type RequestClaim struct {
	AccountID string
	Key       RequestHash // of the request key, within the account
	Request   RequestHash // of the request's fields
	Holder    string      // id of the request that makes the outcome; each request has another id
	At        time.Time   // when the request was claimed
	Until     time.Time   // when the lease ends; used while there is no outcome
	RunID     string      // the outcome of a run; blank: none yet
	BatchID   string      // the outcome of a batch; blank: none yet
}

// Running says whether the request has no outcome yet.
func (c RequestClaim) Running() bool { return c.RunID == "" && c.BatchID == "" }

// Over says whether the claim no longer stands for its request, so that another
// claim may take its place. With an outcome it is over once it is older than
// RequestKeySpan. Without one it is over once its lease has ended.
//
// The clocks of two instances may differ. A claim whose time is more than a
// RequestKeySpan after now was written by a wrong clock and would be valid too long, so
// it is over; instances whose clocks differ by less than that agree on all other
// claims. In the same way, a lease counts as ended if it reaches further into the
// future than any renewal can set it; instances whose clocks differ by at most a
// RequestLease do not take each other's leases for ended because of this.
func (c RequestClaim) Over(now time.Time) bool {
	if !c.Running() {
		return !now.Before(c.At.Add(RequestKeySpan)) || c.At.After(now.Add(RequestKeySpan))
	}
	return !now.Before(c.Until) || c.Until.After(now.Add(2*RequestLease))
}
