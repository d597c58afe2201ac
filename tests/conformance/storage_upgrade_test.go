package conformance_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/only"
)

// migratedTo makes a database as an earlier program has left it.
func migratedTo(t *testing.T, settings storage.Settings, version int64) *sql.DB {
	t.Helper()
	folder, dialect := "postgres", goose.DialectPostgres
	if settings.DatabaseURL == "" {
		folder, dialect = "sqlite", goose.DialectSQLite3
		require.NoError(t, os.MkdirAll(settings.DataDir, 0o700))
	}
	behind := raw(t, settings)
	provider := only.Value(goose.NewProvider(dialect, behind, os.DirFS("../../adapters/storage/migrations/"+folder)))(t)
	require.NoError(t, only.Err(provider.UpTo(t.Context(), version)))
	return behind
}

// What a key and its polls have used up is not forgiven by an upgrade, which
// keeps it by account.
func TestWindowsOutliveTheUpgrade(t *testing.T) {
	onBothUnmigrated(t, func(t *testing.T, settings storage.Settings) {
		behind := migratedTo(t, settings, 2)
		hash := func(n string) string {
			if settings.DatabaseURL == "" {
				return "X'" + n + "'"
			}
			return `'\x` + n + `'`
		}
		blocked, used := start.Add(time.Minute), start.Add(-time.Second)
		execute(t, behind,
			`INSERT INTO accounts (id, email, plan, subscription, subscribed_on_day, plan_since_day, billing_day, phone_verified, overdue_days, created_at_us)
			 VALUES ('account', 'asha@shop.example', 'pro', 'active', 1, 1, 1, TRUE, 0, 0)`,
			`INSERT INTO api_keys (id, account_id, hash, prefix, issued_at_us, revoked_at_us) VALUES
			 ('former', 'account', `+hash("00000000000000000000000000000000000000000000000000000000000000f0")+`, 'p', 1, 2),
			 ('active', 'account', `+hash("0000000000000000000000000000000000000000000000000000000000000001")+`, 'p', 2, NULL)`)
		for subject, until := range map[string]any{"former": nil, "active": blocked.UnixMicro(), "status:active": nil, "demo:x": nil} {
			_, err := behind.Exec("INSERT INTO rate_windows (subject, admitted, blocked_until_us, changed_at_us, version) VALUES ($1, $2, $3, 1, 1)",
				subject, "1", until)
			require.NoError(t, err)
		}
		require.NoError(t, only.Err(behind.Exec("UPDATE rate_windows SET admitted = $1 WHERE subject <> 'former'", fmt.Sprint(used.UnixMicro()))))

		s := ports(opened(t, settings))
		var key domain.KeyHash
		key[31] = 1
		want := []time.Time{used.Truncate(time.Microsecond).UTC()}
		require.NoError(t, s.Keys.Present(t.Context(), key, start, func(use port.KeyUse) (domain.RateWindow, bool, error) {
			require.Equal(t, domain.RateWindow{Admitted: want, BlockedUntil: blocked.Truncate(time.Microsecond).UTC()}, use.Window)
			return use.Window, false, nil
		}))
		for _, subject := range []string{"status:account", "demo:x"} {
			require.NoError(t, s.Windows.Update(context.Background(), subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
				require.Equal(t, want, w.Admitted, subject)
				return w, false
			}))
		}
	})
}

