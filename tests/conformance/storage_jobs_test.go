package conformance_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// failing is an outbox that adds jobs and then fails in a way of its own.
type failing struct {
	outbox
	fail func() error
}

func (f failing) Add(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, jobs []port.Job) error {
	if err := (outbox{}).Add(ctx, tx, conn, jobs); err != nil {
		return err
	}
	return f.fail()
}

// Jobs that cannot be added undo what they would follow from, and leave the
// connection to others: there is only one.
func TestJobsThatCannotBeAdded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		narrow := settings
		if settings.DatabaseURL != "" {
			narrow.DatabaseURL += "&pool_max_conns=1"
		}
		s := opened(t, narrow)
		require.NoError(t, storage.New[storage.Accounts](s, newSealer(aSecret)).Create(t.Context(), account))
		requireNothing := func() {
			n := only.Value(storage.NewWithJobs[storage.Runs](s, outbox{}, newSealer(aSecret)).RunsSince(t.Context(), account.ID, start))(t)
			require.Zero(t, n)
			open := only.Value(storage.NewWithJobs[storage.Batches](s, outbox{}, newSealer(aSecret)).Stale(t.Context(), start.Add(time.Hour), 1))(t)
			require.Empty(t, open)
			require.Empty(t, jobsAdded(t, raw(t, settings)))
		}
		with := func(fail func() error) conformance.Storage {
			return conformance.Storage{Batches: storage.NewWithJobs[storage.Batches](s, failing{fail: fail}, newSealer(aSecret))}
		}
		refusal := errors.New("refused")
		require.ErrorIs(t, submit(t.Context(), with(func() error { return refusal }), "refused"), refusal)
		requireNothing()
		gone, leave := context.WithCancel(t.Context())
		require.ErrorIs(t, submit(gone, with(func() error {
			leave()
			return nil
		}), "gone"), context.Canceled)
		requireNothing()
		require.NoError(t, submit(t.Context(), ports(s), "good"))
		require.Len(t, jobsAdded(t, raw(t, settings)), 1)
	})
}

// While another connection writes in the embedded database, callers wait as long as their
// contexts allow.
func TestWaitForAnotherWriterIsBounded(t *testing.T) {
	t.Parallel()
	s := opened(t, storage.Settings{DataDir: t.TempDir()})
	require.NoError(t, ports(s).Accounts.Create(t.Context(), account))
	other := only.Value(s.Handle().SQLite.BeginTx(t.Context(), nil))(t)
	for name, call := range map[string]func(context.Context) error{
		"a transaction":           func(ctx context.Context) error { return settle(ctx, ports(s), "kept waiting") },
		"a statement":             func(ctx context.Context) error { return ports(s).Sweep(ctx, port.Expiry{Windows: start}) },
		"a transaction with jobs": func(ctx context.Context) error { return submit(ctx, ports(s), "kept waiting") },
	} {
		soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		require.ErrorIs(t, call(soon), domain.ErrDatabase, name)
		require.ErrorIs(t, soon.Err(), context.DeadlineExceeded, name)
		cancel()
	}
	require.NoError(t, only.Err(ports(s).Accounts.ByEmail(t.Context(), account.Email)), "reading goes on")
	require.NoError(t, other.Rollback())
	require.NoError(t, settle(t.Context(), ports(s), "after"))
}

