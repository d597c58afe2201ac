package ports

import (
	"context"
	"iter"
	"time"

	"milaan/domain"
)

// Accounts keeps accounts. An e-mail address is compared byte for byte: callers
// give it the form of domain.ParseEmail.
type Accounts interface {
	// Create stores a new account. It returns domain.ErrAccountTaken if the
	// e-mail address is known.
	Create(ctx context.Context, a domain.Account) error
	// ByEmail returns domain.ErrNoAccount if there is none.
	ByEmail(ctx context.Context, email string) (domain.Account, error)
	// Update alters an account in one transaction: change sees it as it is and
	// no other change comes between. What change returns as an error is
	// returned as it is, and nothing is stored. ID, e-mail and CreatedAt stay
	// what they were. It returns domain.ErrNoAccount if there is none.
	Update(ctx context.Context, email string, change func(*domain.Account) error) (domain.Account, error)
}

// KeyUse is what is known when a key is presented.
type KeyUse struct {
	Key     domain.APIKey
	Account domain.Account
	Window  domain.RateWindow // the account's: a new key begins with what the former one has used up
}

// Keys keeps the hashes of API keys and what their accounts' rate windows
// remember.
type Keys interface {
	// Present finds the active key with this hash, its account and its window,
	// and lets decide rule on them. If decide says changed, the returned window
	// is remembered, exactly as if presentations of one account's keys came one
	// after the other, in whatever processes; decide may be called again for that. The
	// window is remembered even if decide returns an error, which is passed on
	// as it is. It returns domain.ErrKey if no active key has the hash.
	Present(ctx context.Context, hash domain.KeyHash, decide func(KeyUse) (next domain.RateWindow, changed bool, err error)) error
	// Rotate stores a key and deactivates every other one of its account in
	// one transaction. However many rotate at once, one key is active after. It
	// returns domain.ErrNoAccount if there is no such account.
	Rotate(ctx context.Context, key domain.APIKey) error
}

// RateWindows keeps the rate windows of all that is limited beside the requests
// with a key. A subject must not be personal data, nor the id of an account by
// itself, which is that of its keys' window.
type RateWindows interface {
	// Update lets decide rule on the subject's window, as Keys.Present does.
	Update(ctx context.Context, subject string, decide func(domain.RateWindow) (next domain.RateWindow, changed bool)) error
}

// Runs keeps the audit history, and the column mappings of Enterprise accounts by
// which their runs were read.
type Runs interface {
	// Update opens the run book of one account and lets do write in it: one
	// transaction, before or after every other one of the same account, in
	// whatever processes, never between. An error of do is passed on as it is
	// and undoes everything. do may be called again if the database asks for
	// it, so it must have no other effects. It returns domain.ErrNoAccount if
	// there is no such account, and domain.ErrUnsettled if the database was lost
	// at the moment of storing and does not come back in time to be asked.
	Update(ctx context.Context, accountID string, do func(RunBook) error) error
	// RunsSince counts an account's stored runs from a moment on.
	RunsSince(ctx context.Context, accountID string, since time.Time) (int, error)
	// Mapping finds what an Entry has remembered for an account and a courier's id.
	Mapping(ctx context.Context, accountID, courierName string) (m domain.Mapping, found bool, err error)
}

// RunBook is one account's history inside a transaction.
type RunBook interface {
	// Account is the account as it is now, not as it was when the request came.
	Account() domain.Account
	// Identical finds the latest run with this fingerprint from a moment on.
	Identical(fingerprint string, since time.Time) (run domain.Run, found bool, err error)
	// RunsSince counts the stored runs from a moment on.
	RunsSince(since time.Time) (int, error)
	// Write writes an entry, of which all is stored or, after an error, the
	// transaction undone. It returns domain.ErrKeyRunning if the entry's claim is
	// not its holder's any more, and domain.ErrNothingToDo if its job has ended
	// before or there is no such job of this account.
	Write(e Entry) error
}

