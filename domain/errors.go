package domain

import (
	"errors"
	"time"
)

// Kind groups the errors by what the caller can do about them. The HTTP adapter has one
// table that gives each kind its status.
type Kind uint8

// The kinds. No Error has the zero Kind: an error without a kind is a fault of the
// program.
const (
	KindInvalid         Kind = iota + 1 // the request or a file in it must be corrected
	KindUnauthenticated                 // the request has no valid key or session
	KindForbidden                       // the account is known and may not do this
	KindMissing                         // there is no such thing
	KindConflict                        // it exists already, or was changed in the meantime
	KindWrongMedia                      // not JSON
	KindTooLarge                        // more bytes than the contract allows
	KindTooMany                         // a rate or a cap is used up
	KindUnavailable                     // a dependency does not answer, or the service is full: try again
	KindWrongMethod                     // the path exists and does not have this method
	KindGone                            // it existed and has been deleted
	KindSlow                            // the request did not arrive in time
	KindLeft                            // the client has closed the connection
	KindFault                           // a fault of the service; the caller is not told its cause
)

// Code names an error for programs and never changes. It has a type of its own so that
// nobody can mix up a code and a text.
type Code string

// The codes that several places name. Every other code stands with its error below.
const (
	CodeBody         Code = "body_invalid"
	CodeField        Code = "field_invalid"
	CodeQuery        Code = "query_invalid"
	CodeFile         Code = "file_invalid"
	CodeSession      Code = "session_invalid"
	CodeSignedOut    Code = "session" // a page's request has no session
	CodeCrossOrigin  Code = "cross_origin"
	CodeInsecure     Code = "https_only"
	CodeRate         Code = "rate_limited"
	CodeRunCap       Code = "run_cap_reached"
	CodeBodyTooLarge Code = "body_too_large"
	CodeMedia        Code = "not_json"
	CodeMediaHeader  Code = "media_type" // a header about the body is there twice, or says that the body is compressed
	CodeNoAccount    Code = "account_missing"
	CodeNoRoute      Code = "route_missing"
	CodeNoMethod     Code = "method_not_allowed"
	CodeDatabase     Code = "database_unavailable"
	CodeBusy         Code = "service_busy"
	CodeStopping     Code = "stopping"
	CodeUnsettled    Code = "outcome_unknown"
	CodeUnreadable   Code = "unreadable"
	CodeProvider     Code = "identity_provider_unavailable"
	CodeBodyTimeout  Code = "body_timeout"
	CodeClientGone   Code = "client_gone"
	CodeDeadline     Code = "deadline"
	CodeFault        Code = "fault"
	CodeConnector    Code = "connector" // of a ConnectorError
	CodePhoneCode    Code = "phone_code_invalid"
	CodePhoneUnsent  Code = "phone_code_unsent"
)

// Detail distinguishes errors with the same code that need different words. It is blank
// if there is only one error with the code.
type Detail string

