package domain

import (
	"errors"
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
	KindSlow                            // the request did not arrive in time
	KindLeft                            // nobody waits for the answer any more
	KindFault                           // a fault of ours, of which the caller is told nothing
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
	CodeProvider      Code = "identity_provider_unavailable"
	CodeBodyTimeout   Code = "body_timeout"
	CodeClientGone    Code = "client_gone"
	CodeDeadline      Code = "deadline"
	CodeFault         Code = "fault"
)

// Detail tells errors of one code apart that need other words; blank where there
// is one such error.
type Detail string

// The details of errors about the body of a request, and of others.
const (
	DetailEmpty         Detail = "empty"
	DetailEmptyBatch    Detail = "empty_batch"
	DetailSyntax        Detail = "syntax"     // Value says where and what
	DetailNoObject      Detail = "no_object"  // Value is the JSON type sent
	DetailCutShort      Detail = "cut_short"  // it ended early
	DetailCompressed    Detail = "compressed" // of CodeMediaHeader
	DetailTwice         Detail = "twice"      // the same
	DetailBatch         Detail = "batch"      // of a batch
	DetailExpanded      Detail = "expanded"   // too large once it is UTF-8
	DetailBatchExpanded Detail = "batch_expanded"
	DetailKeyed         Detail = "keyed"     // of a request with a request key
	DetailElsewhere     Detail = "elsewhere" // Value is who makes session tokens
)

// Error is an error that the business knows, as values. ports.Wording has the words
// that people are told.
type Error struct {
	Kind   Kind
	Code   Code
	Detail Detail
	// RetryAfter is how long to wait before the same request can succeed;
	// zero where waiting does not help.
	RetryAfter time.Duration
	Cause      error

	Faults Faults // of CodeField, at least one
	Limit  int    // what may not be passed: runs, batches, deaths
	Bytes  int64  // the same, of bytes
	Day    Day    // on which a limit ends
	Value  string // see Detail
}

// Error is for the log: it repeats nothing of a request.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Detail != "" {
		text += "/" + string(e.Detail)
	}
	for _, f := range e.Faults {
		text += " " + f.Field.String() + "/" + string(f.Rule)
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
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
	ErrKey          = &Error{Kind: KindUnauthenticated, Code: CodeKey}
	ErrSession      = &Error{Kind: KindUnauthenticated, Code: CodeSession}
	ErrKeyAsSession = &Error{Kind: KindUnauthenticated, Code: CodeKeyAsSession}
	ErrPhone        = &Error{Kind: KindForbidden, Code: CodePhone}
	ErrSubscription = &Error{Kind: KindForbidden, Code: CodeSubscription}
	ErrSetup        = &Error{Kind: KindForbidden, Code: CodeSetup}
	ErrPlan         = &Error{Kind: KindForbidden, Code: CodePlan}
	ErrNoAccount    = &Error{Kind: KindMissing, Code: CodeNoAccount}
	ErrAccountTaken = &Error{Kind: KindConflict, Code: CodeAccountExists}
	ErrDatabase     = &Error{Kind: KindUnavailable, Code: CodeDatabase, RetryAfter: 5 * time.Second}
	ErrBusy         = &Error{Kind: KindUnavailable, Code: CodeBusy, RetryAfter: 5 * time.Second}
	ErrUnsettled    = &Error{Kind: KindUnavailable, Code: CodeUnsettled, RetryAfter: 5 * time.Second}
	ErrNoWebhook    = &Error{Kind: KindMissing, Code: CodeNoWebhook}
	ErrWebhookPlan  = &Error{Kind: KindForbidden, Code: CodeWebhookPlan}
	ErrNoDelivery   = &Error{Kind: KindMissing, Code: CodeNoDelivery}
	ErrNoBatch      = &Error{Kind: KindMissing, Code: CodeNoBatch}
	ErrBatchGone    = &Error{Kind: KindGone, Code: CodeBatchGone}
	ErrOpenBatches  = &Error{Kind: KindTooMany, Code: CodeOpenBatches, RetryAfter: time.Minute, Limit: MaxOpenBatches}
	ErrKeptResults  = &Error{Kind: KindTooMany, Code: CodeKeptResults, RetryAfter: 10 * time.Minute, Bytes: MaxKept}
	ErrBatchQuota   = &Error{Kind: KindUnavailable, Code: CodeBatchQuota, RetryAfter: 10 * time.Minute}
	ErrEngine       = &Error{Kind: KindUnavailable, Code: CodeEngine, RetryAfter: 5 * time.Second}
	ErrKeyReused    = &Error{Kind: KindConflict, Code: CodeKeyReused}
	ErrKeyRunning   = &Error{Kind: KindConflict, Code: CodeKeyRunning, RetryAfter: 5 * time.Second}

	// ErrMissingSecret keeps what another copy of the service can open from being
	// taken for lost.
	ErrMissingSecret = &Error{Kind: KindUnavailable, Code: CodeMissingSecret, RetryAfter: 5 * time.Second}

	// ErrUnreadable is the end of a batch's job whose files were sealed with a
	// secret key that the service no longer has.
	ErrUnreadable = &Error{Kind: KindConflict, Code: CodeUnreadable}
	// ErrJobFailed is the end of a batch's job through a fault of ours, which is for
	// the log alone.
	ErrJobFailed = &Error{Kind: KindUnavailable, Code: CodeJobFailed}
	// ErrJobGivenUp is the end of a batch's job that ended the process that did it,
	// again and again.
	ErrJobGivenUp = &Error{Kind: KindUnavailable, Code: CodeJobGivenUp, Limit: MaxDeaths}
	// ErrNothingToDo says that a job has nothing left to do: it has been done, or
	// what it was about is gone. It never reaches a caller.
	ErrNothingToDo = &Error{Kind: KindConflict, Code: CodeNothingToDo}
)

// Caused gives a copy of a known error with its cause, for the log.
func (e *Error) Caused(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// ErrBody says that the request body is not the JSON object it should be. value is
// what the detail says of it.
func ErrBody(detail Detail, value string) *Error {
	return &Error{Kind: KindInvalid, Code: CodeBody, Detail: detail, Value: value}
}

// ErrRate is the answer to a request over a rate; wait is the time left of the
// block (contract, section 7).
func ErrRate(wait time.Duration) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRate, RetryAfter: wait}
}

// ErrRunCap is the answer at the monthly cap, which ends with the billing cycle.
func ErrRunCap(limit int, cycle Cycle, now time.Time) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRunCap, RetryAfter: cycle.End.Start().Sub(now), Limit: limit, Day: cycle.End}
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
