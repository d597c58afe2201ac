package conformance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

var (
	start   = time.Date(2026, time.March, 31, 6, 30, 0, 0, time.UTC)
	account = domain.Account{ID: "account", Email: "accounts@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: 1, PlanSince: 1, BillingDay: 1, CreatedAt: start}
	key = domain.APIKey{ID: "key", AccountID: account.ID, Kind: domain.LiveKey, Hash: sha256.Sum256([]byte("key")), Prefix: "milaan_live_", IssuedAt: start}
)

// everyCall makes a call to every port.
func everyCall(ctx context.Context, s conformance.Storage, runID string) map[string]error {
	hold := claimOf(runID)
	session := domain.Session{ID: runID, AccountID: account.ID, Hash: sha256.Sum256([]byte(runID)), CreatedAt: start, UsedAt: start}
	event := domain.SecurityEvent{ID: runID, AccountID: account.ID, At: start, Kind: domain.SecuritySignedIn}
	none := domain.SecurityEvent{}
	return map[string]error{
		"ByEmail":     only.Err(s.Accounts.ByEmail(ctx, account.Email)),
		"Update":      only.Err(s.Accounts.Update(ctx, account.Email, none, func(*domain.Account) error { return nil })),
		"RunsSince":   only.Err(s.Runs.RunsSince(ctx, account.ID, start)),
		"Saved":       only.Err2(s.Runs.Mapping(ctx, account.ID, "dtdc")),
		"Claim":       s.Facts.Alter(ctx, "fact", func(string) (string, error) { return "value", nil }),
		"Webhook":     only.Err(s.Webhooks.Update(ctx, account.ID, none, func(w *domain.Webhook) error { w.Secret = "whsec_"; return nil })),
		"Of":          only.Err(s.Webhooks.Of(ctx, account.ID)),
		"Latest":      only.Err(s.Deliveries.Latest(ctx, account.ID, 1)),
		"Load":        only.Err(s.Batches.Load(ctx, account.ID, 1)),
		"Stale":       only.Err(s.Batches.Stale(ctx, start, 1)),
		"Begin":       s.Sessions.Begin(ctx, session, runID, start.Add(time.Hour), none),
		"Find":        only.Err(s.Sessions.Find(ctx, session.Hash)),
		"EndAll":      only.Err(s.Sessions.EndAll(ctx, account.ID, port.SessionScope{}, none)),
		"Events":      only.Err(s.Events.Latest(ctx, account.ID, 1)),
		"List":        only.Err(s.History.List(ctx, account.ID, port.RunFilter{Limit: 1})),
		"Labels":      only.Err(s.History.Labels(ctx, account.ID)),
		"Mappings":    only.Err(s.Mappings.List(ctx, account.ID)),
		"Take":        only.Err(s.Claims.Take(ctx, hold)),
		"Connections": only.Err(s.Connections.List(ctx, account.ID)),
		"Schedule":    only.Err(s.Passes.Schedule(ctx, start, domain.PassPeriod, 10)),
		"Passes":      only.Err(s.PassLog.Latest(ctx, account.ID, runID, 1)),
		"Files":       only.Err(s.KeptFiles.List(ctx, account.ID, runID)),
		"Outdated":    only.Err(s.Ledgers.Outdated(ctx, 1, 1)),
		"Choice":      only.Err(s.Mails.Choice(ctx, account.ID)),
		"Watched":     only.Err(s.Alarms.Connections(ctx, port.AlarmQuery{Limit: 1})),
		"Renew":       s.Claims.Renew(ctx, hold), "Release": s.Claims.Release(ctx, hold),
		"Touch": s.Sessions.Touch(ctx, runID, start), "End": s.Sessions.End(ctx, account.ID, runID), "Event": s.Events.Add(ctx, event),
		"Connect": connect(ctx, s, runID), "Ask": askFor(ctx, s, runID), "Mail": mail(ctx, s, runID),
		"Submit":        submit(ctx, s, runID),
		"Add":           add(ctx, s, runID),
		"Complete":      s.Deliveries.Complete(ctx, runID, domain.Attempt{Number: 1}, domain.DeliveryPending),
		"Rotate":        s.Keys.Rotate(ctx, domain.APIKey{ID: runID, AccountID: account.ID, Kind: domain.LiveKey, Hash: sha256.Sum256([]byte(runID))}, none),
		"Present":       present(ctx, s, sha256.Sum256([]byte(runID))),
		"Active":        active(ctx, s, runID),
		"Windows":       s.Windows.Update(ctx, "client", func(domain.RateWindow) (domain.RateWindow, bool) { return domain.RateWindow{}, true }),
		"Sweep":         s.Sweep(ctx, port.Expiry{Windows: start, Keys: start, Pending: start, Deliveries: start, Claims: start, Results: start, Batches: start, Sessions: start, Idle: start, Links: start, Events: start, Runs: start, Passes: start, KeptFiles: start, Mails: start, Notices: start}),
		"Settle":        settle(ctx, s, runID),
		"Ready":         s.Database.Ready(ctx),
		"Create":        s.Accounts.Create(ctx, domain.Account{ID: runID, Email: runID}),
		"Settle (read)": s.Runs.Update(ctx, account.ID, func(b port.RunBook) error { _, err := b.RunsSince(start); return err }),
	}
}

// active replaces the active key, asks for it and revokes it.
func active(ctx context.Context, s conformance.Storage, id string) error {
	is, err := s.Keys.Active(ctx, account.ID, domain.LiveKey)
	if err != nil {
		return err
	}
	k := domain.APIKey{ID: "active " + id, AccountID: account.ID, Kind: domain.LiveKey, Hash: sha256.Sum256([]byte("active " + id)), Prefix: "milaan_live_" + id}
	if err := s.Keys.Replace(ctx, k, is.Prefix, domain.SecurityEvent{}); err != nil {
		return err
	}
	return s.Keys.Revoke(ctx, account.ID, domain.LiveKey, k.Prefix, start, domain.SecurityEvent{})
}

func present(ctx context.Context, s conformance.Storage, hash domain.KeyHash) error {
	return s.Keys.Present(ctx, hash, start, func(port.KeyUse) (domain.RateWindow, bool, error) {
		return domain.RateWindow{Admitted: []time.Time{start}}, true, nil
	})
}

func settle(ctx context.Context, s conformance.Storage, runID string) error {
	return s.Write(ctx, account.ID, port.Entry{Run: domain.Run{ID: runID, AccountID: account.ID, At: start}})
}

func claimOf(key string) domain.RequestClaim {
	return domain.RequestClaim{AccountID: account.ID, Key: sha256.Sum256([]byte(key)), Holder: "holder", At: start, Until: start.Add(domain.RequestLease)}
}

// settleClaimed stores a run as the outcome of a claim.
func settleClaimed(ctx context.Context, s conformance.Storage, runID string) error {
	claim := claimOf(runID)
	claim.RunID = runID
	return s.Write(ctx, account.ID, port.Entry{Run: domain.Run{ID: runID, AccountID: account.ID, At: start}, Claim: claim})
}

func submit(ctx context.Context, s conformance.Storage, id string) error {
	b := domain.Batch{ID: id, AccountID: account.ID, SubmittedAt: start}
	return s.Batches.Submit(ctx, b, []port.Request{{Storefront: []byte("orders")}}, domain.RequestClaim{})
}

func add(ctx context.Context, s conformance.Storage, id string) error {
	return s.Deliveries.Add(ctx, domain.Delivery{ID: id, EventID: id, AccountID: account.ID, Kind: domain.BatchDelivery, BatchID: id, CreatedAt: start})
}

func connect(ctx context.Context, s conformance.Storage, id string) error {
	return s.Connections.Add(ctx, domain.Connection{ID: id, AccountID: account.ID, Brand: id, CreatedAt: start, ChangedAt: start, Revision: 1,
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: start}}, domain.SecurityEvent{})
}

