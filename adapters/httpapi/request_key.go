package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"milaan/domain"
)

// requestKey is what a caller calls a request; blank if it has no
// Idempotency-Key. The fault does not repeat what was sent.
func requestKey(h http.Header) (key string, faults domain.Faults) {
	values := h.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key = strings.Trim(values[0], " \t") // no part of a header's value, which HTTP/2 leaves in
	faults.Add(len(values) > 1, domain.Fault{Field: domain.FieldRequestKey, Rule: domain.RuleTwice})
	faults.Add(!domain.GoodRequestKey(key), domain.Fault{Field: domain.FieldRequestKey, Rule: domain.RuleKey, Max: domain.MaxRequestKey})
	return key, faults
}

// errKeyedUnsettled takes the place of domain.ErrUnsettled for a request with a
// request key, which makes sending it again safe at any time.
var errKeyedUnsettled = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeUnsettled, Detail: domain.DetailKeyed, RetryAfter: 5 * time.Second}

// byKey is err, with what a request key makes true of domain.ErrUnsettled.
func byKey(key string, err error) error {
	if key != "" && errors.Is(err, domain.ErrUnsettled) {
		return errKeyedUnsettled.Caused(err)
	}
	return err
}
