package conformance

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// aClaim is a claim of an account on a request key at noon, by a holder.
func aClaim(account domain.Account, key, holder string) domain.RequestClaim {
	return domain.RequestClaim{AccountID: account.ID, Key: sha256.Sum256([]byte(key)), Request: sha256.Sum256([]byte("request")),
		Holder: holder, At: noon, Until: noon.Add(domain.RequestLease)}
}

// later is the claim made anew by another holder after a time.
func later(c domain.RequestClaim, holder string, after time.Duration) domain.RequestClaim {
	c.Holder, c.At, c.Until = holder, c.At.Add(after), c.At.Add(after+domain.RequestLease)
	return c
}

func taken(t *testing.T, s Storage, claim domain.RequestClaim) domain.RequestClaim {
	t.Helper()
	return only.Value(s.Claims.Take(t.Context(), claim))(t)
}

// fulfilled stores a run and makes it the outcome of a claim.
func fulfilled(t *testing.T, s Storage, account domain.Account, claim domain.RequestClaim, runID string) error {
	t.Helper()
	claim.RunID = runID
	return s.Write(t.Context(), account.ID, ports.Entry{Run: aRun(account, runID, noon), Claim: claim})
}

var _ = promises.add("a claim stands until it is over", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "claims"), created(t, one, "neighbour")
	first := aClaim(account, "key", "first")
	require.Equal(t, first, taken(t, one, first))
	require.Equal(t, first, taken(t, one, first), "taking it may be repeated")

	second := later(first, "second", domain.RequestLease-time.Microsecond)
	second.Request = sha256.Sum256([]byte("another request"))
	require.Equal(t, first, taken(t, other, second), "it comes back as it was stored, whatever is asked")
	mine := aClaim(account, "another key", "second")
	require.Equal(t, mine, taken(t, other, mine))
	theirs := aClaim(neighbour, "key", "theirs")
	require.Equal(t, theirs, taken(t, other, theirs), "a key is its account's")

	second = later(second, "second", time.Microsecond)
	require.Equal(t, second, taken(t, other, second), "its lease has ended")
	require.NoError(t, fulfilled(t, one, account, second, "run"))
	second.RunID = "run"
	for _, after := range []time.Duration{domain.RequestLease, domain.RequestKeySpan - time.Microsecond} {
		require.Equal(t, second, taken(t, one, later(second, "third", after)))
	}
	third := later(second, "third", domain.RequestKeySpan)
	third.RunID = ""
	require.Equal(t, third, taken(t, one, third), "its time is up, swept or not")
	require.Equal(t, third, taken(t, other, later(third, "fourth", 0)), "the old outcome is gone")
})

var _ = promises.add("one of many claims is taken", func(t *testing.T, one, other Storage) {
	account := created(t, one, "parallel")
	var mu sync.Mutex
	stands := map[string]int{}
	requireInParallel(t, one, other, func(s Storage, i int) error {
		claim, err := s.Claims.Take(t.Context(), aClaim(account, "key", fmt.Sprint("holder ", i)))
		mu.Lock()
		defer mu.Unlock()
		stands[claim.Holder]++
		return err
	})
	require.Len(t, stands, 1, "all are told of the same holder: %v", stands)
})