// The details.
const (
	DetailEmpty         Detail = "empty"
	DetailEmptyBatch    Detail = "empty_batch"
	DetailSyntax        Detail = "syntax"     // Value says what is wrong and where
	DetailNoObject      Detail = "no_object"  // Value is the JSON type that was sent
	DetailFieldType     Detail = "field_type" // Value is the name of a field that has another type
	DetailCutShort      Detail = "cut_short"  // the body ended too early
	DetailCompressed    Detail = "compressed" // CodeMediaHeader: the body is compressed
	DetailCoding        Detail = "coding"     // CodeMediaHeader: the body is compressed by something else than gzip or zstd
	DetailDamaged       Detail = "damaged"    // the body is not what its header says; Value is the coding
	DetailWindow        Detail = "window"     // unpacking the body takes a larger window than it may have
	DetailBlocks        Detail = "blocks"     // the compressed body has too many blocks; Value is the coding
	DetailTwice         Detail = "twice"      // CodeMediaHeader: the header is there twice; CodeQuery: the parameter Value
	DetailLacking       Detail = "lacking"    // CodeQuery: the parameter Value
	DetailBatch         Detail = "batch"      // the body of a batch
	DetailUpload        Detail = "upload"     // the files of an upload together
	DetailExpanded      Detail = "expanded"   // too large after its conversion to UTF-8
	DetailBatchExpanded Detail = "batch_expanded"
	DetailForm          Detail = "form"       // CodeMedia: a form is expected
	DetailFormTwice     Detail = "form_twice" // CodeMediaHeader: as DetailTwice, of a form
	DetailEmptyForm     Detail = "empty_form" // the rest are faults of a form
	DetailFormStart     Detail = "form_start" // it does not begin with its boundary
	DetailFormCut       Detail = "form_cut"   // it does not end with its boundary
	DetailFormAfter     Detail = "form_after" // it goes on after its last boundary
	DetailManyParts     Detail = "many_parts"
	DetailPartHeader    Detail = "part_header"
	DetailNestedParts   Detail = "nested_parts"
	DetailEncodedPart   Detail = "encoded_part"
	DetailKeyed         Detail = "keyed"       // the request has a request key
	DetailElsewhere     Detail = "elsewhere"   // Value is the issuer that makes session tokens
	DetailLink          Detail = "link"        // CodeSession: of a sign-in link
	DetailPerson        Detail = "person"      // CodeSession: the identity provider did not identify the person
	DetailBearer        Detail = "bearer"      // CodeSignedOut: the request has a key or a session token
	DetailPage          Detail = "page"        // CodeBodyTooLarge: of a page's request without files
	DetailChecksLeft    Detail = "checks_left" // CodePhoneCode: Limit guesses are left
	DetailRefused       Detail = "refused"     // CodePhoneUnsent: by the service that sends codes
	DetailNotice        Detail = "notice"      // CodeBody: signed, and not a notice of the billing provider
	DetailSandbox       Detail = "sandbox"     // CodeRunCap: of the sandbox
	DetailTesting       Detail = "testing"     // CodeBusy: the account has a test of a connection under way
	DetailTests         Detail = "tests"       // CodeBusy: other accounts have
	DetailFull          Detail = "full"        // CodeDatabase: its disk is full
)

// Error is an error that the program knows, as values. peers.Wording makes the sentence
// for people from them.
type Error struct {
	Kind   Kind
	Code   Code
	Detail Detail
	// RetryAfter is how long the caller must wait before the same request can succeed;
	// 0 if waiting does not help.
	RetryAfter time.Duration
	Cause      error

	Faults Faults // of CodeField: at least one
	Limit  int    // how many runs, batches, deaths or guesses are allowed
	Bytes  int64  // how many bytes are allowed
	Day    Day    // the day on which a limit ends
	Value  string // see Detail
}

// Error returns a text for the log. It repeats nothing of a request.
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

// Unwrap returns the cause, which is logged and never shown to a caller.
func (e *Error) Unwrap() error { return e.Cause }