// The database shows nothing of the files of a batch, of its results, of an endpoint or of a
// secret, and nothing of the shops, sources and files of the autopilot.
func TestNothingSealedCanBeRead(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := withAccount(t, settings)
		secret := "whsec_" + conformance.PlainText
		conformance.Change(t, s.Webhooks, account.ID, func(w *domain.Webhook) {
			w.Endpoint, w.Secret, w.Former = "https://shop.example/"+conformance.PlainText, domain.SigningSecret(secret), domain.SigningSecret(secret)
		})
		text := bytes.Repeat([]byte(conformance.PlainText+",1\n"), 1000)
		request := port.Request{Storefront: text, Courier: text, Brand: conformance.PlainText}
		batch := domain.Batch{ID: "batch", AccountID: account.ID, SubmittedAt: start, WebhookURL: "https://shop.example/" + conformance.PlainText}
		require.NoError(t, s.Batches.Submit(t.Context(), batch, []port.Request{request, request}, domain.RequestClaim{}))
		require.NoError(t, s.Write(t.Context(), account.ID, port.Entry{End: port.JobEnd{BatchJob: domain.BatchJob{BatchID: batch.ID, Position: 1}, At: start, Result: text}}))

		conformance.Change(t, s.Accounts, account.Email, func(a *domain.Account) { a.Plan = domain.Enterprise })
		told := domain.Delivery{ID: "told", EventID: "evt_told", AccountID: account.ID, Kind: domain.TestDelivery, CreatedAt: start}
		require.NoError(t, s.Deliveries.Add(t.Context(), told))
		require.NoError(t, only.Err(s.Deliveries.Attempt(t.Context(), told.ID, start)))
		answer := domain.Attempt{Number: 1, At: start, Outcome: domain.OutcomeRefused, Status: 500, Failure: "no such AWB: " + conformance.PlainText}
		require.NoError(t, s.Deliveries.Complete(t.Context(), told.ID, answer, domain.DeliveryFailed))
		kept := conformance.DeliveryOf(t, s, account.ID, told.ID)
		require.Equal(t, []domain.Attempt{answer}, kept.Attempts)

		c := domain.Connection{ID: "connection", AccountID: account.ID, Brand: "brand", CreatedAt: start, ChangedAt: start,
			Shop:    domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": conformance.PlainText, "client_secret": secret}},
			Sources: []domain.ReportSource{{ID: "source", Connector: "sftp", Settings: domain.Settings{"user": conformance.PlainText}, Pattern: conformance.PlainText}}}
		require.NoError(t, s.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
		unreadable := &domain.ConnectorError{Rule: domain.ConnReport, File: conformance.PlainText, Cause: errors.New(conformance.PlainText)}
		snapshots := map[string]domain.Snapshot{conformance.PlainText: {Version: conformance.PlainText}}
		require.NoError(t, s.Ledgers.Switch(t.Context(), account.ID, c.ID, true, start, domain.SecurityEvent{}))
		for n, id := range []string{"ended", "looked"} {
			pass := domain.Pass{ID: id, AccountID: account.ID, ConnectionID: c.ID, Due: start, EndedAt: start}
			pass.Slot = start.Add(time.Duration(n) * time.Second)
			require.NoError(t, s.Passes.Ask(t.Context(), pass))
			require.NoError(t, s.Passes.StoreSnapshots(t.Context(), id, start, snapshots))
			if id == "looked" {
				continue
			}
			pass.PassResult = domain.PassResult{Outcome: domain.PassFailed, Failure: unreadable, Warnings: []domain.Warning{{Examples: []string{conformance.PlainText}}}}
			require.NoError(t, s.Passes.End(t.Context(), port.PassEnd{Pass: pass, State: domain.PassState{Snapshots: snapshots},
				Ledger: &port.PassLedger{Since: start, Text: text},
				Status: func(s *domain.ConnectionStatus) { s.Failure = unreadable }}))
		}
		stored := only.Value(s.Ledgers.Find(t.Context(), account.ID, c.ID))(t)
		require.Equal(t, text, stored.Text)
		named := domain.ChosenOrder{OrderID: conformance.PlainText, AWB: conformance.PlainText}
		stored.Marks = []domain.KeptMark{{MarkedOrder: domain.MarkedOrder{ChosenOrder: named, Mark: domain.Mark{Note: conformance.PlainText}}}}
		require.True(t, only.Value(s.Ledgers.Mark(t.Context(), account.ID, c.ID, stored))(t))
		require.NoError(t, s.KeptFiles.Add(t.Context(), domain.KeptFile{ID: "file", AccountID: account.ID, ConnectionID: c.ID, Name: conformance.PlainText, At: start}, text))

		all := everything(t, settings)
		require.True(t, strings.Contains(all, account.Email), "what is not sealed is found")
		for _, sealed := range []string{conformance.PlainText, "whsec_", "shopify"} {
			require.False(t, strings.Contains(all, sealed), sealed)
		}

		var inputs, results int
		require.NoError(t, raw(t, settings).QueryRow("SELECT COUNT(input), COUNT(result) FROM batch_jobs").Scan(&inputs, &results))
		require.Equal(t, []int{1, 1}, []int{inputs, results}, "an input is deleted as soon as its job ends")
	})
}

// What cannot be opened is logged for the operator, by its place alone.
func TestLostSecretIsTold(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := withAccount(t, settings)
		conformance.Change(t, s.Webhooks, account.ID, func(w *domain.Webhook) { w.Secret = domain.SigningSecret(conformance.PlainText) })

		var told bytes.Buffer
		lost := only.Value(storage.Open(t.Context(), settings, slog.New(slog.NewTextHandler(&told, nil))))(t)
		defer func() { require.NoError(t, lost.Close()) }()
		told.Reset()
		require.ErrorIs(t, only.Err(sealedBy(newSealer(anotherSecret), lost).Webhooks.Of(t.Context(), account.ID)), domain.ErrNoWebhook)
		require.Equal(t, 1, strings.Count(told.String(), "\n"), told.String())
		require.Contains(t, told.String(), "level=WARN")
		require.Contains(t, told.String(), "webhooks/secret/"+account.ID)
		require.NotContains(t, told.String(), conformance.PlainText)
	})
}

// everything is all that a database keeps: the files, or every row of every table.
func everything(t *testing.T, settings storage.Settings) (all string) {
	t.Helper()
	if settings.DatabaseURL == "" {
		for _, file := range only.Value(filepath.Glob(filepath.Join(settings.DataDir, "milaan.db*")))(t) {
			all += string(only.Value(os.ReadFile(file))(t))
		}
		return all
	}
	db := raw(t, settings)
	for _, table := range allTables(t, db) {
		all += strings.Join(dump(t, db, table), "\n")
	}
	return all
}
