package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"milaan/domain"
)

// requestKey returns the request key; blank if there is no Idempotency-Key. The fault does
// not repeat what was sent.
func requestKey(h http.Header) (key string, faults domain.Faults) {
	values := h.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key = strings.Trim(values[0], " \t") // HTTP/2 leaves them in, and they are no part of the value
	faults.Add(len(values) > 1, domain.Fault{Field: domain.FieldRequestKey, Rule: domain.RuleTwice})
	faults.Add(!domain.GoodRequestKey(key), domain.Fault{Field: domain.FieldRequestKey, Rule: domain.RuleKey, Max: domain.MaxRequestKey})
	return key, faults
}

// errKeyedUnsettled replaces domain.ErrUnsettled for a request with a request key: to send
// such a request again is safe at any time.
var errKeyedUnsettled = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeUnsettled, Detail: domain.DetailKeyed,
	RetryAfter: 5 * time.Second}

// byKey returns err, or errKeyedUnsettled if it is domain.ErrUnsettled and there is a
// request key.
func byKey(key string, err error) error {
	if key != "" && errors.Is(err, domain.ErrUnsettled) {
		return errKeyedUnsettled.Caused(err)
	}
	return err
}
