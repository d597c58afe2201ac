package conformance_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// What one admitted request, one refused request and one stored run cost.
func BenchmarkStorage(b *testing.B) {
	for database, settings := range map[string]func(*testing.B) storage.Settings{
		"SQLite":     func(b *testing.B) storage.Settings { return storage.Settings{DataDir: b.TempDir()} },
		"PostgreSQL": func(b *testing.B) storage.Settings { return storage.Settings{DatabaseURL: clone(b)} },
	} {
		for call, measure := range map[string]func(*testing.B, conformance.Storage){
			"Present/admitted": func(b *testing.B, s conformance.Storage) { benchmarkPresent(b, s, true) },
			"Present/blocked":  func(b *testing.B, s conformance.Storage) { benchmarkPresent(b, s, false) },
			"Update":           benchmarkUpdate,
		} {
			b.Run(database+"/"+call, func(b *testing.B) {
				s := ports(opened(b, settings(b)))
				require.NoError(b, s.Accounts.Create(b.Context(), account))
				require.NoError(b, s.Keys.Rotate(b.Context(), key, domain.SecurityEvent{}))
				measure(b, s)
			})
		}
	}
}

func benchmarkPresent(b *testing.B, s conformance.Storage, changed bool) {
	window := domain.RateWindow{}
	for i := range domain.KeyRate.Limit {
		window.Admitted = append(window.Admitted, start.Add(time.Duration(i)*time.Second))
	}
	for b.Loop() {
		err := s.Keys.Present(b.Context(), key.Hash, start, func(port.KeyUse) (domain.RateWindow, bool, error) { return window, changed, nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkUpdate(b *testing.B, s conformance.Storage) {
	run := domain.Run{AccountID: account.ID, At: start}
	for n := 0; b.Loop(); n++ {
		run.ID, run.At = strconv.Itoa(n), run.At.Add(time.Minute)
		err := s.Runs.Update(b.Context(), account.ID, func(book port.RunBook) error {
			if _, err := book.Identical(run.Fingerprint(), run.At.Add(-domain.DuplicateSpan)); err != nil {
				return err
			}
			if _, err := book.RunsSince(run.At.Add(-time.Hour)); err != nil {
				return err
			}
			return book.Write(port.Entry{Run: run})
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// What it costs to add the passes of 250 of many connections, and to ask for one, begin it
// and end it.
func BenchmarkPasses(b *testing.B) {
	const connections, portion = 20_000, 250
	for database, settings := range map[string]func(*testing.B) storage.Settings{
		"SQLite":     func(b *testing.B) storage.Settings { return storage.Settings{DataDir: b.TempDir()} },
		"PostgreSQL": func(b *testing.B) storage.Settings { return storage.Settings{DatabaseURL: clone(b)} },
	} {
		b.Run(database, func(b *testing.B) {
			where := settings(b)
			s := ports(opened(b, where))
			require.NoError(b, s.Accounts.Create(b.Context(), account))
			behind := raw(b, where)
			require.NoError(b, only.Err(behind.Exec(inTheWordsOf(where, fmt.Sprintf(connectionRows, connections)))))
			now := start
			b.Run("Schedule", func(b *testing.B) {
				for b.Loop() {
					added, err := s.Passes.Schedule(b.Context(), now, domain.PassPeriod, portion)
					if err != nil {
						b.Fatal(err)
					}
					if added < portion { // an hour is over
						now = now.Add(domain.PassPeriod)
						require.NoError(b, only.Err(behind.Exec("UPDATE connections SET pass_id = NULL")))
						require.NoError(b, only.Err(behind.Exec("DELETE FROM passes")))
					}
				}
			})
			b.Run("AskBeginEnd", func(b *testing.B) {
				for n := 0; b.Loop(); n++ {
					pass := domain.Pass{ID: strconv.Itoa(n), AccountID: account.ID, ConnectionID: "row-1", Slot: start.Add(time.Duration(n) * time.Second), Due: start}
					if n == 0 {
						require.NoError(b, only.Err(behind.Exec("DELETE FROM passes")))
						require.NoError(b, only.Err(behind.Exec("UPDATE connections SET pass_id = NULL")))
					}
					if err := s.Passes.Ask(b.Context(), pass); err != nil {
						b.Fatal(err)
					}
					begun, err := s.Passes.Begin(b.Context(), pass.ID, start)
					if err != nil {
						b.Fatal(err)
					}
					begun.Pass.EndedAt, begun.Pass.Outcome = start, domain.PassUnchanged
					if err := s.Passes.End(b.Context(), port.PassEnd{Pass: begun.Pass, State: domain.PassState{From: 1}}); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