// Entry is what one settlement writes. What is left empty is not written.
type Entry struct {
	Run domain.Run // a new run
	// Event is a delivery of Run to the account's endpoint, which is added with the
	// job that makes it. Without an endpoint it is not.
	Event domain.Delivery
	// CourierName is the id for which Mapping is remembered, instead of an older
	// one of the account.
	CourierName string
	Mapping     domain.Mapping
	Claim       domain.Claim // gets its RunID as its outcome
	// End stores the result of a batch's job and deletes its files. The job that
	// ends last completes the batch; if the batch has a webhook_url, End's delivery
	// and its job are added then.
	End JobEnd
}

// JobEnd is the end of one job of a batch.
type JobEnd struct {
	domain.BatchJob
	At       time.Time
	Took     time.Duration   // of the attempt that ended it; 0: it was given up
	Result   []byte          // element of the batch's results, JSON
	Delivery domain.Delivery // of the batch, if this completes it
}

// Webhooks keeps what accounts have set up to be told of their runs. Endpoints
// and secrets are sealed, each for its own account. One that cannot be opened any
// more, as after the loss of the service's secret, counts as absent.
type Webhooks interface {
	// Of returns domain.ErrNoWebhook if the account has neither an endpoint nor
	// a secret.
	Of(ctx context.Context, accountID string) (domain.Webhook, error)
	// Update alters an account's webhook in one transaction: change sees it as
	// it is, empty if there is none, and no other change comes between. A
	// webhook that change leaves without a secret is deleted. What change
	// returns as an error is returned as it is, and nothing is stored. change
	// may be called again. It returns domain.ErrNoAccount if there is no such
	// account.
	Update(ctx context.Context, accountID string, change func(*domain.Webhook) error) (domain.Webhook, error)
}

// Outgoing is what an attempt at a delivery needs.
type Outgoing struct {
	Delivery domain.Delivery
	Number   int            // of the attempt, which is recorded
	Endpoint string         // the batch's webhook_url for a BatchDelivery, else the account's
	Webhook  domain.Webhook // signs
	Run      domain.Run     // of a RunDelivery
}

// Deliveries keeps the log of webhooks.
type Deliveries interface {
	// Add stores a delivery and, unless it is a test, the job that makes it. It
	// returns domain.ErrNoAccount if there is no such account.
	Add(ctx context.Context, d domain.Delivery) error
	// Attempt records the next attempt at a delivery, before it is sent: however
	// many callers there are and whatever dies, no delivery has more than
	// domain.MaxAttempts, and no two callers are given the same one. A delivery
	// that cannot be made any more is settled: failed if its attempts are used
	// up, dropped if there is no endpoint for it or no secret to sign with (or
	// none that can be opened), or the account's plan no longer has webhooks (for
	// a BatchDelivery: if its results are deleted). Then and for a delivery that
	// is settled or unknown, it returns domain.ErrNothingToDo.
	Attempt(ctx context.Context, id string, at time.Time) (Outgoing, error)
	// Complete says what became of an attempt and how far the delivery has come
	// with it. It may be repeated. A delivery that is settled stays so, except
	// that one attempt which was answered well makes it delivered for good.
	Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error
	// Latest lists an account's deliveries, latest first, at most limit.
	Latest(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error)
	// Find returns domain.ErrNoDelivery if the account has none with this id.
	Find(ctx context.Context, accountID, id string) (domain.Delivery, error)
}

// Batches keeps batches. What their jobs were given and what came of it is
// sealed, each piece for its own account, batch and place.
type Batches interface {
	// Submit stores a batch with what each job was asked, and the engine's jobs,
	// in one transaction. It returns domain.ErrOpenBatches if the account has
	// domain.MaxOpenBatches that are not complete, exactly, however many submit
	// at once, domain.ErrKeptResults if the files and results that its batches
	// keep would be more than domain.MaxKept with this one's files,
	// domain.ErrBatchQuota if those of all accounts' batches would be more than the
	// operator allows, exactly as well, and domain.ErrNoAccount. The batch is the
	// outcome of claim, if that is not the zero Claim; it returns
	// domain.ErrKeyRunning if the claim is not its holder's any more.
	Submit(ctx context.Context, b domain.Batch, requests []Request, claim domain.Claim) error
	// Find returns domain.ErrNoBatch if the account has none with this id. A
	// webhook_url that cannot be opened any more is left out.
	Find(ctx context.Context, accountID, id string) (domain.Batch, error)
	// Results gives the results of a complete batch one after the other, in the
	// order of its jobs; a result is good until the next. An error ends them:
	// domain.ErrBatchGone if they have been deleted or cannot be opened any more.
	Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error]
	// Load looks at what is to be done before a batch of so many jobs, which the
	// account submits now, is complete, and at the jobs that ended last.
	Load(ctx context.Context, accountID string, jobs int) (domain.BatchLoad, error)
}

