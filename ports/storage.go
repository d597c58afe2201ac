package ports

import (
	"context"
	"iter"
	"time"

	"milaan/domain"
)

// Accounts stores accounts. E-mail addresses are compared byte for byte: callers pass them
// in the form of domain.ParseEmail.
type Accounts interface {
	// Create stores a new account. It returns domain.ErrAccountTaken if the
	// e-mail address is known.
	Create(ctx context.Context, a domain.Account) error
	// ByEmail returns domain.ErrNoAccount if there is none.
	ByEmail(ctx context.Context, email string) (domain.Account, error)
	// ByID returns domain.ErrNoAccount if there is none.
	ByID(ctx context.Context, id string) (domain.Account, error)
	// Update alters an account in one transaction: change gets the stored account, and
	// nobody else changes it until change has been stored. If change returns an error,
	// Update returns it unchanged and stores nothing. ID, e-mail and CreatedAt cannot
	// be changed. If something has changed, event is stored for the account in the same
	// transaction, with the names of what changed as its detail, unless it is the zero
	// event. Update returns domain.ErrNoAccount if there is none.
	Update(ctx context.Context, email string, event domain.SecurityEvent, change func(*domain.Account) error) (domain.Account, error)
}

// KeyUse is what is stored about a key that is presented.
type KeyUse struct {
	Key     domain.APIKey
	Account domain.Account
	Window  domain.RateWindow // of the account's keys of this kind: requests with the former key count for a new one too
}

