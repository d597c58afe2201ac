package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/intake"
	"milaan/domain"
)

func TestEveryKindHasItsStatus(t *testing.T) {
	for kind := domain.KindInvalid; kind <= domain.KindFault; kind++ {
		require.Contains(t, statuses, kind)
	}
	require.NotContains(t, statuses, domain.Kind(0))
	require.Len(t, statuses, int(domain.KindFault))
}

// Errors as the use cases and the transport return them, bare, with a cause,
// and wrapped.
func TestErrorsBecomeTheContractsAnswers(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.7: password authentication failed")
	december := domain.Cycle{Start: domain.DayFromDate(2026, time.December, 1), End: domain.DayFromDate(2027, time.January, 1)}
	file := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmount, Line: 3, Column: "COD Amount", Value: "abc"}
	for _, c := range []struct {
		err    error
		status int
		text   string
		wait   time.Duration
	}{
		{domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing, Job: 3}}.Err(), 400, "jobs[2].brand is missing: name the brand that the job is for", 0},
		{file, 400, said(file), 0},
		{domain.ErrFile, 400, said(domain.ErrFile), 0},
		{domain.ErrKey, 401, said(domain.ErrKey), 0},
		{domain.ErrSession.Caused(secret), 401, said(domain.ErrSession), 0},
		{domain.ErrKeyAsSession, 401, said(domain.ErrKeyAsSession), 0},
		{domain.ErrPhone, 403, said(domain.ErrPhone), 0},
		{domain.ErrSubscription, 403, said(domain.ErrSubscription), 0},
		{domain.ErrSetup, 403, said(domain.ErrSetup), 0},
		{domain.ErrPlan, 403, said(domain.ErrPlan), 0},
		{errInsecure, 403, said(errInsecure), 0},
		{errNoRoute, 404, said(errNoRoute), 0},
		{domain.ErrNoAccount, 404, said(domain.ErrNoAccount), 0},
		{domain.ErrNoBatch, 404, said(domain.ErrNoBatch), 0},
		{domain.ErrBatchGone.Caused(secret), 410, said(domain.ErrBatchGone), 0},
		{errNoMethod, 405, said(errNoMethod), 0},
		{domain.ErrAccountTaken, 409, said(domain.ErrAccountTaken), 0},
		{domain.ErrKeyReused.Caused(secret), 409, said(domain.ErrKeyReused), 0},
		{domain.ErrKeyRunning.Caused(secret), 409, said(domain.ErrKeyRunning), 5 * time.Second},
		{errKeyedUnsettled.Caused(secret), 503, said(errKeyedUnsettled), 5 * time.Second},
		{intake.ErrSlow, 408, said(errSlowBody), 0},
		{intake.ErrCutShort, 400, said(errCutShort), 0},
		{intake.ErrTooLarge, 413, said(errTooLarge), 0},
		{errBatchSize, 413, said(errBatchSize), 0},
		{errMedia, 415, said(errMedia), 0},
		{domain.ErrRate(90 * time.Second), 429, "Rate limit exceeded", 90 * time.Second},
		{domain.ErrRunCap(10, december, december.End.Start().Add(-time.Hour)), 429, "Run limit of 10/month reached; the next cycle begins on 2027-01-01", time.Hour},
		{domain.ErrOpenBatches, 429, said(domain.ErrOpenBatches), time.Minute},
		{domain.ErrKeptResults, 429, said(domain.ErrKeptResults), 10 * time.Minute},
		{domain.ErrBatchQuota, 503, said(domain.ErrBatchQuota), 10 * time.Minute},
		{intake.ErrClientGone, 499, said(errClientOff), 0},
		{domain.ErrDatabase.Caused(secret), 503, said(domain.ErrDatabase), 5 * time.Second},
		{domain.ErrDatabase.Caused(context.DeadlineExceeded), 503, said(domain.ErrDatabase), 5 * time.Second},
		{domain.ErrEngine.Caused(secret), 503, said(domain.ErrEngine), 5 * time.Second},
		{domain.ErrBusy, 503, said(domain.ErrBusy), 5 * time.Second},
		{domain.ErrUnsettled.Caused(secret), 503, said(domain.ErrUnsettled), 5 * time.Second},
		{context.DeadlineExceeded, 503, said(domain.ErrBusy), 5 * time.Second},
		{secret, 500, said(errFault), 0},
		{&domain.Error{Code: "of no kind", Cause: secret}, 500, said(errFault), 0},
		{&panicked{value: secret}, 500, said(errFault), 0},
	} {
		for depth, err := range []error{c.err, fmt.Errorf("reconcile: %w", c.err), errors.Join(fmt.Errorf("undo: %w", c.err))} {
			got := refuse(err)
			require.Equal(t, c.status, got.status, "%v, depth %d", err, depth)
			require.Equal(t, c.text, said(got.err))
			require.Equal(t, c.wait, got.wait)
			require.NotContains(t, said(got.err), "password")
		}
	}
}

