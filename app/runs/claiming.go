package runs

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// Claiming makes the outcome of a request key once, however many requests have the key
// and whichever instances answer them.
type Claiming struct {
	claims  ports.RequestClaims
	secrets [][32]byte // the present one, and then older ones: claims may be stored by their hashes
	clock   ports.Clock
}

// NewClaiming makes the use case. Of requests it stores only hashes with a key of its
// own, which tell a reader of the database nothing. When a secret of the service is
// gone, so is what request keys stood for under it.
func NewClaiming(claims ports.RequestClaims, subkeys ports.Subkeys, clock ports.Clock) *Claiming {
	return &Claiming{claims: claims, secrets: subkeys.Subkeys("request keys"), clock: clock}
}

// releaseLimit is how long a request that has failed tries to delete its claim. If it
// does not succeed, the claim ends with its lease.
const releaseLimit = 2 * time.Second

// once calls do with a new claim if nothing is stored for the caller's request key. do
// must store the outcome of the claim. If do fails or panics, the claim is deleted. If
// the key stands for this same request, once calls repeat with the claim that has the
// outcome. It returns domain.ErrKeyReused, domain.ErrKeyRunning, and the errors of do
// and repeat as they are.
func (c *Claiming) once(ctx context.Context, caller ports.Caller, request fingerprint, do, repeat func(domain.RequestClaim) error) error {
	keys, requests := c.hashes(caller, request)
	now := c.clock()
	claim := domain.RequestClaim{
		AccountID: caller.Account.ID, Key: keys[0], Request: requests[0],
		Holder: uuid.NewString(), At: now, Until: now.Add(domain.RequestLease),
	}
	stands, err := c.claims.Take(ctx, claim, keys[1:]...)
	switch {
	case err != nil:
		c.release(ctx, claim) // it may have been stored all the same
		return err
	case stands.Holder == claim.Holder:
		return c.hold(ctx, claim, do)
	case stands.Request != requests[slices.Index(keys, stands.Key)]:
		return domain.ErrKeyReused
	case stands.Running():
		return domain.ErrKeyRunning
	}
	return repeat(stands)
}

// hold renews the lease of the claim while do makes its outcome.
func (c *Claiming) hold(ctx context.Context, claim domain.RequestClaim, do func(domain.RequestClaim) error) error {
	stop := c.keepRenewing(ctx, claim)
	done := false
	defer func() {
		stop()
		if !done {
			c.release(ctx, claim)
		}
	}()
	err := do(claim)
	done = err == nil
	return err
}

// keepRenewing renews the lease until stop is called, or until another request has the
// claim: then the transaction of do that stores the outcome fails. If a renewal fails,
// there is time for another one before the lease ends.
func (c *Claiming) keepRenewing(ctx context.Context, claim domain.RequestClaim) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var ended sync.WaitGroup
	ended.Go(func() {
		for pause(ctx, domain.RequestRenewal) {
			claim.Until = c.clock().Add(domain.RequestLease)
			if errors.Is(c.claims.Renew(ctx, claim), domain.ErrNothingToDo) {
				return
			}
		}
	})
	return func() {
		cancel()
		ended.Wait()
	}
}

// pause waits for d, and says whether ctx has not ended.
func pause(ctx context.Context, d time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-waiting.Done()
	return ctx.Err() == nil
}

// release deletes a claim that has no outcome, even if ctx has ended. If that fails, the
// claim ends with its lease.
func (c *Claiming) release(ctx context.Context, claim domain.RequestClaim) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseLimit)
	defer cancel()
	_ = c.claims.Release(ctx, claim)
}

// hashes returns the hashes of a request key, and of the request, with each secret.
func (c *Claiming) hashes(caller ports.Caller, request fingerprint) (keys, requests []domain.RequestHash) {
	for _, secret := range c.secrets {
		keys = append(keys, hashing.Keyed(secret, "key", caller.Account.ID, []byte(caller.RequestKey)))
		requests = append(requests, hashing.Keyed(secret, "request", caller.Account.ID, request[:]))
	}
	return keys, requests
}

// fingerprint is equal for two requests of the same use case whose fields are the same, as
// they were given. A field that is left out differs from its default value.
type fingerprint [sha256.Size]byte

// runFingerprint returns the fingerprint of a request for a run. Its texts must be as they were
// received.
func runFingerprint(req ports.Request) (sum fingerprint) {
	h := hashing.Fields{Hash: sha256.New()}
	h.Text([]byte("run"))
	writeRequest(h, req)
	h.Sum(sum[:0])
	return sum
}

func batchFingerprint(requests []ports.Request, webhookURL string) (sum fingerprint) {
	h := hashing.Fields{Hash: sha256.New()}
	h.Text([]byte("batch"))
	h.Text([]byte(webhookURL))
	h.Number(len(requests))
	for _, req := range requests {
		writeRequest(h, req)
	}
	h.Sum(sum[:0])
	return sum
}

func writeRequest(h hashing.Fields, req ports.Request) {
	for _, text := range [][]byte{req.Storefront, req.Courier, []byte(req.CourierName), []byte(req.Brand)} {
		h.Text(text)
	}
	h.Columns(req.Columns)
	h.Optional(req.OverdueDays)
	h.Optional(req.MinorGap)
	writeFurther(h, req)
	if req.Charges != "" { // or else the fingerprint is that of an earlier version; -2 begins no other field
		h.Number(-2)
		h.Text([]byte(req.Charges))
	}
	if req.Previous != nil { // as with charges
		h.Number(-4)
		h.Text(req.Previous)
	}
	if req.NamesMapping() { // as with charges
		h.Number(-3)
		h.Text([]byte(req.Mapping))
		for i := range req.Reports {
			h.Text([]byte(req.Reports[i].Mapping))
		}
	}
}

// writeFurther hashes the fields that later versions have added, if there are any: a request
// without them has the fingerprint that an earlier version gives it. -1 begins no other field.
func writeFurther(h hashing.Fields, req ports.Request) {
	if len(req.Reports) == 0 && req.Statement == nil && req.Include == 0 && !req.Workbooks && len(req.Sheets) == 0 {
		return
	}
	h.Number(-1)
	h.Number(len(req.Reports))
	for i := range req.Reports {
		h.Text(req.Reports[i].Courier)
		h.Text([]byte(req.Reports[i].CourierName))
		h.Columns(req.Reports[i].Columns)
	}
	h.Number(len(req.Sheets))
	for _, sheet := range req.Sheets {
		h.Text([]byte(sheet))
	}
	h.Flag(req.Statement != nil)
	h.Text(req.Statement)
	h.Number(int(req.Include))
	h.Flag(req.Workbooks)
}