// BatchJobs is what is kept of batches for whoever does their jobs.
type BatchJobs interface {
	// Begin notes that a job has begun and returns who asked and what. The
	// texts are the caller's own. It may be repeated. It returns
	// domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if what was asked cannot be unsealed.
	Begin(ctx context.Context, job domain.BatchJob, at time.Time) (domain.Account, Request, error)
	// Labels gives the brand and the courierName of a job that has not ended,
	// without its files; blank for one that a former version has stored. It returns
	// domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if they cannot be unsealed.
	Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error)
	// Stale lists jobs submitted before a time that have not ended, with their
	// accounts, at most limit: the engine has given them up.
	Stale(ctx context.Context, submittedBefore time.Time, limit int) ([]StaleJob, error)
}

// Claims keeps what request keys stand for. A claim is stored by the hashes in
// it, its outcome by RunBook.Write and Batches.Submit, in the transactions that
// store the run and the batch.
type Claims interface {
	// Take stores a claim, unless another one of the same account and key stands
	// at claim.At. former are hashes of the same key by the service's older
	// secrets. It returns the claim that stands then, by whichever hash: claim
	// itself, if its Holder is claim's. However many take a claim at once, one of
	// them gets it. After an error the claim may be stored all the same. It
	// returns domain.ErrNoAccount if there is no such account.
	Take(ctx context.Context, claim domain.Claim, former ...domain.ClaimHash) (domain.Claim, error)
	// Renew moves the end of the holder's lease to claim.Until. It returns
	// domain.ErrNothingToDo if the claim is not the holder's any more, or has its
	// outcome.
	Renew(ctx context.Context, claim domain.Claim) error
	// Release forgets the holder's claim if it has no outcome. It may be repeated.
	Release(ctx context.Context, claim domain.Claim) error
}

// Expiry says what is kept no longer. The zero time drops nothing.
type Expiry struct {
	Windows     time.Time // rate windows, accounts' too, last changed before; one that blocks changes when its block ends
	Keys        time.Time // API keys revoked before
	Pending     time.Time // deliveries created before and still pending: they fail, at this time, and attempts under way still complete
	Deliveries  time.Time // deliveries settled before
	Claims      time.Time // claims made before
	ClaimsAhead time.Time // claims made after, by a clock that was ahead
	Results     time.Time // results of batches that were completed before
	Batches     time.Time // what remains of batches that were completed before
}

// Upkeep keeps the storage from growing for ever.
type Upkeep interface {
	// Sweep drops what has expired. Disk space that batches do not occupy any more
	// goes back to the system. What fails does not keep the rest from being done.
	// It may be repeated.
	Sweep(ctx context.Context, e Expiry) error
}

// StaleJob is a job that will not end by itself.
type StaleJob struct {
	domain.BatchJob
	AccountID string
}

// Resealed is what became of all that is kept sealed, in pieces.
type Resealed struct {
	Afresh     int // were sealed with an older secret, and are with the first one now
	Kept       int // were sealed with the first secret already
	Unreadable int // cannot be opened, and stay as they are
	Webhooks   int // accounts whose webhook is among them
}

// Seals sees to all that is kept sealed.
type Seals interface {
	// Reseal seals afresh whatever is sealed with an older secret, piece by piece,
	// while others read and write: it never overwrites what they have changed. If
	// it is cut off, what it has done stays done. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}
