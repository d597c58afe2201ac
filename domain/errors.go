package domain

import (
	"errors"
	"fmt"
	"time"
)

// Kind sorts the errors that the business knows by what the caller can do
// about them. The HTTP adapter has one table from kinds to statuses.
type Kind uint8

// The kinds. The zero Kind belongs to no Error: an error of unknown kind is a
// fault of the program.
const (
	KindInvalid         Kind = iota + 1 // the request or a file in it must be corrected
	KindUnauthenticated                 // no key or session that we accept
	KindForbidden                       // known, but not entitled
	KindMissing                         // no such thing
	KindConflict                        // it exists already, or changed meanwhile
	KindWrongMedia                      // not JSON
	KindTooLarge                        // more bytes than the contract allows
	KindTooMany                         // a rate or a cap is used up
	KindUnavailable                     // a dependency is away or the service is full: try again
	KindWrongMethod                     // the path exists, the method does not
	KindGone                            // it was there, and has been deleted
)

// Code names one error for programs: stable, never shown as a sentence. It is
// its own type so that code and text cannot be swapped unnoticed.
type Code string

// The codes.
const (
	CodeBody          Code = "body_invalid"
	CodeField         Code = "field_invalid"
	CodeFile          Code = "file_invalid"
	CodeKey           Code = "key_invalid"
	CodeSession       Code = "session_invalid"
	CodeKeyAsSession  Code = "key_as_session"
	CodePhone         Code = "phone_not_verified"
	CodeSubscription  Code = "subscription_ended"
	CodeSetup         Code = "setup_incomplete"
	CodePlan          Code = "no_pro_access"
	CodeInsecure      Code = "https_only"
	CodeRate          Code = "rate_limited"
	CodeRunCap        Code = "run_cap_reached"
	CodeBodyTooLarge  Code = "body_too_large"
	CodeMedia         Code = "not_json"
	CodeMediaHeader   Code = "media_type" // a header about the body is doubled, or says that it is compressed
	CodeNoAccount     Code = "account_missing"
	CodeAccountExists Code = "account_exists"
	CodeNoRoute       Code = "route_missing"
	CodeNoMethod      Code = "method_not_allowed"
	CodeDatabase      Code = "database_unavailable"
	CodeBusy          Code = "service_busy"
	CodeStopping      Code = "stopping"
	CodeUnsettled     Code = "outcome_unknown"
	CodeNoWebhook     Code = "webhook_missing"
	CodeWebhookPlan   Code = "webhook_not_in_plan"
	CodeNoDelivery    Code = "delivery_missing"
	CodeNoBatch       Code = "batch_missing"
	CodeBatchGone     Code = "batch_gone"
	CodeOpenBatches   Code = "too_many_batches"
	CodeKeptResults   Code = "too_many_results"
	CodeBatchQuota    Code = "batch_quota_used_up"
	CodeUnreadable    Code = "unreadable"
	CodeNothingToDo   Code = "nothing_to_do"
	CodeEngine        Code = "engine_stuck"
	CodeKeyReused     Code = "idempotency_key_reused"
	CodeKeyRunning    Code = "idempotency_key_running"
	CodeMissingSecret Code = "secret_missing"
	CodeJobFailed     Code = "job_failed"
	CodeJobGivenUp    Code = "job_given_up"
)

// Error is an error that the business knows. Text is a sentence for a person
// and says what to do next; it never holds the cause, which Unwrap gives.
type Error struct {
	Kind Kind
	Code Code
	Text string
	// RetryAfter is how long to wait before the same request can succeed;
	// zero where waiting does not help.
	RetryAfter time.Duration
	Cause      error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Text + ": " + e.Cause.Error()
	}
	return e.Text
}

// Unwrap gives the cause, which is for the log and never for a caller.
func (e *Error) Unwrap() error { return e.Cause }