// Is says whether two errors have the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// The errors that are the same for every request. Compare with errors.Is.
var (
	ErrKey       = &Error{Kind: KindUnauthenticated, Code: "key_invalid"}
	ErrSession   = &Error{Kind: KindUnauthenticated, Code: CodeSession}
	ErrLink      = &Error{Kind: KindUnauthenticated, Code: CodeSession, Detail: DetailLink}
	ErrPerson    = &Error{Kind: KindUnauthenticated, Code: CodeSession, Detail: DetailPerson}
	ErrSignedOut = &Error{Kind: KindUnauthenticated, Code: CodeSignedOut}
	ErrRole      = &Error{Kind: KindForbidden, Code: "role"}
	// ErrPhoneCode says that a phone code does not verify the number: it is wrong, its time is
	// over, its checks are used up, or the account has none.
	ErrPhoneCode     = &Error{Kind: KindInvalid, Code: CodePhoneCode}
	ErrPhoneCodesOff = &Error{Kind: KindMissing, Code: "phone_codes_off"}
	ErrPhoneUnsent   = &Error{Kind: KindUnavailable, Code: CodePhoneUnsent, RetryAfter: PhoneSendRate.Span}
	// ErrPhoneRefused says that the service that sends codes has refused one: nothing was sent.
	ErrPhoneRefused = &Error{Kind: KindUnavailable, Code: CodePhoneUnsent, Detail: DetailRefused}
	ErrNotice       = &Error{Kind: KindUnauthenticated, Code: "notice_invalid"}
	ErrNoBilling    = &Error{Kind: KindMissing, Code: "billing_off"}
	ErrBilling      = &Error{Kind: KindUnavailable, Code: "billing_unavailable", RetryAfter: 30 * time.Second}
	// ErrBillingLost says that the billing provider may have made a subscription, and has not answered.
	ErrBillingLost    = &Error{Kind: KindUnavailable, Code: "billing_lost", RetryAfter: 2 * time.Minute}
	ErrBillingRefused = &Error{Kind: KindConflict, Code: "billing_refused"}
	ErrSubscribed     = &Error{Kind: KindConflict, Code: "subscribed"}
	// ErrOpenSubscription refuses to close an account whose subscription cannot be cancelled,
	// because no billing provider is configured any more.
	ErrOpenSubscription = &Error{Kind: KindConflict, Code: "subscription_open"}
	// ErrFixedPlan says that the billing provider does not change the plan of the active
	// subscription: another one must take its place.
	ErrFixedPlan = &Error{Kind: KindConflict, Code: "subscription_fixed"}
	// ErrShownOtherwise refuses to end a subscription at once, or not at once, because its people
	// were shown something else.
	ErrShownOtherwise = &Error{Kind: KindConflict, Code: "subscription_otherwise"}
	// ErrNotEnded says that an earlier subscription cannot be ended, so that no other one is begun.
	ErrNotEnded = &Error{Kind: KindConflict, Code: "subscription_not_ended"}
	// ErrNotBegun says that an earlier subscription was ended and the other one not made.
	ErrNotBegun        = &Error{Kind: KindUnavailable, Code: "subscription_not_begun", RetryAfter: 30 * time.Second}
	ErrNoSubscription  = &Error{Kind: KindMissing, Code: "subscription_missing"}
	ErrBillingStarting = &Error{Kind: KindConflict, Code: "subscription_starting", RetryAfter: 5 * time.Second}
	ErrStaleFetch      = &Error{Kind: KindConflict, Code: "look_stale"}
	ErrKeyAsSession    = &Error{Kind: KindUnauthenticated, Code: "key_as_session"}
	ErrPhone           = &Error{Kind: KindForbidden, Code: "phone_not_verified"}
	ErrSubscription    = &Error{Kind: KindForbidden, Code: "subscription_ended"}
	ErrSetup           = &Error{Kind: KindForbidden, Code: "setup_incomplete"}
	ErrPlan            = &Error{Kind: KindForbidden, Code: "no_pro_access"}
	ErrNoAccount       = &Error{Kind: KindMissing, Code: CodeNoAccount}
	ErrAccountTaken    = &Error{Kind: KindConflict, Code: "account_exists"}
	ErrDatabase        = &Error{Kind: KindUnavailable, Code: CodeDatabase, RetryAfter: 5 * time.Second}
	ErrDiskFull        = &Error{Kind: KindUnavailable, Code: CodeDatabase, Detail: DetailFull, RetryAfter: 30 * time.Second}
	ErrBusy            = &Error{Kind: KindUnavailable, Code: CodeBusy, RetryAfter: 5 * time.Second}
	ErrTesting         = &Error{Kind: KindUnavailable, Code: CodeBusy, Detail: DetailTesting, RetryAfter: 5 * time.Second}
	ErrTests           = &Error{Kind: KindUnavailable, Code: CodeBusy, Detail: DetailTests, RetryAfter: 5 * time.Second}
	ErrUnsettled       = &Error{Kind: KindUnavailable, Code: CodeUnsettled, RetryAfter: 5 * time.Second}
	ErrNoWebhook       = &Error{Kind: KindMissing, Code: "webhook_missing"}
	ErrWebhookPlan     = &Error{Kind: KindForbidden, Code: "webhook_not_in_plan"}
	ErrNoRun           = &Error{Kind: KindMissing, Code: "run_missing"}
	ErrNoMapping       = &Error{Kind: KindMissing, Code: "mapping_missing"}
	ErrNoKey           = &Error{Kind: KindMissing, Code: "key_missing"}
	ErrKeyChanged      = &Error{Kind: KindConflict, Code: "key_changed"}
	// ErrNoNamedMapping says that the account has no mapping of that name.
	ErrNoNamedMapping = &Error{Kind: KindMissing, Code: "named_mapping_missing"}
	ErrMappingTaken   = &Error{Kind: KindConflict, Code: "mapping_exists"}
	ErrManyMappings   = &Error{Kind: KindConflict, Code: "many_mappings"}
	ErrMappingPlan    = &Error{Kind: KindForbidden, Code: "mapping_plan"}
	// ErrNoSandbox says that the operator has switched the sandbox off.
	ErrNoSandbox = &Error{Kind: KindMissing, Code: "sandbox_off"}
	// ErrNoMember says that the account has neither such a member nor such an invitation.
	ErrNoMember     = &Error{Kind: KindMissing, Code: "member_missing"}
	ErrMemberExists = &Error{Kind: KindConflict, Code: "member_exists"}
	// ErrOwnAddress says that the account's own address is always an owner.
	ErrOwnAddress = &Error{Kind: KindConflict, Code: "own_address"}
	ErrPeople     = &Error{Kind: KindConflict, Code: "too_many_people", Limit: MaxPeople}
	// ErrInvitation says that no open invitation has the token.
	ErrInvitation = &Error{Kind: KindMissing, Code: "invitation_invalid"}
	// ErrInvited says that the invitation is for somebody else than who has signed in.
	ErrInvited = &Error{Kind: KindForbidden, Code: "invitation_of_another"}
	// ErrNotMember says that the person does not work for the account, or that there is none.
	ErrNotMember = &Error{Kind: KindForbidden, Code: "not_a_member"}
	// ErrWhichAccount says that a session token names no account by itself.
	ErrWhichAccount = &Error{Kind: KindForbidden, Code: "account_not_chosen"}
	ErrSignUps      = &Error{Kind: KindTooMany, Code: "too_many_sign_ups", RetryAfter: time.Hour}
	ErrNoBranding   = &Error{Kind: KindMissing, Code: "branding_missing"}
	ErrBrandingPlan = &Error{Kind: KindForbidden, Code: "branding_not_in_plan"}
	ErrNoDelivery   = &Error{Kind: KindMissing, Code: "delivery_missing"}
	ErrNoConnection = &Error{Kind: KindMissing, Code: "connection_missing"}
	ErrConnections  = &Error{Kind: KindConflict, Code: "too_many_connections", Limit: MaxConnections}
	// ErrBrandTaken says that another connection of the account has the brand.
	ErrBrandTaken = &Error{Kind: KindConflict, Code: "connection_exists"}
	// ErrConnectionChanged says that somebody else has changed the connection since it was shown.
	ErrConnectionChanged = &Error{Kind: KindConflict, Code: "connection_changed"}
	ErrAutopilotPlan     = &Error{Kind: KindForbidden, Code: "autopilot_not_in_plan"}
	// ErrPassRunning says that a pass of the connection is under way or waits.
	ErrPassRunning = &Error{Kind: KindConflict, Code: "pass_running", RetryAfter: time.Minute}
	ErrNoKeptFile  = &Error{Kind: KindMissing, Code: "kept_file_missing"}
	ErrMailLink    = &Error{Kind: KindMissing, Code: "mail_link_invalid"}
	ErrNoSeenFile  = &Error{Kind: KindMissing, Code: "seen_file_missing"}
	ErrNoIgnored   = &Error{Kind: KindMissing, Code: "ignored_file_missing"}
	// ErrNoItems says that nobody has said to keep the open items of a connection.
	ErrNoItems = &Error{Kind: KindMissing, Code: "open_items_not_kept"}
	// ErrItemsUnread says that the open items of a connection are kept and this program cannot read them.
	ErrItemsUnread = &Error{Kind: KindMissing, Code: "open_items_unreadable"}
	// ErrNothingToDispute says that nothing is asked of a courier.
	ErrNothingToDispute = &Error{Kind: KindConflict, Code: "nothing_to_dispute"}
	// ErrItemChanged says that somebody else has changed the mark of an order meanwhile.
	ErrItemChanged = &Error{Kind: KindConflict, Code: "open_item_changed"}
	// ErrIgnored says that a connection would have more than MaxIgnoredFiles.
	ErrIgnored = &Error{Kind: KindConflict, Code: "too_many_ignored_files", Limit: MaxIgnoredFiles}
	// ErrKeptFiles says that the files that a connection keeps would be more than
	// MaxKeptFiles or MaxKeptBytes.
	ErrKeptFiles   = &Error{Kind: KindConflict, Code: "too_many_kept_files", Limit: MaxKeptFiles, Bytes: MaxKeptBytes}
	ErrNoBatch     = &Error{Kind: KindMissing, Code: "batch_missing"}
	ErrBatchGone   = &Error{Kind: KindGone, Code: "batch_gone"}
	ErrOpenBatches = &Error{Kind: KindTooMany, Code: "too_many_batches", RetryAfter: time.Minute, Limit: MaxOpenBatches}
	ErrKeptResults = &Error{Kind: KindTooMany, Code: "too_many_results", RetryAfter: 10 * time.Minute, Bytes: MaxKept}
	ErrBatchQuota  = &Error{Kind: KindUnavailable, Code: "batch_quota_used_up", RetryAfter: 10 * time.Minute}
	// ErrFault is a fault of the service. Its cause is for the log.
	ErrFault      = &Error{Kind: KindFault, Code: CodeFault}
	ErrEngine     = &Error{Kind: KindUnavailable, Code: "engine_stuck", RetryAfter: 5 * time.Second}
	ErrKeyReused  = &Error{Kind: KindConflict, Code: "idempotency_key_reused"}
	ErrKeyRunning = &Error{Kind: KindConflict, Code: "idempotency_key_running", RetryAfter: 5 * time.Second}

	// ErrHeld says that nothing is sent, because the operator has not said yet that a restored
	// copy of the service is to go on.
	ErrHeld    = &Error{Kind: KindUnavailable, Code: "held"}
	ErrNotHeld = &Error{Kind: KindConflict, Code: "not_held"}

	// ErrMissingSecret says that this instance does not have the secret with which
	// something is sealed. Another instance may have it, so the data are not lost.
	ErrMissingSecret = &Error{Kind: KindUnavailable, Code: "secret_missing", RetryAfter: 5 * time.Second}

	// ErrUnreadable ends a batch's job whose files are sealed with a secret that the
	// service no longer has.
	ErrUnreadable = &Error{Kind: KindConflict, Code: CodeUnreadable}
	// ErrJobFailed ends a batch's job after a fault of the service. Only the log says
	// what happened.
	ErrJobFailed = &Error{Kind: KindUnavailable, Code: "job_failed"}
	// ErrJobGivenUp ends a batch's job after MaxDeaths instances have died at it.
	ErrJobGivenUp = &Error{Kind: KindUnavailable, Code: "job_given_up", Limit: MaxDeaths}
	// ErrNothingToDo says that a job has nothing left to do, because it has been done or
	// what it was about has been deleted. It never reaches a caller.
	ErrNothingToDo = &Error{Kind: KindConflict, Code: "nothing_to_do"}
)

