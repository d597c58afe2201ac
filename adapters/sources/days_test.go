package sources_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/tests/fakes/ithink"
	"milaan/tests/only"
)

// TestIThink holds that each day with payouts is a file whose version is its content, that
// only today's can still change, and that all days of the window are asked for, four at a time.
func TestIThink(t *testing.T) {
	leakless(t)
	s := ithink.New(t)
	s.Pay("2026-10-31", ithink.Line{AWB: "0", Order: "#0", Price: "1"})
	s.Pay("2026-11-01", ithink.Line{AWB: "1", Order: "#1", Price: "100.00", Delivered: "2026-10-20"})
	s.Pay("2026-11-09", ithink.Line{AWB: "2", Order: "#2", Price: "5"}, ithink.Line{AWB: "3", Order: "#3", Price: "6"})
	s.Pay("2026-11-10", ithink.Line{AWB: "4", Order: "#4", Price: "7"})
	s.Pay("2026-11-11", ithink.Line{AWB: "5", Order: "#5", Price: "8"})
	open := opened(t, registry(t), access("ithink", s.Settings()))
	files := only.Value(open.List(t.Context(), domain.DayFromDate(2026, time.November, 1).Start()))(t)
	require.Len(t, files, 3)
	const header = "Order No.,AWB NO.,Price,Remittance Date,Delivered Date\n"
	for i, want := range []struct {
		name, content string
		settled       bool
	}{
		{"ithink-2026-11-01.csv", header + "#1,1,100.00,01-Nov-2026,2026-10-20\n", true},
		{"ithink-2026-11-09.csv", header + "#2,2,5,09-Nov-2026,\n#3,3,6,09-Nov-2026,\n", true},
		{"ithink-2026-11-10.csv", header + "#4,4,7,10-Nov-2026,\n", false},
	} {
		require.Equal(t, want.name, files[i].Name)
		require.Equal(t, want.settled, files[i].Settled)
		require.Equal(t, int64(len(want.content)), files[i].Bytes)
		require.Equal(t, want.content, string(only.Value(open.Read(t.Context(), files[i], 1<<20))(t)))
	}
	days, most := s.Asked()
	require.Len(t, days, 10)
	require.LessOrEqual(t, most, 4)
	_, err := open.Read(t.Context(), files[0], 10)
	require.Equal(t, "ithink-2026-11-01.csv", failedIThink(t, err, domain.ConnManyBytes).File)

	// The same lines in another order are the same report; another amount is not.
	s.Pay("2026-11-09", ithink.Line{AWB: "3", Order: "#3", Price: "6"}, ithink.Line{AWB: "2", Order: "#2", Price: "5"})
	s.Pay("2026-11-01", ithink.Line{AWB: "1", Order: "#1", Price: "100.01", Delivered: "2026-10-20"})
	again := only.Value(opened(t, registry(t), access("ithink", s.Settings())).List(t.Context(), since))(t)
	require.NotEqual(t, files[0].Version, again[0].Version)
	require.Equal(t, files[1].Version, again[1].Version)
}

// failedIThink is failed for the errors about iThink.
func failedIThink(t *testing.T, err error, rule domain.ConnectorRule) domain.ConnectorError {
	t.Helper()
	require.Error(t, err)
	require.NotContains(t, err.Error(), ithink.AccessToken)
	require.NotContains(t, err.Error(), ithink.SecretKey)
	return failed(t, err, rule)
}