// What was stored before there was a dashboard is listed, used and swept as what is stored
// now.
func TestTheDashboardShowsWhatIsOlder(t *testing.T) {
	onBothUnmigrated(t, func(t *testing.T, settings storage.Settings) {
		behind := migratedTo(t, settings, 8)
		hash := "CAST('thirty-two bytes of a key''s hash' AS BYTEA)"
		if settings.DatabaseURL == "" {
			hash = "CAST('thirty-two bytes of a key''s hash' AS BLOB)"
		}
		execute(t, behind,
			`INSERT INTO accounts (id, email, plan, subscription, subscribed_on_day, plan_since_day, billing_day, phone_verified, overdue_days, created_at_us)
			 VALUES ('account', 'asha@shop.example', 'enterprise', 'active', 1, 1, 1, TRUE, 0, 0)`,
			`INSERT INTO api_keys (id, account_id, hash, prefix, issued_at_us, revoked_at_us) VALUES ('key', 'account', `+hash+`, 'milaan_live_x', 2, NULL)`,
			`INSERT INTO column_mappings (account_id, courier_name, columns) VALUES ('account', 'dtdc', '{"awb":"Waybill"}')`,
			fmt.Sprintf(runRows, 3), runDeliveries)

		s := ports(opened(t, settings))
		ctx := t.Context()
		runs := only.Value(s.History.List(ctx, "account", port.RunFilter{Courier: "dtdc", Limit: 2}))(t)
		require.Len(t, runs, 2)
		require.Equal(t, []string{"row-3", "row-2"}, []string{runs[0].ID, runs[1].ID})
		labels := only.Value(s.History.Labels(ctx, "account"))(t)
		require.Equal(t, port.RunLabels{Brands: []string{"brand"}, Couriers: []string{"dtdc"}, Sources: []domain.Source{domain.SourceAPI}}, labels)
		mappings := only.Value(s.Mappings.List(ctx, "account"))(t)
		require.Equal(t, []port.StoredMapping{{SavedMapping: port.SavedMapping{CourierName: "dtdc", Mapping: domain.Mapping{domain.RoleAWB: "Waybill"}}}}, mappings)

		active := only.Value(s.Keys.Active(ctx, "account", domain.LiveKey))(t)
		require.Equal(t, port.ActiveKey{Prefix: "milaan_live_x", IssuedAt: time.UnixMicro(2).UTC()}, active)
		require.NoError(t, present(ctx, s, domain.KeyHash([]byte("thirty-two bytes of a key's hash"))))
		active = only.Value(s.Keys.Active(ctx, "account", domain.LiveKey))(t)
		require.Equal(t, start, active.UsedAt)
		require.NoError(t, s.Keys.Revoke(ctx, "account", domain.LiveKey, "milaan_live_x", start, domain.SecurityEvent{}))

		require.NoError(t, s.Sweep(ctx, port.Expiry{Runs: time.UnixMicro(3)}))
		runs = only.Value(s.History.List(ctx, "account", port.RunFilter{Limit: 2}))(t)
		require.Len(t, runs, 1)
		require.NoError(t, only.Err(s.Deliveries.Find(ctx, "account", "row-1")))
	})
}

// A mapping was stored under its name as it was written, before letters with a dot below became two characters.
func TestMappingsOfEarlierNamesAreChanged(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := withAccount(t, settings)
		const name = "बड\u095c"
		none, saved := domain.SecurityEvent{}, domain.NamedMapping{Name: name, SavedAt: start, Mapping: domain.Mapping{domain.RoleAWB: "Docket"}}
		for what, change := range map[string]func() error{
			"replaced": func() error { return s.Mappings.Save(t.Context(), account.ID, saved, true, none) },
			"renamed":  func() error { return s.Mappings.Rename(t.Context(), account.ID, name, "जो\u095c", none) },
			"removed":  func() error { return s.Mappings.RemoveNamed(t.Context(), account.ID, name, none) },
		} {
			require.NoError(t, s.Mappings.Save(t.Context(), account.ID, saved, false, none))
			require.NoError(t, only.Err(raw(t, settings).Exec("UPDATE named_mappings SET name_key = $1", name)))
			require.ErrorIs(t, s.Mappings.Save(t.Context(), account.ID, saved, false, none), domain.ErrMappingTaken, what)
			require.NoError(t, change(), what)
			all := only.Value(s.Mappings.ListNamed(t.Context(), account.ID))(t)
			require.Len(t, all, map[string]int{"replaced": 1, "renamed": 1}[what], what)
			for _, left := range all {
				require.NoError(t, s.Mappings.RemoveNamed(t.Context(), account.ID, left.Name, none), what)
			}
		}

		// In between, a second one could be saved under the name in its present form.
		require.NoError(t, s.Mappings.Save(t.Context(), account.ID, saved, false, none))
		_, err := raw(t, settings).Exec(`INSERT INTO named_mappings (account_id, name_key, name, header_hash, columns, saved_at_us)
			SELECT account_id, $1, name, header_hash, columns, saved_at_us FROM named_mappings`, name)
		require.NoError(t, err)
		require.NoError(t, s.Mappings.Rename(t.Context(), account.ID, name, "बड\u0921\u093c", none), "the letters alone")
		for left := range 2 {
			require.NoError(t, s.Mappings.RemoveNamed(t.Context(), account.ID, name, none), "%d of both", left)
		}
	})
}

