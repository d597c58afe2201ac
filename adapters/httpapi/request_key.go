package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"milaan/domain"
)

// requestKey is what a caller calls a request; blank if it has no
// Idempotency-Key. The error is one with CodeField, and does not repeat what was
// sent.
func requestKey(h http.Header) (string, error) {
	values := h.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", domain.ErrField("Idempotency-Key", "is there more than once: send one such header, or none")
	}
	key := strings.Trim(values[0], " \t") // no part of a header's value, which HTTP/2 leaves in
	if !domain.GoodRequestKey(key) {
		return "", domain.ErrField("Idempotency-Key",
			fmt.Sprintf("must be 1 to %d printable characters of ASCII: send a new UUID for each new request, or no such header", domain.MaxRequestKey))
	}
	return key, nil
}

// errKeyedUnsettled takes the place of domain.ErrUnsettled for a request with a
// request key, which makes sending it again safe at any time.
var errKeyedUnsettled = &domain.Error{Kind: domain.KindUnavailable, Code: domain.CodeUnsettled, Text: "the service lost its database while it was storing this, and does not know whether it did: send the same request again with the same Idempotency-Key within 24 hours; what was stored is then answered, and nothing is done twice", RetryAfter: 5 * time.Second}

// byKey is err, with what a request key makes true of domain.ErrUnsettled.
func byKey(key string, err error) error {
	if key != "" && errors.Is(err, domain.ErrUnsettled) {
		return errKeyedUnsettled.Caused(err)
	}
	return err
}