// Keys stores the hashes of API keys and the rate windows of their accounts.
type Keys interface {
	// Present finds the active key with this hash, its account and its rate window, and
	// calls decide with them. If decide returns changed, next is stored, also if decide
	// returns an error. Windows are stored exactly as if all calls for one account, in
	// all processes, came one after the other; decide may be called again for that.
	// If decide returns no error, the key was used at that time, which is stored at most
	// once in domain.KeyUseSpan. Present returns the error of decide unchanged, and
	// domain.ErrKey if no active key has the hash.
	Present(ctx context.Context, hash domain.KeyHash, at time.Time, decide func(KeyUse) (next domain.RateWindow, changed bool, err error)) error
	// Rotate stores a key and event and deactivates all other keys of its account and kind,
	// in one transaction. The zero event is not stored. After any number of calls at the same
	// time, one key of the kind is active. It returns domain.ErrNoAccount if there is no such account.
	Rotate(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error
	// Replace is Rotate, if the account's active key of this kind has the prefix replaces or, if that
	// is blank, the account has none. Else it stores nothing and returns
	// domain.ErrKeyChanged. Of many calls at the same time for one key, one succeeds.
	Replace(ctx context.Context, key domain.APIKey, replaces string, event domain.SecurityEvent) error
	// Active returns domain.ErrNoKey if the account has no active key of this kind.
	Active(ctx context.Context, accountID string, kind domain.KeyKind) (ActiveKey, error)
	// Revoke deactivates the account's active key of a kind and stores event, in one
	// transaction. The zero event is not stored. It returns domain.ErrKeyChanged if the active
	// key has another prefix, and domain.ErrNoKey if there is none.
	Revoke(ctx context.Context, accountID string, kind domain.KeyKind, prefix string, at time.Time, event domain.SecurityEvent) error
}

// DaySubject begins the subjects of rates whose span is longer than an hour. Their windows
// are kept longer than others.
const DaySubject = "day:"

// RateWindows stores the rate windows of everything that has a rate, except requests with
// a key. A subject must not be personal data, and must not be an account's id, alone or
// behind the name of a kind of keys and a colon: those are the windows of keys. A subject of
// an account ends in a colon and the account's id, and its window is deleted with the
// account.
type RateWindows interface {
	// Update calls decide with the subject's window and stores next, as Keys.Present
	// does. It returns domain.ErrNoAccount if the first window of an account's subject
	// cannot be stored, because there is no such account.
	Update(ctx context.Context, subject string, decide func(domain.RateWindow) (next domain.RateWindow, changed bool)) error
}

// Runs stores runs, and the column mappings by which the runs of Enterprise accounts were
// read.
type Runs interface {
	// Update calls do with the run book of one account, in one transaction. The
	// transactions of one account come one after the other, in all processes. If do
	// returns an error, Update returns it unchanged and stores nothing. do may be
	// called again if the database asks for it, so it must have no other effects.
	// Update returns domain.ErrNoAccount if there is no such account, and
	// domain.ErrUnsettled if it is not known whether the transaction was stored,
	// because the connection broke during the commit.
	Update(ctx context.Context, accountID string, do func(RunBook) error) error
	// RunsSince counts the runs of an account that were stored at or after a time and count
	// towards the cap: those of the autopilot do not.
	RunsSince(ctx context.Context, accountID string, since time.Time) (int, error)
	// SandboxRuns counts the sandbox runs of an account on a day that entries have stored.
	SandboxRuns(ctx context.Context, accountID string, day domain.Day) (int, error)
	// Mapping finds the mapping that an Entry has stored for an account and a courier's
	// id.
	Mapping(ctx context.Context, accountID, courierName string) (m domain.Mapping, found bool, err error)
}

// RunBook is the runs of one account inside a transaction.
type RunBook interface {
	// Account returns the account as it is stored now. It may have changed since the
	// request came.
	Account() domain.Account
	// Identical finds the latest run with this fingerprint that was stored at or after
	// a time.
	Identical(fingerprint string, since time.Time) (run domain.Run, found bool, err error)
	// Made finds the latest run that has one of these digests and was stored at or after
	// a time.
	Made(digests []domain.RunDigest, since time.Time) (run domain.Run, found bool, err error)
	// RunsSince counts the runs that were stored at or after a time and count towards the
	// cap.
	RunsSince(since time.Time) (int, error)
	// Write stores an entry. After an error the transaction cannot be committed. It
	// returns domain.ErrKeyRunning if the holder of the entry's claim has lost it, and
	// domain.ErrNothingToDo if the entry's job or pass has ended before, or the account has
	// no such job or pass. For a sandbox run beyond domain.SandboxRuns on its day, it
	// returns domain.ErrSandboxRuns, exactly, however many callers there are.
	Write(e Entry) error
}

// Entry is what is stored together with a run or the end of a job. Empty fields are not
// stored.
type Entry struct {
	Run domain.Run // a new run
	// SandboxRun counts a run of the sandbox, of which nothing else is stored; the zero time:
	// there is none. Event is then a test.
	SandboxRun time.Time
	// Event is a delivery of Run, or a test. It is added, with the job that makes it, if the
	// account has an endpoint.
	Event domain.Delivery
	// Mappings replace the account's older mappings for the same couriers. No two are
	// for the same courier.
	Mappings []SavedMapping
	SavedAt  time.Time    // of Mappings
	Claim    domain.Claim // gets the outcome that its RunID names
	// End stores the result of a batch's job and deletes the job's files. The job that
	// ends last completes the batch; then, if the batch has a webhook_url, the delivery
	// of End is added with its job.
	End JobEnd
	// Pass ends a pass of the autopilot, whose ID is set, and its connection gets the new
	// state and status.
	Pass PassEnd
}

// SavedMapping is the mapping by which a report of a courier was read.
type SavedMapping struct {
	CourierName string // the courier's id
	Mapping     domain.Mapping
}

// JobEnd is the end of one job of a batch.
type JobEnd struct {
	domain.BatchJob
	At       time.Time
	Took     time.Duration   // of the last attempt; 0 if the job was given up
	Result   []byte          // element of the batch's results, JSON
	Delivery domain.Delivery // of the batch, if this job completes it
	// Test is the test that a batch of the sandbox sends to the account's endpoint, if this job
	// completes it.
	Test domain.Delivery
}

// Webhooks stores the webhooks of accounts. Endpoints and secrets are sealed, each for its
// own account. One that cannot be opened any more, for example because the service's
// secret was lost, counts as absent.
type Webhooks interface {
	// Of returns domain.ErrNoWebhook if the account has neither an endpoint nor
	// a secret.
	Of(ctx context.Context, accountID string) (domain.Webhook, error)
	// Update alters an account's webhook in one transaction: change gets the stored
	// webhook, empty if there is none, and nobody else changes it until change has been
	// stored. A webhook that has no secret after change is deleted; if there was none,
	// event is not stored. If change returns
	// an error, Update returns it unchanged and stores nothing. change may be called
	// again. event is stored for the account in the same transaction, unless it is the
	// zero event. Update returns domain.ErrNoAccount if there is no such account.
	Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error) (domain.Webhook, error)
}

