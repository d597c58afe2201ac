package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// ran is what a command left behind.
type ran struct {
	code           int
	stdout, stderr string
}

func run(deps Deps, args ...string) ran {
	var stdout, stderr bytes.Buffer
	if deps.Words == nil {
		deps.Words = inEnglish
	}
	code := Execute(context.Background(), deps, args, &stdout, &stderr)
	return ran{code, stdout.String(), stderr.String()}
}

// refused demands that a command has failed with a code, and says why.
func (r ran) refused(t *testing.T, code int, why string) {
	t.Helper()
	require.Equal(t, code, r.code, r.stderr)
	require.Contains(t, r.stderr, why)
}

// TestOneCommandIsMade holds that each is found by its word, alone and among all.
func TestOneCommandIsMade(t *testing.T) {
	all := map[string]string{}
	for _, c := range New(Deps{}).Commands() {
		all[c.Name()] = c.Short
	}
	for _, c := range commands {
		made := newRoot(Deps{}, []string{c.name, "--json"}).Commands()
		require.Len(t, made, 1)
		require.Equal(t, c.name, made[0].Name())
		require.Equal(t, all[c.name], made[0].Short)
	}
	for _, args := range [][]string{{}, {"help", "version"}, {"--help"}, {"recon"}} {
		require.Len(t, newRoot(Deps{}, args).Commands(), len(all))
	}
}

func TestServeIsTheDefault(t *testing.T) {
	for _, args := range [][]string{{}, {"serve"}} {
		served := 0
		got := run(Deps{Serve: func(context.Context) error { served++; return nil }}, args...)
		require.Equal(t, ran{}, got)
		require.Equal(t, 1, served, args)
	}
	got := run(Deps{Serve: func(context.Context) error { return errors.New("MILAAN_ADDR is :80") }})
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: MILAAN_ADDR is :80\n"}, got)
}

