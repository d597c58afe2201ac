package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// kept implements the ports of Records. It returns what it was given, and keeps what it was
// asked.
type kept struct {
	ports.ReadingHistory
	ports.Gate
	peers.Answers

	asked  []any
	runs   []domain.Run
	next   string
	saved  []ports.StoredMapping
	named  []domain.NamedMapping
	events []domain.SecurityEvent
	fault  error
	closed int
}

func (k *kept) Runs(_ context.Context, accountID string, f ports.RunFilter) ([]domain.Run, string, error) {
	k.asked = []any{"runs", accountID, f}
	return k.runs, k.next, k.fault
}

func (k *kept) Mappings(_ context.Context, accountID string) ([]ports.StoredMapping, error) {
	k.asked = []any{"mappings", accountID}
	return k.saved, k.fault
}

func (k *kept) RemoveMapping(_ context.Context, accountID, courier string, by domain.Actor) error {
	k.asked = []any{"remove", accountID, courier, by}
	return k.fault
}

func (k *kept) NamedMappings(context.Context, string) ([]domain.NamedMapping, error) {
	return k.named, k.fault
}

func (k *kept) RenameMapping(_ context.Context, accountID, name, to string, by domain.Actor) error {
	k.asked = []any{"rename", accountID, name, to, by}
	return k.fault
}

func (k *kept) RemoveNamedMapping(_ context.Context, accountID, name string, by domain.Actor) error {
	k.asked = []any{"remove named", accountID, name, by}
	return k.fault
}

func (k *kept) LatestEvents(_ context.Context, accountID string) ([]domain.SecurityEvent, error) {
	k.asked = []any{"security", accountID}
	return k.events, k.fault
}

func (k *kept) AllEvents(_ context.Context, accountID string) iter.Seq2[domain.SecurityEvent, error] {
	k.asked = []any{"whole security log", accountID}
	return each(k.events)
}

func (*kept) WriteSecurityLog(w io.Writer, events iter.Seq2[domain.SecurityEvent, error], csv bool) error {
	listed := 0
	for _, err := range events {
		if err != nil {
			return err
		}
		listed++
	}
	_, err := fmt.Fprintln(w, listed, csv)
	return err
}

func (k *kept) deps() Deps {
	accounts := &managed{accounts: map[string]domain.Account{asha: {ID: "account-1", Email: asha}}}
	return Deps{Open: opens(&k.closed, as[ports.ManagingAccounts](struct {
		*managed
		*kept
	}{accounts, k}), as[ports.ReadingHistory](k), as[ports.Gate](k), as[peers.Answers](k))}
}

// TestTimesInTablesAreThoseOfIndia asks on a machine far west of India in the evening of UTC:
// in India it is the next day, by which --from and --to find the run.
func TestTimesInTablesAreThoseOfIndia(t *testing.T) {
	west, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	former := time.Local
	time.Local = west
	t.Cleanup(func() { time.Local = former })
	evening := noon.Add(8 * time.Hour)
	k := &kept{runs: []domain.Run{{ID: "r", At: evening.Local()}}, events: []domain.SecurityEvent{{At: evening.Local()}}}
	for _, command := range [][]string{{"history"}, {"account", "security"}} {
		got := run(k.deps(), append(command, "--email", asha)...)
		require.Contains(t, got.stdout, "2026-11-22 01:30 IST", command)
	}
}

func TestHistory(t *testing.T) {
	k := &kept{next: "0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90", runs: []domain.Run{{ID: "0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90", Brand: "Asha Textiles", CourierName: "delhivery+xpressbees",
		Source: domain.SourceDashboard, At: noon, Took: 40 * time.Millisecond, Tally: domain.Tally{StorefrontRows: 9, CourierRows: 8, Orders: 7, Due: 1_234_550,
			Remitted: 1_200_000, Shortfall: 34_550, AtRisk: 34_500, Unclaimed: 1, UnclaimedPaid: 9_900, Flags: domain.FlagCounts{domain.Missing: 2, domain.Reconciled: 5}}}}}
	got := run(k.deps(), "history", "--email", asha, "--courier", "delhivery", "--brand", "Asha Textiles", "--source", "dashboard", "--from", "2026-10-01", "--to", "2026-10-31", "--limit", "1", "--after", "x")
	require.Equal(t, ran{stdout: `RUN                                   AT                    BRAND          COURIER               SOURCE     ORDERS  FLAGGED         DUE    REMITTED  SHORTFALL  AT RISK
0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90  2026-11-21 17:30 IST  Asha Textiles  delhivery+xpressbees  dashboard       7        2  ₹12,345.50  ₹12,000.00    ₹345.50  ₹345.00

There are more: give the same flags and --after 0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90.
`}, got)
	require.Equal(t, []any{"runs", "account-1", ports.RunFilter{Brand: "Asha Textiles", Courier: "delhivery", Source: domain.SourceDashboard,
		From: domain.DayFromDate(2026, time.October, 1).Start(), To: domain.DayFromDate(2026, time.November, 1).Start(), After: "x", Limit: 1}}, k.asked)
	require.Equal(t, 1, k.closed)

	got = run(k.deps(), "history", "--email", asha, "--json")
	require.JSONEq(t, `{"next":"0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90","runs":[{"run_id":"0193b0a2-7a51-7c6e-9d5e-0a2f4c1b7e90","run_at":"2026-11-21T12:00:00Z",
		"brand":"Asha Textiles","couriers":["delhivery","xpressbees"],"source":"dashboard","took_ms":40,"storefront_rows":9,"courier_rows":8,"orders":7,
		"flags":{"MISSING":2,"SHORT_PAID":0,"OVERDUE":0,"RTO_ANOMALY":0,"MINOR_DIFF":0,"OVERPAID":0,"RECONCILED":5,"AWAITING_NEXT_CYCLE":0},"flagged_count":2,
		"due":12345.5,"remitted":12000,"shortfall":345.5,"amount_risk":345,"unclaimed_lines":1,"unclaimed_remitted":99}]}`, got.stdout)
	require.Equal(t, ports.RunFilter{Limit: 20}, k.asked[2])
}

