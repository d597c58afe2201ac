package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"milaan/domain"
	"milaan/ports"
)

// Claiming sees to it that what a request key stands for is done once, whoever
// asks for it, at whatever time and in whatever process.
type Claiming struct {
	claims  ports.Claims
	secrets [][32]byte // the one to hash with, and then those that were hashed with before
	clock   ports.Clock
}

// NewClaiming makes the use case. What it keeps of requests are hashes by a key
// of its own, so that they tell nothing to a reader of the database: once the
// service does not have the secret of then, a request key stands for nothing.
func NewClaiming(claims ports.Claims, subkeys ports.Subkeys, clock ports.Clock) *Claiming {
	return &Claiming{claims: claims, secrets: subkeys.Subkeys("request keys"), clock: clock}
}

// releaseLimit is how long a request that failed waits to be forgotten. If that
// is too short, its lease ends by itself.
const releaseLimit = 2 * time.Second

// once calls do with the claim of the caller's request key, if the key is free.
// do gives the claim its outcome; after an error or a panic of it, the key stands
// for nothing again. If the key stands for this very request, repeat is called
// with the claim that has its outcome. It returns domain.ErrKeyReused,
// domain.ErrKeyRunning, and the errors of do and repeat as they are.
func (c *Claiming) once(ctx context.Context, caller ports.Caller, asked digest, do, repeat func(domain.Claim) error) error {
	keys, requests := c.hashes(caller, asked)
	now := c.clock()
	claim := domain.Claim{
		AccountID: caller.Account.ID, Key: keys[0], Request: requests[0],
		Holder: uuid.NewString(), At: now, Until: now.Add(domain.ClaimLease),
	}
	stands, err := c.claims.Take(ctx, claim, keys[1:]...)
	switch {
	case err != nil:
		c.release(ctx, claim) // the error may have come after it was stored
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

// hold keeps the claim while do makes its outcome.
func (c *Claiming) hold(ctx context.Context, claim domain.Claim, do func(domain.Claim) error) error {
	stop := c.renewing(ctx, claim)
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

// renewing renews the lease until stop is called, or somebody else has the
// claim: then do will find that out, in the transaction that would store its
// outcome. A renewal that fails is followed by another one in the same lease.
func (c *Claiming) renewing(ctx context.Context, claim domain.Claim) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var ended sync.WaitGroup
	ended.Go(func() {
		for pause(ctx, domain.ClaimRenewal) {
			claim.Until = c.clock().Add(domain.ClaimLease)
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

// pause waits, and says whether there is still reason to go on.
func pause(ctx context.Context, d time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-waiting.Done()
	return ctx.Err() == nil
}

// release forgets a claim that has no outcome, even if the caller has gone. If
// that fails, the claim ends with its lease.
func (c *Claiming) release(ctx context.Context, claim domain.Claim) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseLimit)
	defer cancel()
	_ = c.claims.Release(ctx, claim)
}

// hashes are the hashes of a request key, and of what is asked under it, by each
// secret.
func (c *Claiming) hashes(caller ports.Caller, asked digest) (keys, requests []domain.ClaimHash) {
	for _, secret := range c.secrets {
		keys = append(keys, hashed(secret, "key", caller.Account.ID, []byte(caller.RequestKey)))
		requests = append(requests, hashed(secret, "request", caller.Account.ID, asked[:]))
	}
	return keys, requests
}

// hashed is a keyed hash of a text of an account. what keeps the hashes of keys
// and of requests apart.
func hashed(secret [32]byte, what, accountID string, text []byte) (sum domain.ClaimHash) {
	h := writing{hmac.New(sha256.New, secret[:])}
	h.text([]byte(what))
	h.text([]byte(accountID))
	h.text(text)
	h.Sum(sum[:0])
	return sum
}

// digest is equal for two requests that ask the same: the same use case with the
// same fields, as they were given. A field that is left out is another one than
// its default value.
type digest [sha256.Size]byte

// runDigest is the digest of a run. The texts must be as they were received.
func runDigest(req ports.Request) (sum digest) {
	h := writing{sha256.New()}
	h.text([]byte("run"))
	h.request(req)
	h.Sum(sum[:0])
	return sum
}

// batchDigest is the digest of a batch.
func batchDigest(requests []ports.Request, webhookURL string) (sum digest) {
	h := writing{sha256.New()}
	h.text([]byte("batch"))
	h.text([]byte(webhookURL))
	h.number(len(requests))
	for _, req := range requests {
		h.request(req)
	}
	h.Sum(sum[:0])
	return sum
}

// writing writes values so that no two lists of them are the same bytes: each
// text is preceded by its length.
type writing struct{ hash.Hash }

func (w writing) text(text []byte) {
	w.number(len(text))
	w.Write(text) // a hash never fails
}

func (w writing) number(n int) {
	w.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

func (w writing) optional(n *int) {
	if n == nil {
		w.Write([]byte{0})
		return
	}
	w.Write([]byte{1})
	w.number(*n)
}

// request writes all that a request asks: what it is for, and by whom, is known.
func (w writing) request(req ports.Request) {
	for _, text := range [][]byte{req.Storefront, req.Courier, []byte(req.CourierName), []byte(req.Brand)} {
		w.text(text)
	}
	w.number(len(req.Columns))
	for _, name := range slices.Sorted(maps.Keys(req.Columns)) {
		w.text([]byte(name))
		w.text([]byte(req.Columns[name]))
	}
	w.optional(req.OverdueDays)
	w.optional(req.MinorGap)
}