func askFor(ctx context.Context, s conformance.Storage, id string) error {
	return s.Passes.Ask(ctx, domain.Pass{ID: id, AccountID: account.ID, ConnectionID: id, Slot: start, Asked: true, Due: start})
}

func settlePass(ctx context.Context, s conformance.Storage, id string) error {
	ended := domain.Pass{ID: id, EndedAt: start, PassResult: domain.PassResult{Outcome: domain.PassStored, RunID: id}}
	return s.Write(ctx, account.ID, port.Entry{Run: domain.Run{ID: id, At: start, Source: domain.SourceAutopilot}, Pass: port.PassEnd{Pass: ended}})
}

func mail(ctx context.Context, s conformance.Storage, id string) error {
	added, err := s.Mails.Add(ctx, domain.Mail{ID: id, AccountID: account.ID, Kind: domain.MailDigest, Period: id, CreatedAt: start})
	if err == nil && !added {
		return errors.New("the mail was not added")
	}
	return err
}

func TestOutageOfPostgreSQL(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t)
	s := withAccount(t, storage.Settings{DatabaseURL: server.Database(t)})
	for call, err := range everyCall(t.Context(), s, "before") {
		require.NoError(t, err, call)
	}

	server.Stop(t)
	for call, err := range everyCall(t.Context(), s, "during") {
		require.ErrorIs(t, err, domain.ErrDatabase, call)
	}

	server.Start(t)
	for call, err := range everyCall(t.Context(), s, "after") {
		require.NoError(t, err, call)
	}
	require.Equal(t, 2, conformance.RunsSince(t, s, account.ID, start))
}

