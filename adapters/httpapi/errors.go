package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/adapters/httpapi/unpack"
	"milaan/domain"
)

// statuses is the one table from kinds of errors to statuses of HTTP.
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
	domain.KindSlow:            http.StatusRequestTimeout,
	domain.KindLeft:            statusClientGone,
	domain.KindFault:           http.StatusInternalServerError,
}

// statusClientGone is for the log and the metrics, because nobody reads the answer.
const statusClientGone = 499

// The errors that only HTTP has.
var (
	errNoRoute    = &domain.Error{Kind: domain.KindMissing, Code: domain.CodeNoRoute}
	errNoMethod   = &domain.Error{Kind: domain.KindWrongMethod, Code: domain.CodeNoMethod}
	errQuery      = &domain.Error{Kind: domain.KindInvalid, Code: domain.CodeQuery}
	errInsecure   = &domain.Error{Kind: domain.KindForbidden, Code: domain.CodeInsecure}
	errMedia      = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMedia}
	errPacked     = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Detail: domain.DetailCompressed}
	errCoding     = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Detail: domain.DetailCoding}
	errMediaTwice = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Detail: domain.DetailTwice}
	errForm       = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMedia, Detail: domain.DetailForm}
	errFormTwice  = &domain.Error{Kind: domain.KindWrongMedia, Code: domain.CodeMediaHeader, Detail: domain.DetailFormTwice}

	errTooLarge       = tooLarge("", intake.MaxBody)
	errBatchSize      = tooLarge(domain.DetailBatch, intake.MaxBody)
	errExpanded       = tooLarge(domain.DetailExpanded, jsonbody.MaxTexts)
	errUploadExpanded = tooLarge(domain.DetailExpanded, intake.MaxUpload)
	errBatchExpanded  = tooLarge(domain.DetailBatchExpanded, jsonbody.MaxTexts)
	errUploadSize     = tooLarge(domain.DetailUpload, intake.MaxUpload)

	// If a batch is sent again, its jobs may run too late to be duplicates.
	errBatchUnsettled = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeUnsettled, Detail: domain.DetailBatch,
		RetryAfter: 5 * time.Second}
	errCutShort   = domain.ErrBody(domain.DetailCutShort, "")
	errWindow     = domain.ErrBody(domain.DetailWindow, "")
	errDraining   = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeStopping, RetryAfter: 5 * time.Second}
	errSlowBody   = &domain.Error{Kind: domain.KindSlow, Code: domain.CodeBodyTimeout}
	errClientGone = &domain.Error{Kind: domain.KindLeft, Code: domain.CodeClientGone}
	errDeadline   = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeDeadline, RetryAfter: 5 * time.Second}
)

func tooLarge(detail domain.Detail, most int64) *domain.Error {
	return &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Detail: detail, Bytes: most}
}

// errDamaged is for a body that is not what its header says.
func errDamaged(by unpack.Coding) error { return domain.ErrBody(domain.DetailDamaged, string(by)) }

func errBlocks(by unpack.Coding) error { return domain.ErrBody(domain.DetailBlocks, string(by)) }

type refusal struct {
	status int
	err    error         // the catalogue has its words
	wait   time.Duration // for Retry-After; 0: waiting does not help
	code   domain.Code
}

// refuse returns the answer to an error, however deeply it is wrapped. An error that it
// does not know is a fault of the service: its answer is a 500 without the cause.
func refuse(err error) refusal {
	switch {
	case errors.Is(err, intake.ErrSlow):
		err = errSlowBody
	case errors.Is(err, intake.ErrClientGone):
		err = errClientGone
	case errors.Is(err, intake.ErrTooLarge):
		err = errTooLarge
	case errors.Is(err, intake.ErrUploadTooLarge):
		err = errUploadSize
	case errors.Is(err, intake.ErrCutShort):
		err = errCutShort
	}
	kind, code, known := domain.KindOf(err)
	if code == domain.CodeNoAccount { // it was closed since its key was checked
		err = domain.ErrKey.Caused(err)
		kind, code, known = domain.KindOf(err)
	}
	status, listed := statuses[kind]
	switch {
	case known && listed:
		r := refusal{status: status, err: err, code: code}
		if e, ok := errors.AsType[*domain.Error](err); ok {
			r.wait = e.RetryAfter
		}
		return r
	case !known && errors.Is(err, context.DeadlineExceeded):
		return refuse(errDeadline)
	}
	return refuse(domain.ErrFault)
}

// seconds rounds a wait up to whole seconds, at least 1, for Retry-After: a caller that
// waits so long must not come too early.
func seconds(wait time.Duration) int64 { return max(1, int64((wait+time.Second-1)/time.Second)) }

// errorBody returns the contract's object with the one field error.
func errorBody(text string) []byte {
	return dashboard.Encode(struct {
		Error string `json:"error"`
	}{text})
}