func TestRetryAfterIsNeverTooEarly(t *testing.T) {
	for wait, want := range map[time.Duration]int64{1: 1, time.Second: 1, time.Second + 1: 2, 299*time.Second + 1: 300, 300 * time.Second: 300} {
		require.Equal(t, want, seconds(wait), wait)
	}
}

func TestErrorBodyIsOneFieldThatPeopleCanRead(t *testing.T) {
	require.Equal(t, "{\"error\":\"a <b> & \\\"c\\\"\"}\n", string(errorBody(`a <b> & "c"`)))
}

func TestAnswersOfErrors(t *testing.T) {
	s := &service{}
	s.start(t, Settings{})
	fails := func(err error) reply {
		s.admit = nil
		s.reconcile = nil
		if errors.Is(err, domain.ErrKey) || errors.Is(err, domain.ErrPhone) || errors.Is(err, domain.ErrRate(0)) {
			s.admit = func(context.Context, string) (caller, error) { return caller{}, err }
		} else {
			s.reconcile = func(context.Context, caller, request) (*outcome, error) { return nil, err }
		}
		return do(t, s.post(t, text(goodBody)))
	}

	got := fails(domain.ErrKey)
	demandError(t, got, http.StatusUnauthorized, said(domain.ErrKey))
	require.Equal(t, "Bearer", got.header.Get("WWW-Authenticate"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))

	demandError(t, fails(domain.ErrPhone), http.StatusForbidden, said(domain.ErrPhone))

	got = fails(domain.ErrRate(299*time.Second + time.Millisecond))
	demandError(t, got, http.StatusTooManyRequests, "Rate limit exceeded")
	require.Equal(t, "300", got.header.Get("Retry-After"))

	november := domain.Cycle{Start: domain.DayFromDate(2026, time.November, 1), End: domain.DayFromDate(2026, time.December, 1)}
	got = fails(domain.ErrRunCap(10, november, november.End.Start().Add(-90*time.Minute)))
	require.Contains(t, got.body, "Run limit of 10/month reached")
	require.Equal(t, "5400", got.header.Get("Retry-After"), "until the next cycle begins")

	got = fails(&domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Line: 7, Column: "Total", Value: "12,x"})
	demandError(t, got, http.StatusBadRequest, `storefront file (shopify), line 7, column "Total": "12,x" is not an amount; write it like 1299.50`)
	require.NotContains(t, s.log.String(), "12,x", "a file's content is in the log")

	got = fails(fmt.Errorf("settle: %w", domain.ErrDatabase.Caused(errors.New("no route to db-7"))))
	demandError(t, got, http.StatusServiceUnavailable, said(domain.ErrDatabase))
	require.Equal(t, "5", got.header.Get("Retry-After"))
	require.Contains(t, s.log.String(), "no route to db-7")

	got = fails(errors.New("invariant 12 broken"))
	demandError(t, got, http.StatusInternalServerError, said(errFault))
	require.Contains(t, s.log.String(), "invariant 12 broken")
	require.Contains(t, s.log.String(), got.header.Get("X-Request-Id"))
}

func TestPanicsAreFaults(t *testing.T) {
	s := &service{}
	s.start(t, Settings{})
	s.reconcile = func(context.Context, caller, request) (*outcome, error) { panic("row 9 of nothing") }
	got := do(t, s.post(t, text(goodBody)))
	demandError(t, got, http.StatusInternalServerError, said(errFault))
	require.Contains(t, s.log.String(), "row 9 of nothing")
	require.Contains(t, s.log.String(), "errors_test.go", "the stack")

	s.reconcile = nil
	require.Equal(t, http.StatusOK, do(t, s.post(t, text(goodBody))).status, "and the service goes on")
}

func TestAnAnswerThatBreaksOffIsNoWholeAnswer(t *testing.T) {
	s := &service{}
	s.start(t, Settings{})
	for name, write := range map[string]func(writer) error{
		"error": func(w writer) error { _, _ = w.Write([]byte(`{"results":[`)); return errors.New("lost a row") },
		"panic": func(w writer) error { _, _ = w.Write([]byte(`{"results":[`)); panic("lost a row") },
	} {
		t.Run(name, func(t *testing.T) {
			s.write = func(w writer, _ *outcome, _ bool) error { return write(w) }
			_, err := attempt(s.post(t, text(goodBody)))
			require.Error(t, err)
			require.Contains(t, s.log.String(), "lost a row")
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, 2, s.released)
}
