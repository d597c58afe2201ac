package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

func TestRequestKey(t *testing.T) {
	long := strings.Repeat("k", 255)
	for _, c := range []struct {
		values  []string
		want    string
		refused string
	}{
		{nil, "", ""},
		{[]string{"a"}, "a", ""},
		{[]string{" a b\t"}, "a b", ""},
		{[]string{`"8e03978e-40d5-43e8-bc93-6894a57f9324"`}, `"8e03978e-40d5-43e8-bc93-6894a57f9324"`, ""},
		{[]string{"A,b"}, "A,b", ""},
		{[]string{long}, long, ""},
		{[]string{long + "k"}, "", "Idempotency-Key must be 1 to 255 printable characters"},
		{[]string{""}, "", "Idempotency-Key must be 1 to 255"},
		{[]string{" \t"}, "", "Idempotency-Key must be 1 to 255"},
		{[]string{"asha\tshop"}, "", "Idempotency-Key must be 1 to 255"},
		{[]string{"ashä"}, "", "Idempotency-Key must be 1 to 255"},
		{[]string{"a", "a"}, "", "Idempotency-Key is there more than once"},
		{[]string{"", ""}, "", "Idempotency-Key is there more than once"},
	} {
		got, faults := requestKey(http.Header{"Idempotency-Key": c.values})
		if c.refused == "" {
			require.Equal(t, c.want, got)
			require.Empty(t, faults)
			continue
		}
		require.Contains(t, said(faults.Err()), c.refused)
		require.NotContains(t, fmt.Sprint(faults), "ash", "it may be anything")
	}
}

func TestTheUseCasesAreGivenTheRequestKey(t *testing.T) {
	s := start(t, nil)
	var seen []string
	s.reconcile = func(_ context.Context, c caller, _ request) (*outcome, error) {
		seen = append(seen, c.RequestKey)
		o := s.outcome(storedRun)
		o.Duplicate, o.Repeat = c.RequestKey == "again", c.RequestKey == "again"
		return o, nil
	}
	began := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	s.submit = func(_ context.Context, c caller, batch batched) (ports.SubmittedBatch, error) {
		if err := batch.Misread.Err(); err != nil {
			return ports.SubmittedBatch{}, err
		}
		seen = append(seen, c.RequestKey)
		return ports.SubmittedBatch{Batch: domain.Batch{ID: someBatch, Jobs: len(batch.Jobs), StartedAt: began}}, nil
	}
	send := func(path, body string, keys ...string) reply {
		r := s.postTo(t, path, text(body))
		r.Header["Idempotency-Key"] = keys
		return do(t, r)
	}
	require.Equal(t, storedRun, send("/reconcile", goodBody).header.Get("X-Run-Id"))
	require.Equal(t, storedRun, send("/reconcile", goodBody, "first").header.Get("X-Run-Id"))
	require.NotContains(t, send("/reconcile", goodBody, "again").header, "X-Run-Id", "a repeat is not stored")
	got := send("/reconcile/batch", jobsOf(jobText), "again")
	require.Equal(t, http.StatusAccepted, got.status, got.body)
	require.Contains(t, got.body, `"status":"processing"`, "as the batch stands")
	require.Equal(t, "/status/"+someBatch, got.header.Get("Location"))
	require.Equal(t, []string{"", "first", "again", "again"}, seen)
	require.EqualValues(t, 1, figure(t, s.server.figures, "milaan_runs_total", "outcome", "repeat"))
	require.Zero(t, figure(t, s.server.figures, "milaan_runs_total", "outcome", "duplicate"))

	seen = nil
	for path, body := range map[string]string{"/reconcile": goodBody, "/reconcile/batch": jobsOf(jobText)} {
		require.Equal(t, http.StatusBadRequest, send(path, body, "a", "b").status)
		require.Equal(t, http.StatusBadRequest, send(path, body, "").status)
		demandError(t, send(path, "{", ""), http.StatusBadRequest, "the request body is not valid JSON: unexpected end of JSON input (at byte 1)")
	}
	require.Empty(t, seen)
	require.NotContains(t, s.log.String(), "again", "the key is in the log")
}

// Whether a request was stored is not known, and with a key it does not matter.
func TestWithARequestKeyNothingIsUnsettled(t *testing.T) {
	s := start(t, nil)
	lost := domain.ErrUnsettled.Caused(errors.New("no route to db-7"))
	s.reconcile = func(context.Context, caller, request) (*outcome, error) { return nil, lost }
	s.submit = func(context.Context, caller, batched) (ports.SubmittedBatch, error) {
		return ports.SubmittedBatch{}, lost
	}
	for path, body := range map[string]string{"/reconcile": goodBody, "/reconcile/batch": jobsOf(jobText)} {
		r := s.postTo(t, path, text(body))
		r.Header.Set("Idempotency-Key", "key")
		demandError(t, do(t, r), http.StatusServiceUnavailable, said(errKeyedUnsettled))
		require.NotEqual(t, string(errorBody(said(errKeyedUnsettled))), do(t, s.postTo(t, path, text(body))).body)
	}
	require.Contains(t, s.log.String(), "no route to db-7")
}