// TestIThinkFailures holds that an answer that is not understood, or a day that is missing,
// is an error and never an empty day.
func TestIThinkFailures(t *testing.T) {
	leakless(t)
	status := func(code int) func(http.ResponseWriter, string) bool {
		return func(w http.ResponseWriter, _ string) bool { w.WriteHeader(code); return true }
	}
	body := func(text string) func(http.ResponseWriter, string) bool {
		return func(w http.ResponseWriter, _ string) bool { fmt.Fprint(w, text); return true }
	}
	for name, c := range map[string]struct {
		settings map[string]string
		answer   func(http.ResponseWriter, string) bool
		want     domain.ConnectorRule
		tries    int // of the first request
	}{
		"a wrong token": {map[string]string{"access_token": "secretly"}, nil, domain.ConnRefused, 1},
		"a wrong key":   {map[string]string{"secret_key": "secretly"}, nil, domain.ConnRefused, 1},
		"HTTP 401":      {nil, status(http.StatusUnauthorized), domain.ConnRefused, 1},
		"HTTP 400": {nil, func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(http.StatusBadRequest)
			return body(`{"status_code":400,"message":"Unauthorized"}`)(w, "")
		}, domain.ConnRefused, 1},
		"HTTP 400 and 200": {nil, func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(http.StatusBadRequest)
			return body(`{"status_code":200,"data":[]}`)(w, "")
		}, domain.ConnAnswer, 1},
		"HTTP 404": {nil, status(http.StatusNotFound), domain.ConnAnswer, 1},
		"HTTP 429": {nil, status(http.StatusTooManyRequests), domain.ConnThrottled, 3},
		"HTTP 500": {nil, status(http.StatusInternalServerError), domain.ConnAnswer, 3},
		"another address": {nil, func(w http.ResponseWriter, _ string) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}, domain.ConnAnswer, 1},
		"broken JSON": {nil, body(`{"status_code":200,"data":[`), domain.ConnAnswer, 1},
		"a page":      {nil, body(`<html>Maintenance secretly</html>`), domain.ConnAnswer, 1},
		"a bomb of levels": {nil, func(w http.ResponseWriter, _ string) bool {
			fmt.Fprintf(w, `{"status_code":200,"data":%0100000d}`, 0)
			return true
		}, domain.ConnAnswer, 1},
		"a cut answer": {nil, func(w http.ResponseWriter, _ string) bool {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"status_code":200,"data":[]`)
			return true
		}, domain.ConnUnreachable, 9}, // Open tries again too
	} {
		t.Run(name, func(t *testing.T) {
			s := ithink.New(t)
			s.Answer(c.answer)
			_, err := registry(t).Open(t.Context(), access("ithink", s.Settings(), c.settings))
			failedIThink(t, err, c.want)
			days, _ := s.Asked()
			require.Len(t, days, c.tries)
		})
	}
	t.Run("one day of many", func(t *testing.T) {
		s := ithink.New(t)
		s.Answer(func(w http.ResponseWriter, day string) bool {
			if day == "2026-11-05" {
				fmt.Fprint(w, `{"status":"error","status_code":500,"html_message":"busy"}`)
			}
			return day == "2026-11-05"
		})
		_, err := opened(t, registry(t), access("ithink", s.Settings())).List(t.Context(), since)
		failedIThink(t, err, domain.ConnAnswer)
	})
	t.Run("a day that fails once", func(t *testing.T) {
		s := ithink.New(t)
		s.Pay("2026-11-05", ithink.Line{AWB: "1", Order: "#1", Price: "1"})
		var failures atomic.Int32
		s.Answer(func(w http.ResponseWriter, day string) bool {
			once := day == "2026-11-05" && failures.Add(1) == 1
			if once {
				w.WriteHeader(http.StatusBadGateway)
			}
			return once
		})
		require.Len(t, only.Value(opened(t, registry(t), access("ithink", s.Settings())).List(t.Context(), since))(t), 1)
	})
	t.Run("a window of years", func(t *testing.T) {
		s := ithink.New(t)
		_, err := opened(t, registry(t), access("ithink", s.Settings())).List(t.Context(), time.Time{})
		failedIThink(t, err, domain.ConnManyFiles)
		days, _ := s.Asked()
		require.Len(t, days, 1)
	})
	t.Run("a day that is too long", func(t *testing.T) {
		s := ithink.New(t)
		lines := make([]ithink.Line, 20_000)
		s.Answer(func(w http.ResponseWriter, _ string) bool {
			return json.NewEncoder(w).Encode(map[string]any{"status_code": 200, "data": lines}) == nil
		})
		_, err := registry(t, limited(func(l *sources.Limits) { l.OpenBytes = 1 << 10 })).Open(t.Context(), access("ithink", s.Settings()))
		failedIThink(t, err, domain.ConnManyBytes)
	})
}

// TestWhatIsNotAskedForIsNotLogged holds that a server cannot write into the log of the
// service with what it says on a connection on which nothing was asked.
func TestWhatIsNotAskedForIsNotLogged(t *testing.T) {
	leakless(t)
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	s := ithink.New(t)
	s.Answer(func(w http.ResponseWriter, _ string) bool {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		defer conn.Close()
		const body = `{"status_code":200,"data":[]}`
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		fmt.Fprint(conn, "HTTP/1.1 200 secretly\r\n\r\n")
		return true
	})
	require.NoError(t, only.Err(opened(t, registry(t), access("ithink", s.Settings())).List(t.Context(), since)))
	require.Empty(t, logged.String())
}
