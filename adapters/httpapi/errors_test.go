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

func TestEveryKindHasAStatus(t *testing.T) {
	for kind := domain.Kind(1); kind <= domain.KindFault; kind++ {
		require.Contains(t, statuses, kind)
	}
}

// Errors as the use cases and the transport return them, bare, with a cause,
// and wrapped. Which kind an error is of stands where it is declared.
func TestErrorsBecomeTheContractsAnswers(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.7: password authentication failed")
	file := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmount, Line: 3, Column: "COD Amount", Value: "abc"}
	for _, c := range []struct {
		err    error
		status int
		text   string
		wait   time.Duration
	}{
		{domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing, Job: 3}}.Err(), 400, "jobs[2].brand is missing: name the brand that the job is for", 0},
		{file, 400, said(file), 0},
		{domain.ErrSession.Caused(secret), 401, said(domain.ErrSession), 0},
		{domain.ErrKeyRunning.Caused(secret), 409, said(domain.ErrKeyRunning), 5 * time.Second},
		{intake.ErrSlow, 408, said(errSlowBody), 0},
		{intake.ErrCutShort, 400, said(errCutShort), 0},
		{intake.ErrTooLarge, 413, said(errTooLarge), 0},
		{domain.ErrRate(90 * time.Second), 429, "Rate limit exceeded", 90 * time.Second},
		{domain.ErrBatchQuota, 503, said(domain.ErrBatchQuota), 10 * time.Minute},
		{intake.ErrClientGone, 499, said(errClientGone), 0},
		{domain.ErrDatabase.Caused(context.DeadlineExceeded), 503, said(domain.ErrDatabase), 5 * time.Second},
		{context.DeadlineExceeded, 503, said(domain.ErrBusy), 5 * time.Second},
		{secret, 500, said(domain.ErrFault), 0},
		{&domain.Error{Code: "of no kind", Cause: secret}, 500, said(domain.ErrFault), 0},
		{&panicked{value: secret}, 500, said(domain.ErrFault), 0},
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
	november := domain.Cycle{Start: domain.DayFromDate(2026, time.November, 1), End: domain.DayFromDate(2026, time.December, 1)}
	capped := domain.ErrRunCap(10, november, november.End.Start().Add(-90*time.Minute))
	cell := &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Line: 7, Column: "Total", Value: "12,x"}
	for _, c := range []struct {
		err          error
		status       int
		text         string
		header, says string
		logged       string // cause
	}{
		{domain.ErrKey, 401, said(domain.ErrKey), "WWW-Authenticate", "Bearer", ""},
		{domain.ErrPhone, 403, said(domain.ErrPhone), "Cache-Control", "no-store", ""},
		{domain.ErrRate(299*time.Second + time.Millisecond), 429, "Rate limit exceeded", "Retry-After", "300", ""},
		{capped, 429, said(capped), "Retry-After", "5400", ""}, // until the next cycle begins
		{cell, 400, `storefront file (shopify), line 7, column "Total": "12,x" is not an amount; write it like 1299.50`, "Retry-After", "", ""},
		{fmt.Errorf("update: %w", domain.ErrDatabase.Caused(errors.New("no route to db-7"))), 503, said(domain.ErrDatabase), "Retry-After", "5", "no route to db-7"},
		{errors.New("invariant 12 broken"), 500, said(domain.ErrFault), "Retry-After", "", "invariant 12 broken"},
	} {
		s := start(t, nil)
		s.reconcile = func(context.Context, caller, request) (*outcome, error) { return nil, c.err }
		got := do(t, s.post(t, text(goodBody)))
		demandError(t, got, c.status, c.text)
		require.Equal(t, c.says, got.header.Get(c.header))
		if c.logged != "" {
			require.Contains(t, s.log.String(), c.logged)
			require.Contains(t, s.log.String(), got.header.Get("X-Request-Id"))
		}
		require.NotContains(t, s.log.String(), "12,x", "a file's content is in the log")
	}
}

func TestPanicsAreFaults(t *testing.T) {
	s := start(t, nil)
	s.reconcile = func(context.Context, caller, request) (*outcome, error) { panic("row 9 of nothing") }
	got := do(t, s.post(t, text(goodBody)))
	demandError(t, got, http.StatusInternalServerError, said(domain.ErrFault))
	require.Contains(t, s.log.String(), "row 9 of nothing")
	require.Contains(t, s.log.String(), "errors_test.go", "the stack")

	s.reconcile = nil
	require.Equal(t, http.StatusOK, do(t, s.post(t, text(goodBody))).status, "and the service goes on")
}

func TestAnAnswerThatBreaksOffIsNoWholeAnswer(t *testing.T) {
	s := start(t, nil)
	for name, write := range map[string]func(writer) error{
		"error": func(w writer) error { _, _ = w.Write([]byte(`{"results":[`)); return errors.New("lost a row") },
		"panic": func(w writer) error { _, _ = w.Write([]byte(`{"results":[`)); panic("lost a row") },
	} {
		t.Run(name, func(t *testing.T) {
			s.write = func(w writer, _ *outcome, _ bool) error { return write(w) }
			_, err := attempt(asking(s.post(t, text(goodBody)), "identity"))
			require.Error(t, err)
			require.Contains(t, s.log.String(), "lost a row")
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, 2, s.released)
}