// Caused returns a copy of the error with its cause, which is for the log.
func (e *Error) Caused(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// ErrBody returns the error of a request body that is not the expected JSON object. The
// detail says what value is.
func ErrBody(detail Detail, value string) *Error {
	return &Error{Kind: KindInvalid, Code: CodeBody, Detail: detail, Value: value}
}

// ErrRate returns the error of a throttled request. wait is how long the caller must
// wait (guide: limits 3).
func ErrRate(wait time.Duration) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRate, RetryAfter: wait}
}

// ErrPhoneGuess returns ErrPhoneCode for a wrong guess, after which left more are judged.
func ErrPhoneGuess(left int) *Error {
	if left <= 0 {
		return ErrPhoneCode
	}
	return &Error{Kind: KindInvalid, Code: CodePhoneCode, Detail: DetailChecksLeft, Limit: left}
}

// ErrInvitations returns the error of an account that has made MaxInvitations in
// InvitationSpan. wait is how long it must wait.
func ErrInvitations(wait time.Duration) *Error {
	return &Error{Kind: KindTooMany, Code: "too_many_invitations", RetryAfter: wait, Limit: MaxInvitations}
}

// ErrRunCap returns the error of a request over the monthly cap. The cap applies until
// the billing cycle ends.
func ErrRunCap(limit int, cycle Cycle, now time.Time) *Error {
	return &Error{Kind: KindTooMany, Code: CodeRunCap, RetryAfter: cycle.End.Start().Sub(now), Limit: limit, Day: cycle.End}
}

// KindOf returns the kind and the code of the Error, FileError or ConnectorError that err wraps. It
// returns false for any other error, which is a fault of the program.
func KindOf(err error) (Kind, Code, bool) {
	if e, ok := errors.AsType[*FileError](err); ok && e != nil {
		return KindInvalid, CodeFile, true
	}
	if e, ok := errors.AsType[*ConnectorError](err); ok && e != nil {
		return KindInvalid, CodeConnector, true
	}
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e.Kind, e.Code, true
	}
	return 0, "", false
}