func TestCommandsThatAreNotUnderstood(t *testing.T) {
	// A command that is not understood reads no file. Which couriers there are says which files are given.
	none := Deps{Offline: func() (Offline, error) { return Offline{Couriers: catalogue{}}, nil }}
	for _, c := range []struct {
		args string
		want string
	}{
		{"sevre", `unknown command "sevre": did you mean milaan serve?`},
		{"zzz", `unknown command "zzz"`},
		{"--port 80", "unknown flag: --port"},
		{"serve now", `milaan serve takes flags only: leave "now" out`},
		{"account", "say create, set, show, list, export, close, phone, subscription, brand, books or security"},
		{"account brand", "say set, show or remove"},
		{"account brand set --email a@shop.example", "nothing to change: give one or more of --name, --logo, --colour, --footer"},
		{"account brand set --name x", "--email is required"},
		{"account remove", `unknown command "remove"`},
		{"account create --plan pro", "--email is required"},
		{"account create --email a@shop.example", "--plan is required: solo, pro or enterprise"},
		{"account create --email a@shop.example --plan pro --run-cap many", `--run-cap is "many": must be a whole number, or none`},
		{"account create --email a@shop.example --plan pro --phone-verified false", "write --phone-verified=false, with an equals sign"},
		{"account create --email a@shop.example --plan pro --phone-verified=perhaps", `--phone-verified is "perhaps" and must be true or false`},
		{"account set --email a@shop.example --phone-verified no", `milaan account set takes flags only: leave "no" out`},
		{"account set --email a@shop.example", "nothing to change: give one or more of --plan, --subscription, --subscribed-on, --billing-day, --phone-verified, --run-cap, --overdue-days"},
		{"account set --plan pro", "--email is required"},
		{"account show", "--email is required"},
		{"session", "--email is required"},
		{"session --email a@shop.example --link --ttl 5m", "--ttl cannot stand beside --link"},
		{"session --link", "--email is required"},
		{"session --email a@shop.example --ttl 1", `--ttl is "1" and must be a duration such as 15m or 24h`},
		{"reconcile", "give the orders export, and then the courier's report or several reports; 0 files given"},
		{"reconcile a" + strings.Repeat(" b", 21), "give at most 20 reports; 21 given"},
		{"reconcile - -", "only one of the files can be read from standard input"},
		{"reconcile a b - --bank -", "only one of the files can be read from standard input"},
		{"report a", "give the orders export, and then the courier's report or several reports; 1 file given"},
		{"report a b", "say what to write: --xlsx FILE, --csv FOLDER, --pdf FILE, --dispute FOLDER, --tally FILE or --journal FILE, one or more of them"},
		{"report a b --csv -", "--csv writes several files: give a folder, not -"},
		{"report a b --xlsx - --pdf -", "only one document can go to standard output: give the other one a file"},
		{"report a b --xlsx c --pdf c", "--xlsx and --pdf are one file: give each its own"},
		{"report a b --tally c --journal c", "--tally and --journal are one file: give each its own"},
		{"report a b --tally - --journal -", "only one document can go to standard output: give the other one a file"},
		{"report a b --pdf c --colour red", "--colour must be"},
		{"report a b --pdf c --colour #ffff00", "--colour"},
		{"request a", "give the orders export, and then the courier's report or several reports; 1 file given"},
		{"request a b --overdue-days 0", "--overdue-days must be a whole number from 1 to 30"},
		{"request a b --minor-gap -1", "--minor-gap must be a whole number from 0 to 10"},
		{"request a b --include all", `--include is "all" and must be one or more of payouts, unclaimed, orders, lines`},
		{"request a b --format docx", `--format is "docx" and must be one of xlsx, csv, pdf, dispute, tally, journal`},
		{"reconcile a b --json --include totals", `--include is "totals" and must be one or more of payouts`},
		{"reconcile a b --include payouts", "--include is for --json; as text and as CSV, give --payouts or --unclaimed"},
		{"reconcile a b --csv --payouts --unclaimed", "--csv prints one table"},
		{"reconcile a b --csv --bank c --unclaimed", "--csv prints one table"},
		{"reconcile a b --csv --all --bank c", "--csv prints one table"},
		{"reconcile a b --csv --all --payouts", "--csv prints one table"},
		{"reconcile a b c --courier ups", "--courier must be one of delhivery, custom\nSee"},
		{"reconcile a b:c --column d:awb=X", `--column "d:awb=X": "d" is not one of the reports; write the file as it is given there`},
		{"reconcile a b --json --csv", "--json and --csv exclude each other"},
		{"reconcile a b --overdue-days soon", `--overdue-days is "soon" and must be a whole number`},
		{"reconcile a b --column awb", `--column "awb" must be role=Header; the roles are awb, order_id,`},
		{"reconcile a b --column weight=Kg", `--column "weight=Kg" must be role=Header`},
		{"reconcile a b --column awb=", `--column "awb=" must be role=Header`},
		{"reconcile a b --column awb=X --column awb=Y", "--column names a column for awb twice"},
		{"couriers a b", "give one file, or none for the catalogue; 2 given"},
		{"backup -", "the file cannot be - for standard output or input: it is read more than once; give a path"},
		{"migrate now", "takes flags only"},
		{"reconcile a b -all", "unknown shorthand flag: 'a' in -all; flags have two dashes, as in --all"},
		{"help bakcup", `unknown command "bakcup": did you mean milaan backup?`},
		{"webhook", "say set, rotate, show, remove, test, deliveries or redeliver"},
		{"webhook set --url https://shop.example", "--email is required"},
		{"webhook set --email a@shop.example", "--url is required"},
		{"webhook deliveries --email a@shop.example --limit 0", "--limit must be 1 to 1000"},
		{"webhook redeliver --email a@shop.example", "give the id of one delivery; 0 given"},
		{"webhook show a@shop.example", `milaan webhook show takes flags only: leave "a@shop.example" out`},
		{"history", "--email is required"},
		{"history --email a@shop.example --from today", "--from must be a date such as 2026-08-31"},
		{"history --email a@shop.example --limit 0", "--limit must be a whole number from 1 to 200"},
		{"mapping", "say list, rename or remove"},
		{"mapping remove --email a@shop.example", "say which mapping: --courier or --name"},
		{"mapping remove --email a@shop.example --courier dtdc --name x", "say which mapping: --courier or --name"},
		{"mapping rename --email a@shop.example --name x", "--to is required"},
		{"mapping remove --courier dtdc", "--email is required"},
		{"account security", "--email is required"},
		{"version now", "takes flags only"},
	} {
		t.Run(c.args, func(t *testing.T) {
			got := run(none, strings.Fields(c.args)...)
			got.refused(t, ExitUsage, c.want)
			require.Regexp(t, `^milaan: `, got.stderr)
			require.Regexp(t, `See milaan.* --help\.\n$`, got.stderr)
			require.Empty(t, got.stdout)
			require.NotContains(t, got.stderr, "strconv")
		})
	}
}

