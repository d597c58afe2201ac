//go:build !race

// The race detector also checks addresses, and takes those that SQLite's translated
// C hands to the layer below it for faults.

package conformance_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
	"milaan/tests/powercut"
)

// promised is something that a caller was told, from a moment on.
type promised struct {
	moment int
	what   string
	kept   func(s conformance.Storage) error
}

// What a caller was told survives a power cut at any later moment: a key handed
// out or revoked, a run that was counted, a batch that was taken, an account, a
// webhook, an attempt that was begun, a session or its end, a connection with its files, a
// pass that was asked for or has stored a run, a mail. And the database is whole: a session
// is there with its security event and its redeemed link, or none of the three is, and a pass
// is with its job, or its run.
func TestPromisesSurviveAPowerCut(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, uint64(time.Now().UnixNano())))
	folder := filepath.Join(t.TempDir(), "data")
	disk := powercut.Watch(t, folder)
	s := ports(opened(t, storage.Settings{DataDir: folder, Sync: disk.Sync}))
	ctx := t.Context()
	var told []promised
	promise := func(what string, err error, kept func(conformance.Storage) error) {
		t.Helper()
		require.NoError(t, err, what)
		told = append(told, promised{disk.Now(), what, kept})
	}
	promise("the account", s.Accounts.Create(ctx, account), func(s conformance.Storage) error {
		_, err := s.Accounts.ByEmail(ctx, account.Email)
		return err
	})
	_, err := s.Accounts.Update(ctx, account.Email, domain.SecurityEvent{}, func(a *domain.Account) error { a.Plan = domain.Enterprise; return nil })
	require.NoError(t, err)
	conformance.Change(t, s.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret, w.Endpoint = "whsec_", "https://shop.example/milaan" })
	for n := range 16 {
		// A key's window is no promise, and its write not synced.
		_ = present(ctx, s, sha256.Sum256(fmt.Append(nil, "key", n-1)))
		promiseOf(ctx, s, promise, chance.IntN(12), n)
		if chance.IntN(4) == 0 { // what is large brings about a checkpoint
			require.NoError(t, s.Batches.Submit(ctx, domain.Batch{ID: fmt.Sprint("large", n), AccountID: account.ID, SubmittedAt: start, Jobs: 1},
				[]port.Request{{Storefront: make([]byte, 300_000)}}, domain.RequestClaim{}))
			end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: fmt.Sprint("large", n)}, At: start, Result: make([]byte, 10)}
			require.NoError(t, s.Write(ctx, account.ID, port.Entry{End: end}))
		}
	}
	moments := []int{disk.Now()}
	for _, p := range told {
		moments = append(moments, p.moment, p.moment+chance.IntN(disk.Now()-p.moment+1))
	}
	for _, moment := range moments {
		left := disk.Cut(t, moment, chance)
		require.Equal(t, "ok", integrity(t, left))
		after := only.Value(storage.Open(ctx, storage.Settings{DataDir: left, Also: migrateOutbox}, slog.New(slog.DiscardHandler)))(t)
		for _, p := range told {
			if p.moment <= moment {
				require.NoError(t, p.kept(ports(after)), "%s, told at %d, cut at %d", p.what, p.moment, moment)
			}
		}
		require.NoError(t, after.Close())
		requireWhole(t, left)
	}
}

func signedIn(n int) (domain.Session, domain.SecurityEvent) {
	id := fmt.Sprint("promise", n)
	return domain.Session{ID: id, AccountID: account.ID, Hash: sha256.Sum256(fmt.Append(nil, "session", n)), CreatedAt: start, UsedAt: start},
		domain.SecurityEvent{ID: id, At: start, Kind: domain.SecuritySignedIn, By: domain.ByDashboard}
}

