package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

// statuses is the one table from what the business knows to what HTTP says
// (contract, section 7).
var statuses = map[domain.Kind]int{
	domain.KindInvalid:         http.StatusBadRequest,
	domain.KindUnauthenticated: http.StatusUnauthorized,
	domain.KindForbidden:       http.StatusForbidden,
	domain.KindMissing:         http.StatusNotFound,
	domain.KindConflict:        http.StatusConflict,
	domain.KindWrongMedia:      http.StatusUnsupportedMediaType,
	domain.KindTooLarge:        http.StatusRequestEntityTooLarge,
	domain.KindTooMany:         http.StatusTooManyRequests,
	domain.KindUnavailable:     http.StatusServiceUnavailable,
	domain.KindGone:            http.StatusGone,
	domain.KindWrongMethod:     http.StatusMethodNotAllowed,
}

// The errors that only the transport knows.
var (
	errNoRoute       = &domain.Error{Kind: domain.KindMissing, Code: domain.CodeNoRoute, Text: "no such path: GET /docs lists what there is"}
	errNoMethod      = &domain.Error{Kind: domain.KindWrongMethod, Code: domain.CodeNoMethod, Text: "this path has no such method: see the Allow header"}
	errInsecure      = &domain.Error{Kind: domain.KindForbidden, Code: domain.CodeInsecure, Text: "HTTPS only: send the request to the https:// address"}
	errMedia         = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMedia, Text: "Content-Type must be application/json in UTF-8"}
	errPacked        = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Text: "Content-Encoding is not accepted: send the body uncompressed"}
	errTooLarge      = &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Text: "request body larger than 25 MB (26,214,400 bytes): split the two files by period and send them one after the other"}
	errBatchSize     = &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Text: "request body larger than 25 MB (26,214,400 bytes): send fewer jobs in one batch"}
	errMediaTwice    = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Text: "Content-Type and Content-Encoding may be given once each: send Content-Type: application/json alone"}
	errExpanded      = &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Text: "the files are larger than 25 MB (26,214,400 bytes) once U+FFFD stands for each byte that is not UTF-8: send them as UTF-8"}
	errBatchExpanded = &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Text: "the request body is larger than 25 MB (26,214,400 bytes) once U+FFFD stands for each byte that is not UTF-8: send UTF-8, or fewer jobs in one batch"}
	// Jobs of a batch that was sent again may run too late to be duplicates.
	errBatchUnsettled = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeUnsettled, Text: "the service lost its database while it was storing this batch, and does not know whether it did: if you send it again, jobs whose runs are stored more than 30 seconds apart count twice; an Idempotency-Key rules that out", RetryAfter: 5 * time.Second}
	errCutShort       = domain.ErrBody("the request body ended before the length that its header announced")
	errDraining       = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeStopping, Text: "the service is stopping: retry after 5 seconds", RetryAfter: 5 * time.Second}
)

// The answers that do not depend on the error's own text.
const (
	faultText    = "unexpected error in the service: retry once after 5 seconds, and quote X-Request-Id if it stays"
	slowBodyText = "the request body did not arrive in time: send it again over a faster connection"

	// statusClientOff is for the log and the figures: nobody reads the answer.
	statusClientOff = 499
)

// refusal is the answer to an error.
type refusal struct {
	status int
	text   string        // where known is nil
	known  error         // has words in the catalogue
	wait   time.Duration // 0: waiting does not help
	code   string        // for the figures and the log
}

// refuse finds the answer to an error, however deeply it is wrapped. What
// nobody knows is a fault of ours: 500, and not a word of the cause.
func refuse(err error) refusal {
	switch {
	case errors.Is(err, intake.ErrSlow):
		return refusal{status: http.StatusRequestTimeout, text: slowBodyText, code: "body_timeout"}
	case errors.Is(err, intake.ErrClientGone):
		return refusal{status: statusClientOff, text: intake.ErrClientGone.Error(), code: "client_gone"}
	case errors.Is(err, intake.ErrTooLarge):
		err = errTooLarge
	case errors.Is(err, intake.ErrCutShort):
		err = errCutShort
	}
	kind, code, known := domain.KindOf(err)
	status, listed := statuses[kind]
	switch {
	case known && listed:
		r := refusal{status: status, known: err, code: string(code)}
		if e, ok := errors.AsType[*domain.Error](err); ok {
			r.wait = e.RetryAfter
		}
		return r
	case !known && errors.Is(err, context.DeadlineExceeded):
		return refusal{status: http.StatusServiceUnavailable, known: domain.ErrBusy, wait: domain.ErrBusy.RetryAfter, code: "deadline"}
	}
	return refusal{status: http.StatusInternalServerError, text: faultText, code: "fault"}
}

// in gives the answer's text in some words.
func (r refusal) in(words ports.Wording) string {
	if r.known == nil {
		return r.text
	}
	return string(words.AppendError(nil, r.known, Names{}))
}

// seconds rounds a wait up to whole seconds, at least 1, for Retry-After: a
// caller that keeps to it must not come too early.
func seconds(wait time.Duration) int64 {
	return max(1, int64((wait+time.Second-1)/time.Second))
}

// errorBody is the contract's one-field object. The characters <, > and & stay
// as they are, for people read it.
func errorBody(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct {
		Error string `json:"error"`
	}{text}) // a string can always be encoded
	return b.Bytes()
}