// A restart between two calls leaves a pool of dead connections. No call
// after it fails.
func TestRestartOfPostgreSQLIsNotNoticed(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t)
	s := withAccount(t, storage.Settings{DatabaseURL: server.Database(t)})
	require.NoError(t, s.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}))
	const callers = 32
	atOnce := func(name string) {
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				if err := present(t.Context(), s, key.Hash); err != nil {
					t.Error(err)
				}
				if err := settle(t.Context(), s, name+string(rune('a'+i))); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	atOnce("before")
	server.Stop(t)
	server.Start(t)
	atOnce("after")
	require.Equal(t, 2*callers, conformance.RunsSince(t, s, account.ID, start))
}

// Where the connection breaks during a commit, the answer is still true.
func TestBrokenCommit(t *testing.T) {
	t.Parallel()
	url := postgres.Database(t)
	store := opened(t, storage.Settings{DatabaseURL: url})
	direct := ports(store)
	require.NoError(t, direct.Accounts.Create(t.Context(), account))
	line := tapped(t, url)
	s := ports(opened(t, storage.Settings{DatabaseURL: line.url}))

	calls := map[string]func(context.Context, conformance.Storage, string) error{
		"run": settle, "claimed": settleClaimed, "batch": submit, "delivery": add,
		"connection": connect, "asked": askFor, "pass": settlePass, "mail": mail}
	stored := map[string]func(id string) bool{
		"run": func(id string) bool {
			var n int
			require.NoError(t, store.Handle().Postgres.QueryRow(t.Context(), "SELECT COUNT(*) FROM runs WHERE id = $1", id).Scan(&n))
			return n == 1
		},
		"claimed": func(id string) bool {
			claim := only.Value(direct.Claims.Take(t.Context(), claimOf(id)))(t)
			require.Equal(t, claim.RunID == id, claim.RunID != "")
			return claim.RunID == id
		},
		"batch": func(id string) bool {
			_, err := direct.Batches.Find(t.Context(), account.ID, id)
			return err == nil
		},
		"delivery": func(id string) bool {
			_, err := direct.Deliveries.Find(t.Context(), account.ID, id)
			return err == nil
		},
		"connection": func(id string) bool {
			_, err := direct.Connections.Find(t.Context(), account.ID, id)
			return err == nil
		},
		"asked": func(id string) bool {
			return len(only.Value(direct.PassLog.Latest(t.Context(), account.ID, id, 1))(t)) == 1
		},
		"pass": func(id string) bool {
			var run, pass bool // in one look, for the server may still be committing
			require.NoError(t, store.Handle().Postgres.QueryRow(t.Context(),
				"SELECT EXISTS (SELECT FROM runs WHERE id = $1), outcome = $2 FROM passes WHERE id = $1", id, domain.PassStored).Scan(&run, &pass))
			require.Equal(t, run, pass)
			return run
		},
		"mail": func(id string) bool {
			_, _, err := direct.Mails.Find(t.Context(), id)
			return err == nil
		},
	}
	for what, call := range calls {
		for _, c := range []struct {
			name   string
			cut    cutting
			want   error
			stored bool
		}{
			{"before the server hears of it", cutBefore, domain.ErrDatabase, false},
			{"after the server hears of it", cutAfter, nil, true},
			{"for good", cutForGood, domain.ErrUnsettled, true},
			{"not, but the answer is garbled", cutNotGarbled, nil, true},
		} {
			id := what + " cut " + c.name
			require.NoError(t, only.Err(direct.Claims.Take(t.Context(), claimOf(id))))
			if what == "asked" || what == "pass" {
				require.NoError(t, connect(t.Context(), direct, id))
			}
			if what == "pass" {
				require.NoError(t, askFor(t.Context(), direct, id))
			}
			line.cut.Store(int32(c.cut))
			require.ErrorIs(t, call(t.Context(), s, id), c.want, "%s, %s", what, c.name)
			require.EqualValues(t, cutNot, line.cut.Load(), "the line was cut")
			line.dead.Store(false)
			require.Eventually(t, func() bool { return stored[what](id) == c.stored }, time.Minute, 10*time.Millisecond, "%s, %s", what, c.name)
		}
	}
}