func TestHistoryOfNothing(t *testing.T) {
	k := &kept{}
	require.Equal(t, ran{stdout: "No runs.\n"}, run(k.deps(), "history", "--email", asha))
	require.JSONEq(t, `{"runs":[],"next":null}`, run(k.deps(), "history", "--email", asha, "--json").stdout)
	run(k.deps(), "history", "--email", "ravi@shop.example").refused(t, ExitFailed, "no account has this e-mail address")
	k.fault = domain.Faults{{Field: domain.FieldSource, Rule: domain.RuleOneOf, Options: []string{"api", "batch"}}}.Err()
	got := run(k.deps(), "history", "--email", asha, "--source", "web")
	require.Equal(t, ran{code: ExitUsage, stderr: "milaan: --source must be api or batch\nSee milaan history --help.\n"}, got)
}

func TestMappings(t *testing.T) {
	k := &kept{saved: []ports.StoredMapping{
		{SavedMapping: ports.SavedMapping{CourierName: "delhivery", Mapping: domain.Mapping{domain.RoleAWB: "AWB No", domain.RoleCODAmount: "Amt"}}, SavedAt: noon},
		{SavedMapping: ports.SavedMapping{CourierName: "dtdc", Mapping: domain.Mapping{domain.RoleAWB: "CN"}}},
	}, named: []domain.NamedMapping{{Name: "Bharat Express", Mapping: domain.Mapping{domain.RoleAWB: "Docket"}, SavedAt: noon}}}
	got := run(k.deps(), "mapping", "list", "--email", asha)
	require.Equal(t, ran{stdout: `COURIER OR NAME   SAVED                 COLUMNS
delhivery         2026-11-21 17:30 IST  awb = AWB No, cod_amount = Amt
dtdc              not known             awb = CN
"Bharat Express"  2026-11-21 17:30 IST  awb = Docket
`}, got)
	require.Equal(t, []any{"mappings", "account-1"}, k.asked)
	require.JSONEq(t, `[{"courier":"delhivery","columns":{"awb":"AWB No","cod_amount":"Amt"},"saved_at":"2026-11-21T12:00:00Z"},
		{"courier":"dtdc","columns":{"awb":"CN"},"saved_at":null},
		{"name":"Bharat Express","columns":{"awb":"Docket"},"saved_at":"2026-11-21T12:00:00Z"}]`, run(k.deps(), "mapping", "list", "--email", asha, "--json").stdout)
	require.Equal(t, ran{stdout: "No saved mappings.\n"}, run((&kept{}).deps(), "mapping", "list", "--email", asha))

	got = run(k.deps(), "mapping", "remove", "--email", asha, "--courier", "dtdc")
	require.Equal(t, ran{stdout: "The mapping is removed.\n"}, got)
	require.Equal(t, []any{"remove", "account-1", "dtdc", domain.ByCommandLine}, k.asked)
	require.Equal(t, ran{stdout: "The mapping is removed.\n"}, run(k.deps(), "mapping", "remove", "--email", asha, "--name", "Speedy"))
	require.Equal(t, []any{"remove named", "account-1", "Speedy", domain.ByCommandLine}, k.asked)
	require.Equal(t, ran{stdout: "The mapping is renamed.\n"}, run(k.deps(), "mapping", "rename", "--email", asha, "--name", "Speedy", "--to", "Slow"))
	require.Equal(t, []any{"rename", "account-1", "Speedy", "Slow", domain.ByCommandLine}, k.asked)
	k.fault = domain.ErrNoMapping
	got = run(k.deps(), "mapping", "remove", "--email", asha, "--courier", "dtdc")
	got.refused(t, ExitFailed, "milaan: the account has no saved mapping for this courier")
}

func TestSecurityLog(t *testing.T) {
	k := &kept{events: []domain.SecurityEvent{
		{At: noon, Kind: domain.SecurityKeyIssued, Detail: "milaan_live_abcdefgh", Whom: "ravi@books.example",
			By: domain.Actor{Way: domain.WayAPI, Name: "asha@shop.example", Address: "2001:db8::1"}},
		{At: noon, Kind: domain.SecurityBranding, By: domain.ByCommandLine},
	}}
	got := run(k.deps(), "account", "security", "--email", asha)
	require.Equal(t, ran{stdout: `AT                    WHAT              WHOM                DETAIL                ACTOR              BY            ADDRESS
2026-11-21 17:30 IST  key_issued        ravi@books.example  milaan_live_abcdefgh  asha@shop.example  api           2001:db8::1
2026-11-21 17:30 IST  branding_changed                                                               command_line
`}, got)
	require.Equal(t, []any{"security", "account-1"}, k.asked)
	require.Equal(t, ran{stdout: "2 false\n"}, run(k.deps(), "account", "security", "--email", asha, "--json"))
	require.Equal(t, ran{stdout: "2 true\n"}, run(k.deps(), "account", "security", "--email", asha, "--csv", "--all"))
	require.Equal(t, []any{"whole security log", "account-1"}, k.asked)
	require.Equal(t, ExitUsage, run(k.deps(), "account", "security", "--email", asha, "--csv", "--json").code)
	require.Equal(t, ran{stdout: "Nothing has happened yet.\n"}, run((&kept{}).deps(), "account", "security", "--email", asha))
}