// requireWhole requires that each session that promiseOf may have begun is there with its
// event and its link, or none of them is.
func requireWhole(t *testing.T, folder string) {
	t.Helper()
	db := only.Value(sql.Open("sqlite", filepath.Join(folder, "milaan.db")))(t)
	defer func() { require.NoError(t, db.Close()) }()
	ids := func(table string) (ids sql.NullString) {
		query := "SELECT group_concat(id) FROM (SELECT id FROM " + table + " WHERE id LIKE 'promise%' ORDER BY id)"
		require.NoError(t, db.QueryRow(query).Scan(&ids))
		return ids
	}
	require.Equal(t, ids("sessions"), ids("security_events"))
	require.Equal(t, ids("sessions"), ids("redeemed_links"))
	for _, torn := range []string{
		"SELECT COUNT(*) FROM passes WHERE (ended_at_us IS NULL) <> (id IN (SELECT pass_id FROM connections WHERE pass_id IS NOT NULL))",
		"SELECT COUNT(*) FROM passes WHERE (outcome = 'stored') <> (id IN (SELECT id FROM runs WHERE source = 'autopilot'))",
		"SELECT COUNT(*) FROM passes WHERE id NOT IN (SELECT json_extract(job, '$.Pass') FROM jobs_added)",
		"SELECT COUNT(*) FROM mails WHERE id NOT IN (SELECT json_extract(job, '$.Mail') FROM jobs_added)",
		"SELECT COUNT(*) FROM kept_files WHERE id NOT IN (SELECT file_id FROM kept_contents)",
	} {
		var n int
		require.NoError(t, db.QueryRow(torn).Scan(&n))
		require.Zero(t, n, torn)
	}
}