// A call that waits for a lock until its context ends returns that the database is out of
// reach, and can be repeated. A call with a longer context gets the lock.
func TestWaitForALockIsBounded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		one, other := twice(t, settings)
		third := ports(opened(t, settings))
		require.NoError(t, one.Accounts.Create(t.Context(), account))
		waiting := make(chan error, 1)
		require.NoError(t, one.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error {
			require.Equal(t, account.ID, b.Account().ID) // which takes the lock
			go func() { waiting <- settle(t.Context(), third, "waiting") }()
			soon, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			require.ErrorIs(t, settle(soon, other, "kept waiting"), domain.ErrDatabase)
			require.ErrorIs(t, soon.Err(), context.DeadlineExceeded, "it waits as long as its context allows")
			require.NoError(t, only.Err(other.Accounts.ByEmail(t.Context(), account.Email)), "reading goes on")
			return b.Write(port.Entry{Run: domain.Run{ID: "first", At: start}})
		}))
		require.NoError(t, <-waiting)
		require.NoError(t, settle(t.Context(), other, "second"))
		require.Equal(t, 3, conformance.RunsSince(t, one, account.ID, start))
	})
}

// cutting is where a tapped line is cut at the next commit.
type cutting int32

const (
	cutNot cutting = iota
	cutBefore
	cutAfter
	cutForGood    // after the server hears of it, and nothing gets through any more
	cutNotGarbled // the server commits, and the client does not understand its answer
)

// tappedLine is a line to the database that can be cut at a commit.
type tappedLine struct {
	url  string
	cut  atomic.Int32
	dead atomic.Bool
}

func tapped(t *testing.T, url string) *tappedLine {
	t.Helper()
	address, _, _ := strings.Cut(url[strings.Index(url, "@")+1:], "/")
	ear := only.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { require.NoError(t, ear.Close()) })
	line := &tappedLine{url: strings.Replace(url, address, ear.Addr().String(), 1)}
	go func() {
		for {
			client, err := ear.Accept()
			if err != nil {
				return
			}
			if line.dead.Load() {
				_ = client.Close()
				continue
			}
			server, err := net.Dial("tcp", address)
			if err != nil {
				_ = client.Close()
				return
			}
			answers := &answering{to: client}
			go func() { _, _ = io.Copy(answers, server); _ = client.Close() }()
			go line.forward(client, server, answers)
		}
	}()
	return line
}

// answering writes answers of the server, unless they are held.
type answering struct {
	to      net.Conn
	held    sync.Mutex
	garbled bool // the next answer begins with a type of messages that there is not
}

func (a *answering) Write(p []byte) (int, error) {
	a.held.Lock()
	defer a.held.Unlock()
	if a.garbled {
		a.garbled = false
		p = append([]byte{'?'}, p[1:]...)
	}
	return a.to.Write(p)
}

// preparedCommit is the name under which the driver has prepared the statement COMMIT.
var preparedCommit = fmt.Appendf(nil, "stmtcache_%x", sha256.Sum256([]byte("COMMIT")))[:len("stmtcache_")+48]

