package conformance

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// aConnection has another value in every field, so that none can take another's place. It
// is active and due at noon.
func aConnection(account domain.Account, name string) domain.Connection {
	return domain.Connection{ID: "connection-" + account.ID + name, AccountID: account.ID, Brand: "Brand ₹ " + name,
		Shop: domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": PlainText + ".myshopify.com", "client_secret": PlainText}},
		Sources: []domain.ReportSource{
			{ID: "source-1", Connector: "sftp", Settings: domain.Settings{"host": "files." + PlainText + ".example", "private_key": "a\n" + PlainText + "\n"},
				Pattern: "*" + PlainText + "*.csv", Courier: "dtdc", Columns: map[domain.Role]string{domain.RoleAWB: "Waybill " + PlainText, domain.RoleOrderID: "Ref"},
				Since: noon.Add(-time.Hour)},
			{ID: "source-2", Connector: "upload"},
		},
		ConnectionTerms: domain.ConnectionTerms{WindowDays: 45, OverdueDays: new(0), MinorGap: new(3), Charges: domain.AcceptCharges, AlertAbove: 5_000_00},
		Revision:        2, CreatedAt: noon, ChangedAt: noon.Add(time.Second),
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: noon}}
}

// aFailure has another value in every field.
func aFailure() *domain.ConnectorError {
	return &domain.ConnectorError{Rule: domain.ConnReport, Connector: "sftp", Source: 1, Setting: "folder", File: PlainText + ".csv", Line: 2,
		Column: "awb", Value: PlainText, Status: 503, Limit: 1 << 40, Days: 31, Wait: 1500 * time.Millisecond}
}

func connected(t *testing.T, s Storage, account domain.Account, name string) domain.Connection {
	t.Helper()
	c := aConnection(account, name)
	require.NoError(t, s.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
	return c
}

// ConnectionOf finds a connection of an account.
func ConnectionOf(t *testing.T, s Storage, c domain.Connection) domain.Connection {
	t.Helper()
	return only.Value(s.Connections.Find(t.Context(), c.AccountID, c.ID))(t)
}

func changeConnection(t *testing.T, s Storage, c domain.Connection, change func(*domain.Connection)) domain.Connection {
	t.Helper()
	changed := only.Value(s.Connections.Update(t.Context(), c.AccountID, c.ID, domain.SecurityEvent{}, func(c *domain.Connection) error {
		change(c)
		return nil
	}))(t)
	return changed
}

func connectionEvent(id string) domain.SecurityEvent {
	return domain.SecurityEvent{ID: id, At: noon, Kind: domain.SecurityConnection, By: domain.ByDashboard}
}

var _ = promises.add("a connection comes back as it was stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "connected"), created(t, one, "neighbour")
	full := aConnection(account, "b")
	full.State, full.CheckedAt, full.FailingSince, full.Failure = domain.ConnectionPaused, noon.Add(time.Minute), noon.Add(2*time.Minute), aFailure()
	full.LastRunID, full.LastRunAt, full.AtRisk, full.AboveSince = "run", noon.Add(3*time.Minute), 7_00, noon.Add(4*time.Minute)
	full.Left = domain.OrderSum{Orders: 8, Amount: 9_00}
	bare := domain.Connection{ID: "bare", AccountID: account.ID, Brand: "a", Shop: domain.Shop{Connector: "woocommerce"},
		Sources: []domain.ReportSource{{ID: "source", Connector: "upload"}}, ConnectionTerms: domain.ConnectionTerms{WindowDays: 30}, Revision: 1, CreatedAt: noon, ChangedAt: noon,
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: noon}}
	require.NoError(t, one.Connections.Add(ctx, full, connectionEvent("added")))
	require.NoError(t, one.Connections.Add(ctx, bare, domain.SecurityEvent{}))
	require.Equal(t, []string{"added"}, eventIDs(t, one, account))

	require.Equal(t, full, ConnectionOf(t, other, full))
	list, err := other.Connections.List(ctx, account.ID)
	require.NoError(t, err)
	require.Equal(t, []domain.Connection{full, bare}, list, "by brand, byte for byte")
	list = only.Value(other.Connections.List(ctx, neighbour.ID))(t)
	require.Empty(t, list)
	for _, missing := range [][2]string{{neighbour.ID, full.ID}, {account.ID, "unknown"}, {"unknown", full.ID}} {
		require.ErrorIs(t, only.Err(other.Connections.Find(ctx, missing[0], missing[1])), domain.ErrNoConnection)
		_, err = other.Connections.Update(ctx, missing[0], missing[1], connectionEvent("never"), func(*domain.Connection) error { return nil })
		require.ErrorIs(t, err, domain.ErrNoConnection)
		require.ErrorIs(t, other.Connections.Remove(ctx, missing[0], missing[1], connectionEvent("never")), domain.ErrNoConnection)
	}
	require.ErrorIs(t, one.Connections.Add(ctx, aConnection(anAccount("nobody"), ""), connectionEvent("never")), domain.ErrNoAccount)

	changed := only.Value(other.Connections.Update(ctx, account.ID, full.ID, connectionEvent("changed"), func(c *domain.Connection) error {
		require.Equal(t, full, *c)
		*c = bare
		c.Brand, c.AccountID, c.CreatedAt = "c", neighbour.ID, noon.Add(time.Hour)
		return nil
	}))(t)
	want := bare
	want.ID, want.Brand = full.ID, "c"
	require.Equal(t, want, changed, "its id, its account and its beginning stay")
	require.Equal(t, want, ConnectionOf(t, one, full))
	require.ElementsMatch(t, []string{"added", "changed"}, eventIDs(t, one, account))
})

