package sources

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/sethvargo/go-retry"

	"milaan/domain"
)

// retrying repeats requests that fail for the moment: those whose connection broke, and those
// for which the server is too busy. Requests that cannot be dialled are not repeated, since
// Registry.Open is.
type retrying struct {
	http.RoundTripper
	pause time.Duration // doubled every time
}

// requestRetries is how often a request is repeated at most.
const requestRetries = 2

// busy are the statuses of a server that may be well in a moment.
var busy = []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
	http.StatusGatewayTimeout}

// RoundTrip returns the last answer, whatever it is. Errors are *domain.ConnectorError,
// because clients above rewrite others.
func (p retrying) RoundTrip(request *http.Request) (answer *http.Response, err error) {
	left := requestRetries
	backoff := retry.WithMaxRetries(requestRetries, retry.NewExponential(p.pause))
	err = retry.Do(request.Context(), backoff, func(context.Context) (err error) {
		answer, err = p.RoundTripper.RoundTrip(request) //nolint:bodyclose // it is the caller's, or closed below
		_, undialled := errors.AsType[*unreachable](err)
		repeatable := left > 0 && (request.Body == nil || request.Body == http.NoBody)
		left--
		switch {
		case err != nil && repeatable && !undialled && !final(err) && request.Context().Err() == nil:
			return retry.RetryableError(err)
		case err == nil && repeatable && slices.Contains(busy, answer.StatusCode):
			_ = answer.Body.Close()
			return retry.RetryableError(errBusy)
		}
		return err
	})
	switch _, explained := errors.AsType[*domain.ConnectorError](err); {
	case err == nil:
		return answer, nil
	case explained:
		return nil, err
	}
	rule := ruleOf(err)
	if rule == domain.ConnAnswer {
		rule = domain.ConnUnreachable // the transport has errors without a type for broken connections
	}
	return nil, &domain.ConnectorError{Rule: rule, Cause: hushed(err)}
}

var errBusy = errors.New("the server is busy")

// final says whether an error of a request stays the same however often it is repeated.
func final(err error) bool {
	_, explained := errors.AsType[*domain.ConnectorError](err)
	return explained || ruleOf(err) == domain.ConnCertificate
}