var _ = promises.add("an ended lease is taken over once", func(t *testing.T, one, other Storage) {
	account := created(t, one, "over")
	dead := aClaim(account, "key", "dead")
	require.Equal(t, dead, taken(t, one, dead))
	var mu sync.Mutex
	stored := 0
	requireInParallel(t, one, other, func(s Storage, i int) error {
		claim := later(dead, fmt.Sprint("holder ", i), domain.RequestLease)
		stands, err := s.Claims.Take(t.Context(), claim)
		if err != nil || stands.Holder != claim.Holder {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		stored++
		return fulfilled(t, s, account, claim, runID(i))
	})
	require.Equal(t, 1, stored)
	require.ErrorIs(t, fulfilled(t, one, account, dead, "of-the-dead"), domain.ErrKeyRunning)
	require.Equal(t, 1, RunsSince(t, one, account.ID, time.Time{}))
})

var _ = promises.add("a lease is renewed by its holder", func(t *testing.T, one, other Storage) {
	account := created(t, one, "renewed")
	claim := aClaim(account, "key", "holder")
	require.Equal(t, claim, taken(t, one, claim))
	claim.Until = claim.Until.Add(domain.RequestLease)
	require.NoError(t, one.Claims.Renew(t.Context(), claim))
	rival := later(claim, "rival", domain.RequestLease+time.Second)
	require.Equal(t, claim, taken(t, other, rival))

	rival = later(claim, "rival", 2*domain.RequestLease)
	require.ErrorIs(t, one.Claims.Renew(t.Context(), rival), domain.ErrNothingToDo, "by anybody else")
	require.Equal(t, rival, taken(t, other, rival))
	claim.Until = claim.Until.Add(time.Hour)
	require.ErrorIs(t, one.Claims.Renew(t.Context(), claim), domain.ErrNothingToDo, "once another one holds it")
	require.NoError(t, fulfilled(t, one, account, rival, "run"))
	require.ErrorIs(t, one.Claims.Renew(t.Context(), rival), domain.ErrNothingToDo, "once it has its outcome")
})

var _ = promises.add("a claim that failed is forgotten", func(t *testing.T, one, other Storage) {
	account := created(t, one, "released")
	claim := aClaim(account, "key", "holder")
	require.Equal(t, claim, taken(t, one, claim))
	require.NoError(t, other.Claims.Release(t.Context(), later(claim, "rival", 0)))
	require.Equal(t, claim, taken(t, one, later(claim, "rival", 0)), "it is its holder's to release")
	for range 2 {
		require.NoError(t, other.Claims.Release(t.Context(), claim))
	}
	rival := later(claim, "rival", 0)
	require.Equal(t, rival, taken(t, one, rival))
	require.ErrorIs(t, fulfilled(t, one, account, claim, "lost"), domain.ErrKeyRunning)

	require.NoError(t, fulfilled(t, one, account, rival, "run"))
	require.NoError(t, other.Claims.Release(t.Context(), rival))
	rival.RunID = "run"
	require.Equal(t, rival, taken(t, one, later(rival, "third", 0)), "an outcome is not released")
})

var _ = promises.add("a run is the outcome of its claim", func(t *testing.T, one, other Storage) {
	account := created(t, one, "run")
	claim := aClaim(account, "key", "holder")
	require.Equal(t, claim, taken(t, one, claim))
	refusal := errors.New("refused")
	require.Same(t, refusal, one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		undone := claim
		undone.RunID = "undone"
		require.NoError(t, b.Write(ports.Entry{Run: aRun(account, "undone", noon), Claim: undone}))
		return refusal
	}))
	require.Equal(t, claim, taken(t, other, later(claim, "rival", 0)), "what is undone is no outcome")

	require.NoError(t, fulfilled(t, other, account, claim, "run"))
	claim.RunID = "run"
	require.Equal(t, claim, taken(t, one, later(claim, "rival", 0)))
	require.ErrorIs(t, fulfilled(t, other, account, claim, "again"), domain.ErrKeyRunning, "a claim has one outcome")
})

var _ = promises.add("a batch is the outcome of its claim", func(t *testing.T, one, other Storage) {
	account := created(t, one, "batch")
	claim := aClaim(account, "key", "holder")
	require.Equal(t, claim, taken(t, one, claim))
	b := domain.Batch{ID: "batch", AccountID: account.ID, Jobs: 1, SubmittedAt: noon}
	require.NoError(t, one.Batches.Submit(t.Context(), b, requests(1), claim))
	claim.BatchID = b.ID
	require.Equal(t, claim, taken(t, other, later(claim, "rival", time.Hour)))

	require.Len(t, one.Jobs(t), 1)
	b.ID = "again"
	require.ErrorIs(t, one.Batches.Submit(t.Context(), b, requests(1), claim), domain.ErrKeyRunning)
	require.ErrorIs(t, only.Err(one.Batches.Find(t.Context(), account.ID, b.ID)), domain.ErrNoBatch)
	require.Len(t, one.Jobs(t), 1)

	// Once nothing remains of the batch, the key is free.
	b.ID = claim.BatchID
	endAll(t, one, account, b)
	require.NoError(t, one.Sweep(t.Context(), ports.Expiry{Results: noon.Add(time.Hour), Batches: noon.Add(time.Hour)}))
	rival := later(claim, "rival", time.Hour)
	rival.BatchID = ""
	require.Equal(t, rival, taken(t, other, rival))
})

var _ = promises.add("a holder that has lost its claim stores nothing", func(t *testing.T, one, other Storage) {
	account := enterprise(t, one, "lost")
	claim := aClaim(account, "key", "suspended")
	require.Equal(t, claim, taken(t, one, claim))
	rival := later(claim, "rival", domain.RequestLease)
	require.Equal(t, rival, taken(t, other, rival))

	err := one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		require.NoError(t, b.Write(announcement(account, aDelivery(account, "undone"))))
		claim.RunID = "run-of-undone"
		return b.Write(ports.Entry{Claim: claim})
	})
	require.ErrorIs(t, err, domain.ErrKeyRunning)
	requireNoRuns(t, one, account)
	b := domain.Batch{ID: "undone", AccountID: account.ID, Jobs: 1, SubmittedAt: noon}
	require.ErrorIs(t, one.Batches.Submit(t.Context(), b, requests(1), claim), domain.ErrKeyRunning)
	require.ErrorIs(t, only.Err(one.Batches.Find(t.Context(), account.ID, b.ID)), domain.ErrNoBatch)
	require.Empty(t, one.Jobs(t))
	require.NoError(t, fulfilled(t, other, account, rival, "run"), "the rival's is untouched")

	// A lease that has ended with nobody to take the claim over does no harm.
	late := aClaim(account, "another key", "late")
	require.Equal(t, late, taken(t, one, late))
	require.NoError(t, fulfilled(t, one, account, late, "late-run"))
})