var _ = promises.add("a connection's update that fails alters nothing", func(t *testing.T, one, other Storage) {
	account := created(t, one, "refused")
	c := connected(t, one, account, "")
	refusal := errors.New("refused")
	_, err := other.Connections.Update(t.Context(), account.ID, c.ID, connectionEvent("never"), func(c *domain.Connection) error {
		*c = domain.Connection{}
		return refusal
	})
	require.Same(t, refusal, err)
	require.Equal(t, c, ConnectionOf(t, one, c))
	require.Empty(t, eventIDs(t, one, account))
})

var _ = promises.add("a connection's updates do not overwrite each other", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "busy"), "")
	requireInParallel(t, one, other, func(s Storage, _ int) error {
		_, err := s.Connections.Update(t.Context(), c.AccountID, c.ID, domain.SecurityEvent{}, func(c *domain.Connection) error {
			c.Revision++
			return nil
		})
		return err
	})
	require.Equal(t, c.Revision+many, ConnectionOf(t, one, c).Revision)
})

var _ = promises.add("the limit of connections is exact", func(t *testing.T, one, other Storage) {
	account := created(t, one, "limited")
	add := func(s Storage, id string) error {
		return s.Connections.Add(t.Context(), aConnection(account, id), connectionEvent(id))
	}
	left := many / 2
	for i := range domain.MaxConnections - left {
		require.NoError(t, add(one, fmt.Sprint("before-", i)))
	}
	added := Succeeded(t, InParallel(one, other, func(s Storage, i int) error { return add(s, fmt.Sprint(i)) }), domain.ErrConnections)
	require.Len(t, added, left)
	require.Len(t, only.Value(one.Connections.List(t.Context(), account.ID))(t), domain.MaxConnections)
	require.Len(t, eventIDs(t, one, account), domain.MaxConnections)
	connected(t, one, created(t, one, "neighbour"), "")
})

var _ = promises.add("a brand is one connection's", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "brands"), created(t, one, "neighbour")
	named := func(account domain.Account, id string) domain.Connection {
		c := aConnection(account, id)
		c.Brand = "brand"
		return c
	}
	added := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return s.Connections.Add(ctx, named(account, fmt.Sprint(i)), domain.SecurityEvent{})
	}), domain.ErrBrandTaken)
	require.Len(t, added, 1)
	require.NoError(t, one.Connections.Add(ctx, named(neighbour, ""), domain.SecurityEvent{}), "the brands of others do not matter")
	second := connected(t, one, account, "second")
	_, err := other.Connections.Update(ctx, account.ID, second.ID, domain.SecurityEvent{}, func(c *domain.Connection) error {
		c.Brand = "brand"
		return nil
	})
	require.ErrorIs(t, err, domain.ErrBrandTaken)
	require.Equal(t, second, ConnectionOf(t, one, second))
	renamed := changeConnection(t, one, second, func(c *domain.Connection) { c.Brand = "Brand" })
	require.Equal(t, "Brand", renamed.Brand)
})