// Outgoing is what an attempt at a delivery needs.
type Outgoing struct {
	Delivery domain.Delivery
	Number   int            // of the attempt, which has been recorded
	Endpoint string         // the batch's webhook_url for a BatchDelivery, else the account's
	Webhook  domain.Webhook // has the secrets that sign
	Run      domain.Run     // of a RunDelivery
}

// Deliveries stores deliveries and their attempts.
type Deliveries interface {
	// Add stores a delivery and, unless it is made by hand, the job that makes it. It
	// returns domain.ErrNoAccount if there is no such account, and domain.ErrNoRun for a
	// RunDelivery whose run is not stored any more.
	Add(ctx context.Context, d domain.Delivery) error
	// Attempt records the next attempt at a delivery, before it is made. A delivery
	// never has more than domain.MaxAttempts, and two callers never get the same
	// attempt, whichever processes die. A delivery that cannot be made any more ends
	// here: it fails if its attempts are used up, and is dropped if there is no
	// endpoint for it, no secret to sign with (or none that can be opened), or the
	// account's plan no longer has webhooks, or the run has been deleted (a
	// BatchDelivery: if its results have been deleted). Then, and for a delivery that has ended or is unknown, Attempt returns
	// domain.ErrNothingToDo.
	Attempt(ctx context.Context, id string, at time.Time) (Outgoing, error)
	// Complete stores how an attempt ended and the state of the delivery after it. It
	// may be repeated. The state of a delivery that has ended does not change, except
	// that a successful attempt makes it delivered.
	Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error
	// Latest lists an account's deliveries, latest first, at most limit.
	Latest(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error)
	// Find returns domain.ErrNoDelivery if the account has none with this id.
	Find(ctx context.Context, accountID, id string) (domain.Delivery, error)
}

// Batches stores batches. The requests and the results of their jobs are sealed, each for
// its own account, batch and job.
type Batches interface {
	// Submit stores a batch with the request of each job, and adds the engine's jobs, in
	// one transaction. It returns domain.ErrOpenBatches if the account has
	// domain.MaxOpenBatches that are not complete, domain.ErrKeptResults if the files
	// and results of the account's batches would be more than domain.MaxKept (both counted
	// apart for the sandbox),
	// domain.ErrBatchQuota if those of all accounts would be more than the operator
	// allows, and domain.ErrNoAccount. These limits are exact, however many callers
	// submit at the same time. If claim is not the zero Claim, the batch becomes its
	// outcome; Submit returns domain.ErrKeyRunning if the holder has lost the claim.
	Submit(ctx context.Context, b domain.Batch, requests []Request, claim domain.Claim) error
	// Find returns domain.ErrNoBatch if the account has none with this id. A
	// webhook_url that cannot be opened any more is left out.
	Find(ctx context.Context, accountID, id string) (domain.Batch, error)
	// Results yields the results of a complete batch in the order of its jobs. A result
	// may be used until the next one. After an error there are no more results;
	// domain.ErrBatchGone says that they have been deleted or cannot be opened any
	// more.
	Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error]
	// Load returns what must be done before a batch of so many jobs is complete if the
	// account submits it now, and how long the jobs took that ended last.
	Load(ctx context.Context, accountID string, jobs int) (domain.BatchLoad, error)
}

// BatchJobs is what those who do the jobs of batches need from storage.
type BatchJobs interface {
	// Begin stores that a job has begun, and returns its account and its request, whose
	// texts belong to the caller, and whose Sandbox is the batch's. It may be repeated. It
	// returns domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if the request cannot be unsealed.
	Begin(ctx context.Context, job domain.BatchJob, at time.Time) (domain.Account, Request, error)
	// Labels returns the brand and the courierName of a job that has not ended, without
	// reading its files. They are blank for a job that an earlier version has stored.
	// Labels returns domain.ErrNothingToDo if the job has ended or is unknown, and
	// domain.ErrUnreadable if they cannot be unsealed.
	Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error)
	// Stale lists at most limit jobs that were submitted before a time and have not
	// ended, with their accounts. The engine has given them up.
	Stale(ctx context.Context, submittedBefore time.Time, limit int) ([]StaleJob, error)
}