// Is says that two errors are the same one if their codes are.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// The errors that need no figures. Compare with errors.Is.
var (
	ErrKey          = &Error{Kind: KindUnauthenticated, Code: CodeKey, Text: "API key missing, malformed or expired: send Authorization: Bearer <your milaan_live_ key>, or issue a new key"}
	ErrSession      = &Error{Kind: KindUnauthenticated, Code: CodeSession, Text: "session token missing, malformed or expired: sign in to the dashboard again"}
	ErrKeyAsSession = &Error{Kind: KindUnauthenticated, Code: CodeKeyAsSession, Text: "an API key cannot issue keys: send the dashboard's session token instead"}
	ErrPhone        = &Error{Kind: KindForbidden, Code: CodePhone, Text: "phone_not_verified: verify the account's phone number in the dashboard; the API is blocked until then"}
	ErrSubscription = &Error{Kind: KindForbidden, Code: CodeSubscription, Text: "the account's subscription has ended: renew it to use the API"}
	ErrSetup        = &Error{Kind: KindForbidden, Code: CodeSetup, Text: "account setup incomplete: finish it in the dashboard to use the API"}
	ErrPlan         = &Error{Kind: KindForbidden, Code: CodePlan, Text: "the account's plan has no API access: upgrade to Pro or Enterprise"}
	ErrNoAccount    = &Error{Kind: KindMissing, Code: CodeNoAccount, Text: "no account has this e-mail address"}
	ErrAccountTaken = &Error{Kind: KindConflict, Code: CodeAccountExists, Text: "an account with this e-mail address exists already"}
	ErrDatabase     = &Error{Kind: KindUnavailable, Code: CodeDatabase, Text: "the service cannot reach its database; no run was counted: retry after 5 seconds", RetryAfter: 5 * time.Second}
	ErrBusy         = &Error{Kind: KindUnavailable, Code: CodeBusy, Text: "the service is busy; no run was counted: retry after 5 seconds", RetryAfter: 5 * time.Second}
	ErrUnsettled    = &Error{Kind: KindUnavailable, Code: CodeUnsettled, Text: "the service lost its database while it was storing this, and does not know whether it did: send the same request again within 30 seconds; a run that was stored is then answered as a duplicate, and nothing is counted twice", RetryAfter: 5 * time.Second}
	ErrNoWebhook    = &Error{Kind: KindMissing, Code: CodeNoWebhook, Text: "the account has no webhook endpoint: set one with milaan webhook set"}
	ErrWebhookPlan  = &Error{Kind: KindForbidden, Code: CodeWebhookPlan, Text: "webhooks need the Enterprise plan: upgrade the account to be told of its runs"}
	ErrNoDelivery   = &Error{Kind: KindMissing, Code: CodeNoDelivery, Text: "the account has no such delivery: milaan webhook deliveries lists them"}
	ErrNoBatch      = &Error{Kind: KindMissing, Code: CodeNoBatch, Text: "no such batch: use the batch_id that POST /reconcile/batch answered with"}
	ErrBatchGone    = &Error{Kind: KindGone, Code: CodeBatchGone, Text: "the results of this batch have been deleted: send the batch again if you still need them"}
	ErrOpenBatches  = &Error{Kind: KindTooMany, Code: CodeOpenBatches, RetryAfter: time.Minute, Text: fmt.Sprintf("the account has %d batches under way: wait until one is complete, then send this one again", MaxOpenBatches)}
	ErrKeptResults  = &Error{Kind: KindTooMany, Code: CodeKeptResults, RetryAfter: 10 * time.Minute, Text: fmt.Sprintf("the account's batches keep %d GiB of files and results, the most that an account may: results are deleted some time after their batch is complete; wait for that, then send this batch again, or send fewer jobs", MaxKept>>30)}
	ErrBatchQuota   = &Error{Kind: KindUnavailable, Code: CodeBatchQuota, RetryAfter: 10 * time.Minute, Text: "the service keeps as many files and results of batches as it may, of all accounts together: results are deleted some time after their batch is complete; send this batch again after 10 minutes, or its jobs one by one to POST /reconcile"}
	ErrEngine       = &Error{Kind: KindUnavailable, Code: CodeEngine, Text: "the service does not get on with its work in the background: retry after 5 seconds", RetryAfter: 5 * time.Second}
	ErrKeyReused    = &Error{Kind: KindConflict, Code: CodeKeyReused, Text: "this Idempotency-Key stands for another request of the last 24 hours: send this request with a new key, or that one again as it was"}
	ErrKeyRunning   = &Error{Kind: KindConflict, Code: CodeKeyRunning, Text: "a request with this Idempotency-Key is under way: send this one again after 5 seconds, with the same key", RetryAfter: 5 * time.Second}

	// ErrMissingSecret keeps what another copy of the service can open from being
	// taken for lost.
	ErrMissingSecret = &Error{Kind: KindUnavailable, Code: CodeMissingSecret, Text: "the service is being given another secret key, and cannot read this everywhere yet: retry after 5 seconds", RetryAfter: 5 * time.Second}

	// ErrUnreadable is the end of a batch's job whose files were sealed with a
	// secret key that the service no longer has.
	ErrUnreadable = &Error{Kind: KindConflict, Code: CodeUnreadable, Text: "what was kept for this was sealed with another secret key and cannot be read: send it again"}
	// ErrJobFailed is the end of a batch's job through a fault of ours, which is for
	// the log alone.
	ErrJobFailed = &Error{Kind: KindUnavailable, Code: CodeJobFailed, Text: "Unexpected server error: send this job again"}
	// ErrJobGivenUp is the end of a batch's job that ended the process that did it,
	// again and again.
	ErrJobGivenUp = &Error{Kind: KindUnavailable, Code: CodeJobGivenUp, Text: fmt.Sprintf("Given up: the service broke down %d times while it was running this job. "+
		"Export both files anew and send the job again; if it is given up again, ask for help and name the batch_id", MaxDeaths)}
	// ErrNothingToDo says that a job has nothing left to do: it has been done, or
	// what it was about is gone. It never reaches a caller.
	ErrNothingToDo = &Error{Kind: KindConflict, Code: CodeNothingToDo, Text: "there is nothing left to do"}
)

// Caused gives a copy of a known error with its cause, for the log.
func (e *Error) Caused(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// ErrBody says that the request body is not the JSON object it should be.
func ErrBody(text string) *Error {
	return &Error{Kind: KindInvalid, Code: CodeBody, Text: text}
}

// ErrField says which field of the request is wrong and what it may be.
func ErrField(field, problem string) *Error {
	return &Error{Kind: KindInvalid, Code: CodeField, Text: field + " " + problem}
}

// ErrRate is the answer to a request over a rate; wait is the time left of the
// block (contract, section 7).
func ErrRate(wait time.Duration) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRate, Text: "Rate limit exceeded", RetryAfter: wait}
}

// ErrRunCap is the answer at the monthly cap, which ends with the billing cycle;
// the wording of its beginning is the contract's (section 7).
func ErrRunCap(limit int, cycle Cycle, now time.Time) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRunCap, RetryAfter: cycle.End.Start().Sub(now),
		Text: fmt.Sprintf("Run limit of %d/month reached; the next cycle begins on %s", limit, cycle.End)}
}

// KindOf finds what the business knows of an error, however deeply it is
// wrapped. It is false for a fault of the program.
func KindOf(err error) (Kind, Code, bool) {
	if e, ok := errors.AsType[*FileError](err); ok && e != nil {
		return KindInvalid, CodeFile, true
	}
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e.Kind, e.Code, true
	}
	return 0, "", false
}