// promiseOf makes one of the promises. Kinds are told apart by number.
func promiseOf(ctx context.Context, s conformance.Storage, promise func(string, error, func(conformance.Storage) error), kind, n int) {
	id := fmt.Sprint("promise", n)
	switch kind {
	case 0:
		k := domain.APIKey{ID: id, AccountID: account.ID, Kind: domain.LiveKey, Hash: sha256.Sum256(fmt.Append(nil, "key", n)), Prefix: "milaan_live_", IssuedAt: start}
		promise("a key", s.Keys.Rotate(ctx, k, domain.SecurityEvent{}), func(s conformance.Storage) error { return keyOrSuccessor(ctx, s, n) })
	case 1:
		promise("a run", settle(ctx, s, id), func(s conformance.Storage) error { return runStored(ctx, s, id) })
	case 2:
		err := submit(ctx, s, id)
		promise("a batch", err, func(s conformance.Storage) error { _, err := s.Batches.Find(ctx, account.ID, id); return err })
		// Its end is a run that counts, with a result that can be asked for.
		end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: id}, At: start, Result: []byte("{}")}
		err = s.Write(ctx, account.ID, port.Entry{End: end})
		promise("a job's end", err, func(s conformance.Storage) error {
			b, err := s.Batches.Find(ctx, account.ID, id)
			if err == nil && b.Completed != 1 {
				err = fmt.Errorf("batch %s has lost the end of its job", id)
			}
			return err
		})
	case 3:
		_, err := s.Accounts.Update(ctx, account.Email, domain.SecurityEvent{}, func(a *domain.Account) error { a.OverdueDays = n + 1; return nil })
		promise("an account's setting", err, func(s conformance.Storage) error {
			a, err := s.Accounts.ByEmail(ctx, account.Email)
			if err == nil && a.OverdueDays < n+1 {
				err = fmt.Errorf("overdue days went back to %d", a.OverdueDays)
			}
			return err
		})
	case 4:
		_, err := s.Webhooks.Update(ctx, account.ID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
			w.Secret, w.SetAt = "whsec_", start.Add(time.Duration(n)*time.Hour)
			return nil
		})
		promise("a webhook", err, func(s conformance.Storage) error {
			w, err := s.Webhooks.Of(ctx, account.ID)
			if err == nil && w.SetAt.Before(start.Add(time.Duration(n)*time.Hour)) {
				err = fmt.Errorf("the webhook went back to that of %v", w.SetAt)
			}
			return err
		})
	case 5:
		promise("a delivery", add(ctx, s, id), func(s conformance.Storage) error { _, err := s.Deliveries.Find(ctx, account.ID, id); return err })
	case 7:
		session, event := signedIn(n)
		promise("a session", s.Sessions.Begin(ctx, session, session.ID, start, event), func(s conformance.Storage) error {
			_, err := s.Sessions.Find(ctx, session.Hash)
			return err
		})
	case 8:
		ended := domain.Session{ID: "ended" + id, AccountID: account.ID, Hash: sha256.Sum256(fmt.Append(nil, "ended", n)), CreatedAt: start, UsedAt: start}
		err := errors.Join(s.Sessions.Begin(ctx, ended, "", start, domain.SecurityEvent{}), s.Sessions.End(ctx, account.ID, ended.ID))
		promise("the end of a session", err, func(s conformance.Storage) error {
			if _, err := s.Sessions.Find(ctx, ended.Hash); !errors.Is(err, domain.ErrSession) {
				return fmt.Errorf("session %d was ended: %w", n, err)
			}
			return nil
		})
	case 9:
		promise("a connection", connect(ctx, s, id), func(s conformance.Storage) error {
			_, err := s.Connections.Find(ctx, account.ID, id)
			return err
		})
		file := domain.KeptFile{ID: id, AccountID: account.ID, ConnectionID: id, Name: "report.csv", At: start}
		promise("a kept file", s.KeptFiles.Add(ctx, file, make([]byte, 50_000)), func(s conformance.Storage) error {
			_, err := s.KeptFiles.Read(ctx, account.ID, id, id)
			return err
		})
	case 10:
		promise("a pass", errors.Join(connect(ctx, s, id), askFor(ctx, s, id)), func(s conformance.Storage) error { return passStored(ctx, s, id) })
		promise("the run of a pass", settlePass(ctx, s, id), func(s conformance.Storage) error {
			return errors.Join(passStored(ctx, s, id), runStored(ctx, s, id))
		})
	case 11:
		promise("a mail", mail(ctx, s, id), func(s conformance.Storage) error {
			_, _, err := s.Mails.Find(ctx, id)
			return err
		})
	case 6:
		run := domain.Run{ID: id, AccountID: account.ID, At: start}
		err := s.Write(ctx, account.ID, port.Entry{Run: run, Event: domain.Delivery{ID: id, EventID: id, RunID: id, CreatedAt: start}})
		promise("an announced run", err, func(s conformance.Storage) error {
			_, err := s.Deliveries.Find(ctx, account.ID, id)
			return errors.Join(err, runStored(ctx, s, id))
		})
		_, err = s.Deliveries.Attempt(ctx, id, start)
		promise("an attempt", err, func(s conformance.Storage) error {
			d, err := s.Deliveries.Find(ctx, account.ID, id)
			if err == nil && len(d.Attempts) == 0 {
				err = fmt.Errorf("delivery %s has lost its attempt: there could be one too many", id)
			}
			return err
		})
	}
}

// keyOrSuccessor finds the key with this number active, or a later one: those
// before it are dead for good.
func keyOrSuccessor(ctx context.Context, s conformance.Storage, n int) error {
	for i := range 24 {
		err := present(ctx, s, sha256.Sum256(fmt.Append(nil, "key", i)))
		if err == nil && i >= n {
			return nil
		}
		if err == nil {
			return fmt.Errorf("key %d is active, which key %d has replaced", i, n)
		}
	}
	return fmt.Errorf("neither key %d nor a later one is active", n)
}

func passStored(ctx context.Context, s conformance.Storage, id string) error {
	passes, err := s.PassLog.Latest(ctx, account.ID, id, 1)
	if err == nil && len(passes) == 0 {
		err = fmt.Errorf("pass %s was lost", id)
	}
	return err
}

func runStored(ctx context.Context, s conformance.Storage, id string) error {
	if _, err := s.History.Run(ctx, account.ID, id); err != nil {
		return fmt.Errorf("run %s was lost: %w", id, err)
	}
	return nil
}