// An account from before there was an autopilot connects a shop, and its older runs count
// towards the cap as they did.
func TestTheAutopilotWorksAfterAnUpgrade(t *testing.T) {
	onBothUnmigrated(t, func(t *testing.T, settings storage.Settings) {
		behind := migratedTo(t, settings, 9)
		execute(t, behind,
			`INSERT INTO accounts (id, email, plan, subscription, subscribed_on_day, plan_since_day, billing_day, phone_verified, overdue_days, created_at_us)
			 VALUES ('account', 'asha@shop.example', 'pro', 'active', 1, 1, 1, TRUE, 0, 0)`,
			fmt.Sprintf(runRows, 3))

		s := ports(opened(t, settings))
		ctx := t.Context()
		require.True(t, only.Value(s.Mails.Choice(ctx, "account"))(t).Wants(domain.MailDigest))
		require.Empty(t, only.Value(s.Connections.List(ctx, "account"))(t))
		require.NoError(t, connect(ctx, s, "connection"))
		require.Equal(t, 1, only.Value(s.Passes.Schedule(ctx, start, domain.PassPeriod, 10))(t))
		require.NoError(t, settlePass(ctx, s, only.Value(s.PassLog.Latest(ctx, "account", "connection", 1))(t)[0].ID))
		require.Len(t, only.Value(s.History.List(ctx, "account", port.RunFilter{Limit: 10}))(t), 4)
		require.Equal(t, 3, only.Value(s.Runs.RunsSince(ctx, "account", time.UnixMicro(0)))(t))
	})
}

// Members of before it was stored whether they are proven: those who have joined by the link of
// an invitation alone are not.
func TestWhoIsProvenAfterAnUpgrade(t *testing.T) {
	onBothUnmigrated(t, func(t *testing.T, settings storage.Settings) {
		behind := migratedTo(t, settings, 14)
		account := `INSERT INTO accounts (id, email, plan, subscription, subscribed_on_day, plan_since_day, billing_day, phone_verified, overdue_days, created_at_us, period_start_day, period_end_day)
			 VALUES ('%[1]s', '%[1]s@shop.example', 'pro', 'active', 1, 1, 1, TRUE, 0, 0, 0, 0)`
		member := `INSERT INTO members (id, account_id, email, role, added_at_us) VALUES ('member-%[1]s', '%[1]s', 'asha@shop.example', 'owner', 7)`
		joined := `INSERT INTO security_events (id, account_id, at_us, kind, detail, way) VALUES ('joined-%[1]s', '%[1]s', 7, 'signed_in', '%[2]s', 'dashboard')`
		session := `INSERT INTO sessions (id, account_id, hash, created_at_us, used_at_us, member_id, confined)
			 VALUES ('session-%[1]s', '%[1]s', CAST('thirty-two bytes of a hash %[1]s' AS BYTEA), 7, 7, 'member-%[1]s', %[2]s)`
		if settings.DatabaseURL == "" {
			session = strings.ReplaceAll(session, "BYTEA", "BLOB")
		}
		add := func(id string, statements ...string) {
			for _, statement := range append([]string{account, member}, statements...) {
				execute(t, behind, fmt.Sprintf(statement+"%.0[2]s%.0[3]s", id, "invitation", ""))
			}
		}
		byLink, confined, signedIn := joined, strings.ReplaceAll(session, "%[2]s", "TRUE"), strings.ReplaceAll(session, "%[2]s", "FALSE")
		add("a", byLink)
		add("b", byLink, confined)
		add("c", byLink, signedIn)
		add("d", byLink, `INSERT INTO last_accounts (email, account_id) VALUES ('asha@shop.example', '%[1]s')`)
		add("e", strings.ReplaceAll(joined, "%[2]s", "login.example"))
		add("f")

		s := ports(opened(t, settings))
		proven := func() (all string) {
			for _, m := range only.Value(s.People.WorksFor(t.Context(), "asha@shop.example"))(t) {
				if m.Proven {
					all += m.Account.ID
				}
			}
			return all
		}
		require.Equal(t, "cdef", proven())
		// An instance of the version before goes on.
		add("g", byLink, confined)
		add("h", byLink, signedIn)
		require.Equal(t, "cdefh", proven())
	})
}