// Claims stores what request keys stand for. RunBook.Write and Batches.Submit store the
// outcome of a claim, in the transactions that store the run and the batch.
type Claims interface {
	// Take stores a claim, unless another claim of the same account and key stands at
	// claim.At. former are hashes of the same key with the service's older secrets;
	// claims with these count too. Take returns the claim that stands then: claim was
	// stored if the Holder is claim's. If many callers take a claim at the same time,
	// one of them gets it. After an error the claim may be stored all the same. Take
	// returns domain.ErrNoAccount if there is no such account.
	Take(ctx context.Context, claim domain.Claim, former ...domain.ClaimHash) (domain.Claim, error)
	// Renew moves the end of the holder's lease to claim.Until. It returns
	// domain.ErrNothingToDo if the holder has lost the claim, or the claim has an
	// outcome.
	Renew(ctx context.Context, claim domain.Claim) error
	// Release deletes the holder's claim if it has no outcome. It may be repeated.
	Release(ctx context.Context, claim domain.Claim) error
}

// Expiry says what is to be deleted. A zero time deletes nothing.
type Expiry struct {
	Windows     time.Time  // rate windows, accounts' too, last changed before, except those of DaySubject; the end of a block is a change
	DayWindows  time.Time  // the rate windows of DaySubject
	PhoneCodes  time.Time  // phone codes that were sent before
	Keys        time.Time  // API keys revoked before
	Pending     time.Time  // deliveries created before and still pending: they fail, at this time, and attempts under way still complete
	Deliveries  time.Time  // deliveries that ended before
	Claims      time.Time  // claims made before
	ClaimsAhead time.Time  // claims made after, by a clock that was ahead
	Results     time.Time  // results of batches that were completed before
	Batches     time.Time  // what remains of batches that were completed before
	Sessions    time.Time  // sessions that began before
	Idle        time.Time  // sessions last used before
	Links       time.Time  // redeemed sign-in links that ended before
	Invitations time.Time  // invitations that ended before
	SignUps     time.Time  // what is remembered of accounts that people made for themselves before
	Events      time.Time  // security events from before
	Passes      time.Time  // passes of the autopilot that ended before
	KeptFiles   time.Time  // files that were kept for the autopilot before
	Mails       time.Time  // mails from before
	Notices     time.Time  // notices of the billing provider taken before
	Sandbox     time.Time  // batches of the sandbox that were completed before, with their results
	SandboxRuns domain.Day // the counts of sandbox runs on days before
	// Runs deletes runs made before, and the claims whose outcome they are. Their
	// deliveries lose their RunID and cannot be made any more.
	Runs time.Time
}

// Upkeep keeps the storage from growing for ever.
type Upkeep interface {
	// Sweep deletes what has expired and gives the disk space of deleted batches back
	// to the system. If a part of it fails, the other parts are still done. It may be
	// repeated.
	Sweep(ctx context.Context, e Expiry) error
}

// StaleJob is a job that the engine has given up.
type StaleJob struct {
	domain.BatchJob
	AccountID string
}

// Resealed counts the sealed texts by how a reseal ended for them.
type Resealed struct {
	Afresh     int // were sealed with an older secret, and now are with the first one
	Kept       int // were sealed with the first secret before
	Unreadable int // cannot be opened, and were not changed
	Webhooks   int // accounts whose webhook is unreadable
	// Connections is of how many the settings are unreadable.
	Connections int
}

// Seals reseals what storage keeps sealed.
type Seals interface {
	// Reseal seals again what is sealed with an older secret, one text after the other,
	// while others read and write. It never overwrites what they have changed. If it is
	// interrupted, what it has done stays done. It may be repeated.
	Reseal(ctx context.Context) (Resealed, error)
}
