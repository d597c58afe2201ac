package service

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/adapters"
	"milaan/adapters/guide"
	"milaan/domain"
)

type requestLine map[string]any

// line finds the log's line of an answer. The answer may be there a moment
// before its line.
func (s *Service) line(t *testing.T, a Answer) (found requestLine) {
	t.Helper()
	id := a.Header.Get("X-Request-Id")
	require.Eventually(t, func() bool {
		for text := range strings.Lines(s.Log.String()) {
			var line requestLine
			require.NoError(t, json.Unmarshal([]byte(text), &line), text)
			if line["msg"] == "request" && line["request_id"] == id {
				found = line
				return true
			}
		}
		return false
	}, workTime, pause)
	return found
}

// TestRequestLines holds what the log says of each request, and that it says no
// more.
func TestRequestLines(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, Capped(1))
	account := c.ID(t)

	first := c.Reconcile(t, Small())
	require.Equal(t, http.StatusOK, first.Status)
	line := s.line(t, first)
	took, isNumber := line["took_ms"].(float64)
	require.True(t, isNumber, "%v", line)
	require.Positive(t, took)
	require.Less(t, took, 60_000.0)
	require.NoError(t, uuid.Validate(first.Header.Get("X-Run-Id")))
	delete(line, "took_ms")
	delete(line, "time")
	require.Equal(t, requestLine{
		"level": "INFO", "msg": "request", "method": "POST", "route": "/reconcile", "status": 200.0, "bytes": float64(len(first.Body)),
		"request_id": first.Header.Get("X-Request-Id"), "account_id": account, "run_id": first.Header.Get("X-Run-Id"),
	}, line)

	chapter, _ := guide.Find("metrics")
	shown := regexp.MustCompile("(?s)<!-- request line -->\n```json\n(.*?)```").FindStringSubmatch(chapter.Markdown())
	require.NotNil(t, shown, "the guide has no request line")
	example := decoded[requestLine](t, []byte(shown[1]))
	require.ElementsMatch(t, slices.Collect(maps.Keys(example)), append(slices.Collect(maps.Keys(line)), "took_ms", "time"))

	line = s.line(t, c.Reconcile(t, Small()))
	require.Equal(t, first.Header.Get("X-Run-Id"), line["run_id"], "a duplicate's is the first one's")
	require.NotContains(t, line, "code")

	long := s.Request(t, http.MethodPost, "/reconcile", nil, "Content-Type", "text/csv")
	for code, a := range map[string]Answer{
		"run_cap_reached": c.Reconcile(t, Named("another")),
		"field_invalid":   c.Reconcile(t, Small().Without("courier")),
		"file_invalid":    s.Customer(t).Reconcile(t, badFile()),
		"body_invalid":    s.Post(t, "/reconcile", c.Key, []byte("{")),
		"body_too_large":  s.Post(t, "/reconcile", c.Key, tooLong),
		"key_invalid":     s.Reconcile(t, "x", Small()),
		"not_json":        s.Do(t, long),
		"session_invalid": s.IssueKey(t, "x"),
		"batch_missing":   s.Get(t, "/status/1", "Authorization", "Bearer "+c.Key),
		"route_missing":   s.Get(t, "/nowhere"),
	} {
		line := s.line(t, a)
		require.Equal(t, code, line["code"])
		require.Equal(t, "INFO", line["level"])
		require.NotContains(t, line, "run_id")
	}
	long = s.Request(t, http.MethodPost, "/reconcile", nil)
	long.Header["Content-Type"] = []string{"application/json", "application/json"}
	require.Equal(t, "media_type", s.line(t, s.Do(t, long))["code"])

	batch := c.Submit(t, Jobs(Small().With("brand", "b")))
	line = s.line(t, c.Status(t, batch.BatchID))
	require.Equal(t, batch.BatchID, line["batch_id"])
	blockedBy(t, c)
	line = s.line(t, c.Reconcile(t, Small()))
	require.Equal(t, "rate_limited", line["code"])
	require.Equal(t, 429.0, line["status"])
	require.Equal(t, account, line["account_id"])
}

// Who was refused is in the log once the key or the session has told whose
// request it is.
func TestRequestLinesSayWhoWasRefused(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Account(t)
	account := c.ID(t)
	for range 5 {
		line := s.line(t, s.IssueKey(t, c.Session(t)))
		require.Equal(t, 200.0, line["status"])
		require.Equal(t, account, line["account_id"])
	}
	beyond := s.line(t, s.IssueKey(t, c.Session(t)))
	require.Equal(t, "rate_limited", beyond["code"])
	require.Equal(t, account, beyond["account_id"])
	require.NotContains(t, s.line(t, s.IssueKey(t, "x")), "account_id")

	unverified := s.Customer(t)
	unverified.Change(t, func(a *domain.Account) { a.PhoneVerified = false })
	for _, a := range []Answer{
		unverified.Reconcile(t, Small()),
		s.Get(t, "/status/1", "Authorization", "Bearer "+unverified.Key),
		s.IssueKey(t, unverified.Session(t)),
	} {
		line := s.line(t, a)
		require.Equal(t, "phone_not_verified", line["code"])
		require.Equal(t, unverified.ID(t), line["account_id"])
	}
	require.NotContains(t, s.line(t, s.Reconcile(t, "x", Small())), "account_id")
}

func TestDurationsAreNumbersOfMilliseconds(t *testing.T) {
	var out bytes.Buffer
	log := adapters.NewLog(&out, slog.LevelInfo).With("since", time.Minute)
	log.Info("line", "took", 1234567*time.Nanosecond, "none", time.Duration(0), slog.Group("stop", "drain", 30*time.Second), "any", any(time.Hour), "text", "5s", "sleep_duration", "507.4ms", "timeout", "none")
	log.Debug("not at this level")
	line := decoded[map[string]any](t, out.Bytes())
	delete(line, "time")
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "line", "since_ms": 60_000.0, "took_ms": 1.235, "none_ms": 0.0,
		"stop": map[string]any{"drain_ms": 30_000.0}, "any_ms": 3_600_000.0, "text": "5s", "sleep_duration_ms": 507.4, "timeout": "none",
	}, line)
}