var _ = promises.add("a removed connection leaves nothing", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "removing")
	c, stays := connected(t, one, account, "goes"), connected(t, one, account, "stays")
	pass, waiting := asked(t, one, c, "first"), asked(t, one, stays, "other")
	require.NoError(t, one.Passes.End(ctx, anEndOf(pass, c)))
	kept(t, one, c)
	mark(t, one, c, aMark("goes"))
	left := kept(t, one, stays)
	pass = asked(t, one, c, "second")
	ignored := ignoring(t, one, c, "a")
	kept, staying := keeping(t, one, c, "a.csv", "a"), keeping(t, one, stays, "a.csv", "b")

	require.NoError(t, other.Connections.Remove(ctx, account.ID, c.ID, connectionEvent("removed")))
	require.Equal(t, []string{"removed"}, eventIDs(t, one, account))
	require.ErrorIs(t, only.Err(one.Connections.Find(ctx, account.ID, c.ID)), domain.ErrNoConnection)
	require.ErrorIs(t, only.Err(one.Passes.Begin(ctx, pass.ID, noon)), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Passes.StoreSnapshots(ctx, pass.ID, noon, nil), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Passes.End(ctx, anEndOf(pass, c)), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Write(ctx, account.ID, ports.Entry{Run: aRun(account, "late", noon), Pass: anEndOf(pass, c)}), domain.ErrNothingToDo)
	requireNoRuns(t, one, account)
	require.Empty(t, only.Value(one.PassLog.Latest(ctx, account.ID, c.ID, 10))(t))
	require.ErrorIs(t, only.Err(one.KeptFiles.Read(ctx, account.ID, c.ID, kept.ID)), domain.ErrNoKeptFile)
	require.ErrorIs(t, one.KeptFiles.Add(ctx, kept, []byte("again")), domain.ErrNoConnection)
	require.ErrorIs(t, only.Err(one.Ledgers.Find(ctx, account.ID, c.ID)), domain.ErrNoConnection)
	require.ErrorIs(t, one.Ledgers.Switch(ctx, account.ID, c.ID, true, noon, connectionEvent("never")), domain.ErrNoConnection)
	require.Empty(t, storedOf(t, one.Ignored.List, c))
	require.ErrorIs(t, one.ignore(t, ignored, domain.SecurityEvent{}), domain.ErrNoConnection)
	require.ErrorIs(t, one.Passes.Ask(ctx, aPass(c, "late")), domain.ErrNoConnection)
	require.NoError(t, one.Connections.Add(ctx, c, domain.SecurityEvent{}), "and it may come again, with nothing of its past")
	require.NoError(t, one.Passes.Ask(ctx, aPass(c, "first")))
	require.ErrorIs(t, only.Err(one.Ledgers.Find(ctx, account.ID, c.ID)), domain.ErrNoItems)

	require.Equal(t, left, ledgerOf(t, one, stays))
	require.Equal(t, stays, ConnectionOf(t, one, stays))
	require.NoError(t, only.Err(one.Passes.Begin(ctx, waiting.ID, noon)))
	require.Equal(t, "b", string(only.Value(one.KeptFiles.Read(ctx, account.ID, stays.ID, staying.ID))(t)))
})

// A connection whose settings cannot be opened needs attention, and new settings end that.
// Until there are some, the old ones stay: their secret may come back.
var _ = promises.add("a connection of a lost secret needs attention", func(t *testing.T, one, _ Storage) {
	ctx := t.Context()
	lost := one.LostSecret(t)
	account := created(t, one, "lost")
	c := connected(t, one, account, "")
	pass := asked(t, one, c, "lost")
	require.NoError(t, one.Passes.StoreSnapshots(ctx, pass.ID, noon, map[string]domain.Snapshot{"file": {Version: "v", At: noon}}))
	want := c
	want.State, want.Shop, want.Sources = domain.ConnectionRefused, domain.Shop{}, nil
	require.Equal(t, want, ConnectionOf(t, lost, c))
	require.Equal(t, []domain.Connection{want}, only.Value(lost.Connections.List(ctx, account.ID))(t))

	begun := only.Value(lost.Passes.Begin(ctx, pass.ID, noon))(t)
	require.Equal(t, want, begun.Connection)
	require.Nil(t, begun.Snapshots, "it looks again")
	require.Zero(t, begun.Pass.SnapshotAt)
	end := anEndOf(pass, c)
	end.Pass.Outcome, end.Status = domain.PassSkipped, nil
	require.NoError(t, lost.Passes.End(ctx, end))
	require.Equal(t, domain.ConnectionRefused, ConnectionOf(t, one, c).State, "no further passes are made")
	require.Equal(t, domain.PassSkipped, only.Value(lost.PassLog.Latest(ctx, account.ID, c.ID, 1))(t)[0].Outcome)

	changeConnection(t, lost, c, func(c *domain.Connection) { c.WindowDays++ })
	again := ConnectionOf(t, one, c)
	require.Equal(t, c.Shop, again.Shop, "its settings stay until there are others")
	require.Equal(t, c.WindowDays+1, again.WindowDays)
	afresh := changeConnection(t, lost, c, func(stored *domain.Connection) {
		stored.Shop, stored.Sources, stored.State = domain.Shop{Connector: "woocommerce"}, c.Sources[1:], domain.ConnectionActive
	})
	require.Equal(t, afresh, ConnectionOf(t, lost, c))
	require.Equal(t, domain.ConnectionRefused, ConnectionOf(t, one, c).State, "and now these can be opened with the other secret alone")
})