// commits says whether a client's message commits a transaction, with what is sent before it.
func commits(message []byte) bool {
	return bytes.Contains(message, []byte("commit")) || bytes.Contains(message, preparedCommit) && !bytes.Contains(message, []byte("COMMIT"))
}

// cancels is the code of a client's message that asks the server to stop what it does for another connection.
const cancels = "\x04\xd2\x16\x2e"

// forward forwards what the client says, but no wish to stop a commit: that may come in time or not.
// Where the line is cut, the client gets no answer, and the server has heard all that it is to hear,
// and that nobody listens any more, by the time that the client finds out.
func (l *tappedLine) forward(client, server net.Conn, answers *answering) {
	defer func() { _ = server.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil || l.dead.Load() || bytes.HasPrefix(buffer[min(4, n):n], []byte(cancels)) {
			return
		}
		cut := cutting(l.cut.Load())
		if cut == cutNotGarbled && commits(buffer[:n]) {
			answers.held.Lock()
			answers.garbled = true
			answers.held.Unlock()
			l.cut.Store(int32(cutNot))
			cut = cutNot
		}
		if cut != cutNot && commits(buffer[:n]) {
			answers.held.Lock()
			defer answers.held.Unlock()
			l.dead.Store(cut == cutForGood)
			l.cut.Store(int32(cutNot))
			if cut != cutBefore {
				_, _ = server.Write(buffer[:n])
			}
			_ = server.Close()
			_ = client.Close()
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// A request is counted without a wait for the server's disk, and nothing else is: the session
// that has counted it waits again.
func TestOnlyTheCountOfRequestsDoesNotWaitForTheDisk(t *testing.T) {
	t.Parallel()
	store := opened(t, storage.Settings{DatabaseURL: postgres.Database(t) + "&pool_max_conns=1"})
	s := ports(store)
	require.NoError(t, s.Accounts.Create(t.Context(), account))
	require.NoError(t, s.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}))
	for range 2 { // the first window, and another one
		require.NoError(t, present(t.Context(), s, key.Hash))
		var waits string
		require.NoError(t, store.Handle().Postgres.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&waits))
		require.Equal(t, "on", waits)
	}
}

// PostgreSQL answers the commit of a transaction in which it has refused a statement without an
// error. Nothing was stored, and a caller who has passed over the refusal is told so.
func TestCommitAfterARefusal(t *testing.T) {
	t.Parallel()
	s := withAccount(t, storage.Settings{DatabaseURL: postgres.Database(t)})
	require.NoError(t, settle(t.Context(), s, "first"))
	require.Error(t, s.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error {
		for _, id := range []string{"second", "first"} {
			require.NoError(t, b.Write(port.Entry{Run: domain.Run{ID: id, At: start}}))
			_, err := b.RunsSince(start)
			require.Equal(t, id == "first", err != nil, "there is such a run")
		}
		return nil
	}))
	require.Equal(t, 1, conformance.RunsSince(t, s, account.ID, start))
}

// A key that somebody else's transaction holds, of an instance that has been stopped for example,
// lets requests in: when it was used is stored by a later one.
func TestUseOfAKeyWaitsForNobody(t *testing.T) {
	t.Parallel()
	store := opened(t, storage.Settings{DatabaseURL: postgres.Database(t)})
	s := ports(store)
	require.NoError(t, s.Accounts.Create(t.Context(), account))
	require.NoError(t, s.Keys.Rotate(t.Context(), key, domain.SecurityEvent{}))
	holder := only.Value(store.Handle().Postgres.Begin(t.Context()))(t)
	defer func() { _ = holder.Rollback(context.Background()) }() // or else the store cannot be closed
	require.NoError(t, only.Err(holder.Exec(t.Context(), "SELECT 1 FROM api_keys FOR UPDATE")))
	used := func() time.Time {
		return only.Value(s.Keys.Active(t.Context(), account.ID, domain.LiveKey))(t).UsedAt
	}
	for range 2 { // the first window, and another one
		require.NoError(t, present(t.Context(), s, key.Hash))
	}
	require.Zero(t, used())
	require.NoError(t, holder.Rollback(t.Context()))
	require.NoError(t, present(t.Context(), s, key.Hash))
	require.Equal(t, start, used())
}