// A release of a claim that gets its outcome at the same time deletes the claim, or has no
// effect: a stored run never lacks its claim.
var _ = promises.add("an outcome and a release at once", func(t *testing.T, one, other Storage) {
	account := created(t, one, "race")
	claims := make([]domain.RequestClaim, many/2)
	for i := range claims {
		claims[i] = aClaim(account, fmt.Sprint("key ", i), "holder")
		require.Equal(t, claims[i], taken(t, one, claims[i]))
	}
	stored := make([]bool, len(claims))
	requireInParallel(t, one, other, func(s Storage, i int) error {
		if i%2 == 1 {
			return s.Claims.Release(t.Context(), claims[i/2])
		}
		err := fulfilled(t, s, account, claims[i/2], runID(i/2))
		stored[i/2] = err == nil
		if errors.Is(err, domain.ErrKeyRunning) {
			return nil
		}
		return err
	})
	for i, claim := range claims {
		stands := taken(t, one, later(claim, "rival", 0))
		require.Equal(t, stored[i], stands.RunID == runID(i), "%d: %+v", i, stands)
	}
})

// A key is also found by the hashes of older secrets, which other instances may still hash
// with.
var _ = promises.add("a claim by a former secret stands", func(t *testing.T, one, other Storage) {
	account := created(t, one, "former")
	take := func(s Storage, claim domain.RequestClaim, former ...domain.RequestHash) domain.RequestClaim {
		return only.Value(s.Claims.Take(t.Context(), claim, former...))(t)
	}
	older, newer := aClaim(account, "by the older", "first"), aClaim(account, "by the newer", "second")
	oldest := domain.RequestHash(sha256.Sum256([]byte("by the oldest")))
	require.Equal(t, older, take(one, older, oldest))
	require.Equal(t, older, take(other, newer, older.Key, oldest))
	require.Equal(t, older, take(one, later(older, "third", 0), newer.Key))

	// Once it is over, one claim is there, and the former one is lost.
	newer = later(newer, "second", domain.RequestLease)
	require.Equal(t, newer, take(other, newer, older.Key, oldest))
	require.Equal(t, newer, take(one, later(older, "third", domain.RequestLease), newer.Key))
	require.ErrorIs(t, fulfilled(t, one, account, older, "lost"), domain.ErrKeyRunning)
	require.NoError(t, fulfilled(t, other, account, newer, "run"))
	newer.RunID = "run"
	require.Equal(t, newer, take(one, later(older, "third", time.Hour), oldest, newer.Key))

	rivals := [2]domain.RequestClaim{later(older, "", domain.RequestKeySpan+domain.RequestLease), later(newer, "", domain.RequestKeySpan)}
	rivals[1].RunID = ""
	var mu sync.Mutex
	holders := map[string]bool{}
	requireInParallel(t, one, other, func(s Storage, i int) error {
		claim := rivals[i%2]
		claim.Holder = fmt.Sprint("holder ", i)
		stands, err := s.Claims.Take(t.Context(), claim, rivals[1-i%2].Key)
		mu.Lock()
		defer mu.Unlock()
		holders[stands.Holder] = true
		return err
	})
	require.Len(t, holders, 1, "instances that hash with different secrets first agree on one: %v", holders)
})

var _ = promises.add("old claims are swept away", func(t *testing.T, one, other Storage) {
	account := created(t, one, "swept")
	old, young := aClaim(account, "old", "holder"), later(aClaim(account, "young", "holder"), "holder", time.Microsecond)
	for _, claim := range []domain.RequestClaim{old, young} {
		require.Equal(t, claim, taken(t, one, claim))
		require.NoError(t, fulfilled(t, one, account, claim, claim.At.String()))
	}
	ahead := later(aClaim(account, "ahead", "holder"), "holder", domain.RequestKeySpan+time.Microsecond)
	require.Equal(t, ahead, taken(t, one, ahead))
	require.NoError(t, fulfilled(t, one, account, ahead, "ahead"))
	for range 2 {
		require.NoError(t, other.Sweep(t.Context(), ports.Expiry{Claims: young.At, ClaimsAhead: old.At.Add(domain.RequestKeySpan)}))
	}
	after := later(ahead, "rival", time.Second)
	require.Equal(t, after, taken(t, one, after), "it was made by a clock that was ahead")
	rival := later(old, "rival", time.Second)
	require.Equal(t, rival, taken(t, one, rival))
	require.Equal(t, "holder", taken(t, one, later(young, "rival", time.Second)).Holder)
})

var _ = promises.add("a claim needs an account", func(t *testing.T, one, _ Storage) {
	require.ErrorIs(t, only.Err(one.Claims.Take(t.Context(), aClaim(anAccount("nobody"), "key", "holder"))), domain.ErrNoAccount)
})