func TestHelpSaysWhatHolds(t *testing.T) {
	help := func(command ...string) string {
		got := run(Deps{}, append(command, "--help")...)
		require.Equal(t, ExitDone, got.code)
		return got.stdout
	}
	serve := help("serve")
	for _, s := range config.Settings() {
		unset, meaning := s.Help()
		require.Contains(t, serve, "  "+s.Variable()+" (default: "+unset+")\n      "+meaning+"\n")
	}
	require.NotContains(t, serve, "`")
	require.Contains(t, help("reconcile"), "up to 20 orders are all listed anyway")
	require.Contains(t, help("account", "create"), "(default today)")
	require.NotContains(t, help("account", "set"), "default", "what is not given stays as it is")
	require.NotContains(t, help("request"), "default", "what is not given is the account's")
}

func TestEveryCommandExplainsItself(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.IsAdditionalHelpTopicCommand() {
			return // a chapter of the guide
		}
		require.NotEmpty(t, c.Short, c.CommandPath())
		require.NotEmpty(t, c.Long, c.CommandPath())
		require.NotEmpty(t, c.Example, c.CommandPath())
		for _, line := range strings.Split(c.Long, "\n") {
			require.LessOrEqual(t, len(line), 90, c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := New(Deps{})
	walk(root)
	var names []string
	for _, c := range root.Commands() {
		if !c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	require.Equal(t, []string{"account", "backup", "connection", "couriers", "history", "hold", "mapping", "mcp", "migrate", "people", "ready", "reconcile", "report", "request", "reseal", "restore", "resume", "sandbox-key", "serve", "session", "version", "webhook"}, names)

	got := run(Deps{}, "--help")
	require.Equal(t, ExitDone, got.code)
	require.Contains(t, got.stdout, "milaan reconcile orders.csv remittance.csv")
	require.NotContains(t, got.stdout, "completion")
}

func TestMigrate(t *testing.T) {
	got := run(Deps{Migrate: func(context.Context) error { return nil }}, "migrate")
	require.Equal(t, ran{stdout: "The database is up to date.\n"}, got)
	got = run(Deps{Migrate: func(context.Context) error { return errors.New("newer than this program") }}, "migrate")
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: newer than this program\n"}, got)
}

func TestVersion(t *testing.T) {
	got := run(Deps{}, "version")
	require.Equal(t, ExitDone, got.code)
	require.Regexp(t, `^milaan \S+.*, go1\S* \w+/\w+\n$`, got.stdout)
	require.Equal(t, got, run(Deps{}, "--version"))

	require.Regexp(t, `^milaan v1\.2\.0 0123456789ab with changes 2026-01-31, go1 \w+/\w+$`,
		versionOf(config.Build{Version: "v1.2.0", Revision: "0123456789ab with changes", Date: "2026-01-31", GoVersion: "go1"}))
	require.Regexp(t, `^milaan \(unknown\), go1 `, versionOf(config.Build{Version: "(unknown)", GoVersion: "go1"}))
}

// catalogue is ports.Couriers with two couriers.
type catalogue struct {
	ports.Couriers

	err error
}

func (catalogue) Catalogue() []ports.CourierInfo {
	return []ports.CourierInfo{
		{ID: "delhivery", Name: "Delhivery", Signature: []string{"AWB No", "COD Amount", "Remittance Date"}},
		{ID: "custom", Name: "Custom"},
	}
}

func (c catalogue) Identify(name string) (string, bool) {
	for _, of := range c.Catalogue() {
		if strings.EqualFold(of.ID, name) {
			return of.ID, true
		}
	}
	return "", false
}

func (c catalogue) Recognise(content ports.Content) ([]ports.Recognition, domain.Mapping, error) {
	if c.err != nil {
		return nil, domain.Mapping{}, c.err
	}
	m := domain.Mapping{domain.RoleAWB: "AWB No", domain.RoleCODAmount: "COD Amount", domain.RoleRemittanceDate: "Remittance Date"}
	return []ports.Recognition{{Courier: c.Catalogue()[0], Mapping: m, Exact: len(content.Bytes) > 0}}, m, nil
}

// inspector takes every report for another file.
type inspector domain.File

func (i inspector) Inspect(context.Context, *domain.Account, ports.Request) (*ports.Inspection, error) {
	found := ports.InspectedReport{}
	found.Is = domain.File(i)
	return &ports.Inspection{Reports: []ports.InspectedReport{found}}, nil
}

func withCouriers(c catalogue) Deps {
	return Deps{Offline: func() (Offline, error) { return Offline{Couriers: c}, nil }}
}

func TestCouriers(t *testing.T) {
	got := run(withCouriers(catalogue{}), "couriers")
	require.Equal(t, ran{stdout: `ID         NAME       COLUMNS
delhivery  Delhivery  AWB No, COD Amount, Remittance Date
custom     Custom     (as --column or the request's columns say)
`}, got)
	got = run(withCouriers(catalogue{}), "couriers", "--json")
	require.JSONEq(t, `[{"id":"delhivery","name":"Delhivery","columns":["AWB No","COD Amount","Remittance Date"]},{"id":"custom","name":"Custom","columns":[]}]`, got.stdout)
}

func TestCouriersOfAFile(t *testing.T) {
	file := writeFile(t, "payout.csv", "AWB No,COD Amount,Remittance Date\n")
	got := run(withCouriers(catalogue{}), "couriers", file)
	require.Equal(t, ran{stdout: `RECOGNISED BY  NAME       HOW
delhivery      Delhivery  by its own columns

ROLE               COLUMN
awb                AWB No
order_id           -
cod_amount         COD Amount
remitted_amount    -
remittance_date    Remittance Date
delivered_date     -
status             -
remittance_status  -
utr                -
charges            -
`}, got)
	got = run(withCouriers(catalogue{}), "couriers", file, "--json")
	require.JSONEq(t, `{"recognised_by":[{"id":"delhivery","name":"Delhivery","exact":true,
		"columns":{"awb":"AWB No","cod_amount":"COD Amount","remittance_date":"Remittance Date"}}],
		"columns":{"awb":"AWB No","cod_amount":"COD Amount","remittance_date":"Remittance Date"}}`, got.stdout)

	unread := catalogue{err: &domain.FileError{File: domain.CourierFile, Rule: domain.RuleEmpty}}
	got = run(withCouriers(unread), "couriers", file)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + file + ": is empty; export or download it again\n"}, got)
	nameless := catalogue{err: &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, Roles: []domain.Role{domain.RoleAWB}, Found: []string{"Docket"}}}
	got = run(withCouriers(nameless), "couriers", file)
	require.Contains(t, got.stderr, "rename the column, or give milaan reconcile --column 'awb=its name'", "this command has no such flag")
	for is, want := range map[domain.File]string{
		domain.StorefrontFile: file + ": is an orders export and not a courier's report; give the courier's remittance report here\n",
		domain.StatementFile:  "; if it is a bank's statement, give it with --bank\n",
		0:                     "'awb=its name'\n",
	} {
		other := catalogue{err: &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, NoHeader: true, Roles: []domain.Role{domain.RoleAWB}}}
		got = run(Deps{Offline: func() (Offline, error) { return Offline{Couriers: other, Inspecting: inspector(is)}, nil }}, "couriers", file)
		require.Equal(t, ExitFailed, got.code)
		require.True(t, strings.HasSuffix(got.stderr, want), got.stderr)
	}
	run(withCouriers(catalogue{}), "couriers", file+".away").refused(t, ExitFailed, file+".away: no such file")
}
