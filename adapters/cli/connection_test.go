package cli

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// piloted implements the ports of Autopilot. It returns what it was given, and keeps what it was
// asked.
type piloted struct {
	ports.ChoosingMails

	asked   []any
	all     []domain.Connection
	passes  []domain.Pass
	files   []domain.KeptFile
	seen    ports.SeenFiles
	content string
	test    ports.ConnectionTest
	choice  domain.MailChoice
	fault   error
}

func (p *piloted) Save(_ context.Context, accountID, id string, by domain.Actor, change ports.ConnectionChange) (domain.Connection, error) {
	p.asked = []any{"save", accountID, id, by, change}
	return p.all[0], p.fault
}

func (p *piloted) Test(_ context.Context, accountID, id string, change ports.ConnectionChange) (*ports.ConnectionTest, error) {
	p.asked = []any{"test", accountID, id, change}
	return &p.test, p.fault
}

func (p *piloted) Pause(_ context.Context, accountID, id string, paused bool, by domain.Actor) (domain.Connection, error) {
	p.asked = []any{"pause", accountID, id, paused, by}
	return p.all[0], p.fault
}

func (p *piloted) Run(_ context.Context, accountID, id string) (domain.Pass, error) {
	p.asked = []any{"run", accountID, id}
	return domain.Pass{}, p.fault
}

func (p *piloted) Connectors() (shops, sources []ports.ConnectorInfo) {
	return []ports.ConnectorInfo{{ID: "shopify", Name: "Shopify", Settings: []ports.SettingInfo{{Name: "shop", Required: true}, {Name: "access_token", Secret: true}}}},
		[]ports.ConnectorInfo{{ID: "sftp", Name: "SFTP", Settings: []ports.SettingInfo{{Name: "host", Required: true}, {Name: "port", Default: "22"}, {Name: "password", Secret: true}}, Files: true},
			{ID: "upload", Name: "Upload", Kept: true}}
}

// shopKinds and sourceKinds list what Connectors has.
type shopKinds struct{ ports.Shops }

func (shopKinds) Catalogue() []ports.ConnectorInfo {
	shops, _ := newPiloted().Connectors()
	return shops
}

type sourceKinds struct{ ports.ReportSources }

func (sourceKinds) Catalogue() []ports.ConnectorInfo {
	_, sources := newPiloted().Connectors()
	return sources
}

func (p *piloted) List(_ context.Context, accountID string) ([]domain.Connection, error) {
	return p.all, p.fault
}

func (p *piloted) Find(context.Context, string, string) (domain.Connection, error) {
	return p.all[0], p.fault
}

func (p *piloted) Passes(_ context.Context, accountID, id string) ([]domain.Pass, error) {
	p.asked = []any{"passes", accountID, id}
	return p.passes, p.fault
}

func (p *piloted) Remove(_ context.Context, accountID, id string, by domain.Actor) error {
	p.asked = []any{"remove", accountID, id, by}
	return p.fault
}

func (p *piloted) Keep(_ context.Context, file domain.KeptFile, content []byte) (domain.KeptFile, error) {
	p.asked, p.content = []any{"keep", file}, string(content)
	return file, p.fault
}

func (p *piloted) KeptFiles(context.Context, string, string) ([]domain.KeptFile, error) {
	return p.files, p.fault
}

func (p *piloted) RemoveKept(_ context.Context, accountID, connectionID, id string) error {
	p.asked = []any{"forget", accountID, connectionID, id}
	return p.fault
}

func (p *piloted) Seen(context.Context, string, string) (ports.SeenFiles, error) {
	return p.seen, p.fault
}

func (p *piloted) Ignore(_ context.Context, accountID, connectionID, id string, by domain.Actor) (domain.IgnoredFile, error) {
	p.asked = []any{"ignore", accountID, connectionID, id, by}
	return domain.IgnoredFile{Name: "a.csv"}, p.fault
}

func (p *piloted) TakeBack(_ context.Context, accountID, connectionID, id string, by domain.Actor) error {
	p.asked = []any{"take back", accountID, connectionID, id, by}
	return p.fault
}

func (p *piloted) Choice(context.Context, string) (domain.MailChoice, bool, error) {
	return p.choice, true, p.fault
}

func (p *piloted) Choose(_ context.Context, accountID string, c domain.MailChoice) error {
	p.asked, p.choice = []any{"choose", accountID, c}, c
	return p.fault
}

func (p *piloted) deps() Deps {
	accounts := &managed{accounts: map[string]domain.Account{asha: {ID: "account-1", Email: asha}}}
	return Deps{
		Open:  opens(new(int), as[ports.ManagingAccounts](accounts), as[ports.ManagingConnections](p), as[ports.ChoosingMails](p)),
		Words: func() Words { return plainSettings{words} },
	}
}

// plainSettings name settings as the files do.
type plainSettings struct{ peers.Wording }

func (plainSettings) Connector(id domain.Connector) string { return string(id) }

func (plainSettings) Option(_ domain.Connector, _, option string) string { return option }

func (plainSettings) Setting(_ domain.Connector, name string) (label, hint string) { return name, "" }

func newPiloted() *piloted {
	return &piloted{all: []domain.Connection{{
		ID: "c1", AccountID: "account-1", Brand: "Asha Textiles", Revision: 7,
		Shop: domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": "asha.myshopify.com", "access_token": ""}},
		Sources: []domain.ReportSource{{ID: "s1", Connector: "sftp", Settings: domain.Settings{"host": "files.asha.example", "password": ""}, Pattern: "*.csv", Courier: "delhivery",
			Columns: map[domain.Role]string{domain.RoleAWB: "Docket"}}, {ID: "s2", Connector: "upload"}},
		ConnectionTerms:  domain.ConnectionTerms{WindowDays: 45, AlertAbove: 25_000_50},
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionRefused, Failure: &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "sftp", Source: 1}, FailingSince: noon},
	}}}
}

func TestAConnectionIsReadFromAFile(t *testing.T) {
	p := newPiloted()
	folder := t.TempDir()
	t.Setenv("SHOP_TOKEN", "shpat_hush")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "key"), []byte("line 1\nline 2\n"), 0o600))
	path := filepath.Join(folder, "connection.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"brand": "Asha Textiles", "shop": {"connector": "shopify", "settings": {"shop": "asha.myshopify.com", "access_token": {"env": "SHOP_TOKEN"}}},
		"sources": [{"id": "s1", "connector": "sftp", "settings": {"host": "files.asha.example", "port": 2222, "private_key": {"file": "key"}}, "pattern": "*.csv", "courier": "delhivery", "columns": {"awb": "Docket"}}],
		"window_days": 40, "minor_gap_threshold": 5, "charges": "flag", "alert_above": 25000.5}`), 0o600))
	want := ports.ConnectionChange{Brand: "Asha Textiles", Shop: domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": "asha.myshopify.com", "access_token": "shpat_hush"}},
		Sources: []ports.SourceChange{{ID: "s1", Connector: "sftp", Settings: domain.Settings{"host": "files.asha.example", "port": "2222", "private_key": "line 1\nline 2"},
			Pattern: "*.csv", Courier: "delhivery", Columns: map[string]string{"awb": "Docket"}}},
		ConnectionTerms: domain.ConnectionTerms{WindowDays: 40, MinorGap: new(5), Charges: domain.FlagCharges, AlertAbove: 25_000_50}}
	got := run(p.deps(), "connection", "add", "--email", asha, "--file", path)
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, []any{"save", "account-1", "", domain.ByCommandLine, want}, p.asked)
	require.NotContains(t, got.stdout, "hush")

	got = run(p.deps(), "connection", "set", "--email", asha, "--file", path)
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, []any{"save", "account-1", "c1", domain.ByCommandLine, want}, p.asked)

	for name, text := range map[string]string{"no JSON": "brand: x", "unknown field": `{"brands": "x"}`, "more": `{} {}`, "a list as a setting": `{"shop": {"settings": {"shop": [1]}}}`, "no variable": `{"shop": {"settings": {"shop": {"env": "NO_SUCH_VARIABLE"}}}}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		p.asked = nil
		require.NotZero(t, run(p.deps(), "connection", "add", "--email", asha, "--file", path).code, name)
		require.Nil(t, p.asked, name)
	}
}

func TestWhatShowPrintsCanBeSet(t *testing.T) {
	p := newPiloted()
	shown := run(p.deps(), "connection", "show", "--email", asha)
	require.Zero(t, shown.code, shown.stderr)
	require.Contains(t, shown.stdout, `"access_token"`, "the names of stored secrets are shown")
	path := filepath.Join(t.TempDir(), "connection.json")
	require.NoError(t, os.WriteFile(path, []byte(shown.stdout), 0o600))
	got := run(p.deps(), "connection", "set", "--email", asha, "--file", path)
	require.Zero(t, got.code, got.stderr)
	change := p.asked[4].(ports.ConnectionChange)
	require.Equal(t, domain.Settings{"shop": "asha.myshopify.com"}, change.Shop.Settings, "a secret that is left out stays")
	require.Equal(t, "s1", change.Sources[0].ID)
	require.Len(t, change.Sources, 2)
	require.Equal(t, "delhivery", change.Sources[0].Courier)
	require.Empty(t, change.Sources[1].Courier)
	require.Equal(t, domain.Paise(25_000_50), change.AlertAbove)
	require.Equal(t, 7, change.Revision, "what somebody else has changed since is not overwritten")
	p.fault = domain.ErrConnectionChanged
	got = run(p.deps(), "connection", "set", "--email", asha, "--file", path)
	require.NotZero(t, got.code)
	require.Contains(t, got.stderr, "since the file was printed: print it again with milaan connection show")
}

func TestConnectionsAreListed(t *testing.T) {
	p := newPiloted()
	got := run(p.deps(), "connection", "list", "--email", asha)
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "Asha Textiles")
	require.Contains(t, got.stdout, "Needs attention")
	p.all[0].NextPassAt = time.Date(2026, 11, 20, 9, 37, 0, 0, time.UTC)
	require.NotContains(t, run(p.deps(), "connection", "list", "--email", asha).stdout, "09:37", "no pass comes by itself before it is corrected")
	p.all[0].State = domain.ConnectionActive
	require.Contains(t, run(p.deps(), "connection", "list", "--email", asha).stdout, "15:07 IST")
	p.all[0].LastRunID = ""
	require.NotContains(t, run(p.deps(), "connection", "list", "--email", asha).stdout, "₹", "nothing is known before the first run")
	p.all = append(p.all, domain.Connection{ID: "c2", Brand: "Kurta"})
	got = run(p.deps(), "connection", "show", "--email", asha)
	require.Contains(t, got.stderr, `--brand is one of`)
	p.all = nil
	require.Equal(t, "No connections.\n", run(p.deps(), "connection", "list", "--email", asha).stdout)
	require.NotZero(t, run(p.deps(), "connection", "show", "--email", asha).code)
}

func TestATestSaysWhatWorks(t *testing.T) {
	p := newPiloted()
	day, err := time.Parse(time.DateOnly, "2026-11-20")
	require.NoError(t, err)
	p.test = ports.ConnectionTest{Shop: ports.PartTest{Connector: "shopify"}, Sources: []ports.PartTest{
		{Connector: "sftp", Matching: 7, Files: []ports.TestedFile{{Name: "cod.csv", Courier: "delhivery", Rows: 12, Through: domain.DayFromDate(day.Date())}}}}}
	got := run(p.deps(), "connection", "test", "--email", asha)
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "Shop (shopify): works\nSource 1 (sftp): works\n  7 files match\n  cod.csv: delhivery, 12 lines, to 2026-11-20\n"+
		"  and 6 more, not read\n", got.stdout)
	require.Equal(t, "c1", p.asked[2])
	p.test.Sources[0].Matching, p.test.Sources[0].Files[0].Rows = 1, 1
	one := run(p.deps(), "connection", "test", "--email", asha).stdout
	require.Contains(t, one, "  1 file matches\n  cod.csv: delhivery, 1 line, to 2026-11-20\n")
	require.NotContains(t, one, "more")
	for failure, want := range map[error]string{
		&domain.FileError{File: domain.CourierFile, Line: 3, Rule: domain.RuleRows, Limit: 9}: "\n  cod.csv, line 3: ",
		&domain.ConnectorError{Rule: domain.ConnGrowing}:                                      "\n  cod.csv: ",
	} {
		p.test.Sources[0].Files[0].Failure = failure
		require.Contains(t, run(p.deps(), "connection", "test", "--email", asha).stdout, want)
	}
	p.test.Sources[0].Files, p.test.Sources[0].Matching = nil, 0
	none := run(p.deps(), "connection", "test", "--email", asha)
	require.Zero(t, none.code, "that no report has come yet is no failure")
	require.Contains(t, none.stdout, "no report is there yet")
	p.test.Sources[0].Folders = []string{"Couriers/COD", "INBOX"}
	require.Contains(t, run(p.deps(), "connection", "test", "--email", asha).stdout, "folders of the mailbox: Couriers/COD, INBOX\n")
	stated := p.asked[3].(ports.ConnectionChange).Sources
	require.Len(t, stated, 2)
	require.Equal(t, map[string]string{"awb": "Docket"}, stated[0].Columns)
	require.Empty(t, stated[1].Columns)

	p.test.Sources[0].LeftOut = []domain.LeftOutMail{{At: noon, Rule: domain.ConnShownName, From: "attacker@evil.example"}, {Rule: domain.ConnNoResult}}
	got = run(p.deps(), "connection", "test", "--email", asha)
	require.Contains(t, got.stdout, "  left out, 2026-")
	require.Contains(t, got.stdout, ", attacker@evil.example: its shown name has the sender that you entered, but it is from another address\n  left out, -, sender not known: ")

	p.test.Sources[0] = ports.PartTest{Connector: "sftp", Failure: &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "sftp", Source: 1}}
	got = run(p.deps(), "connection", "test", "--email", asha)
	require.NotZero(t, got.code)
	require.Contains(t, got.stdout, "Shop (shopify): works\nSource 1 (sftp): ")
}

func TestPassesAreListed(t *testing.T) {
	p := newPiloted()
	p.passes = []domain.Pass{
		{Due: noon, PassResult: domain.PassResult{Outcome: domain.PassStored, RunID: "r1", Orders: 12, Sources: []domain.SourceResult{{SourceID: "s1", Files: 2, Lines: 40, Through: domain.DayOf(noon), Behind: true, RefusedFrom: domain.DayOf(noon), LeftOut: []domain.LeftOutMail{{At: noon, Rule: domain.ConnUnproven}}}}}},
		{Due: noon.Add(-time.Hour), PassResult: domain.PassResult{Outcome: domain.PassFailed, Failure: &domain.ConnectorError{Rule: domain.ConnInterrupted}}},
	}
	got := run(p.deps(), "connection", "passes", "--email", asha)
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "sftp: 2 files, 40 lines to "+domain.DayOf(noon).String()+" (most behind), 1 mail left out (--json says why), settings of an earlier version: refused from "+domain.DayOf(noon).String())
	require.Contains(t, got.stdout, "Run stored")
	require.Contains(t, got.stdout, "Failed")
	got = run(p.deps(), "connection", "passes", "--email", asha, "--json")
	require.Zero(t, got.code)
	require.Contains(t, got.stdout, "neither DMARC nor a DKIM signature")
}

func TestConnectionsAreChanged(t *testing.T) {
	p := newPiloted()
	for _, c := range []struct {
		args []string
		want []any
	}{
		{[]string{"pause"}, []any{"pause", "account-1", "c1", true, domain.ByCommandLine}},
		{[]string{"resume"}, []any{"pause", "account-1", "c1", false, domain.ByCommandLine}},
		{[]string{"run"}, []any{"run", "account-1", "c1"}},
		{[]string{"remove", "--brand", "Asha Textiles"}, []any{"remove", "account-1", "c1", domain.ByCommandLine}},
		{[]string{"forget", "--id", "f1"}, []any{"forget", "account-1", "c1", "f1"}},
		{[]string{"mails", "--digest=false"}, []any{"choose", "account-1", domain.MailChoice{NoDigest: true}}},
	} {
		p.asked = nil
		got := run(p.deps(), append(append([]string{"connection"}, c.args...), "--email", asha)...)
		require.Zero(t, got.code, got.stderr)
		require.Equal(t, c.want, p.asked)
	}
	p.asked = nil
	require.NotZero(t, run(p.deps(), "connection", "remove", "--email", asha).code)
	require.Nil(t, p.asked, "only a connection that is named is removed")
	p.fault = domain.ErrPassRunning
	require.NotZero(t, run(p.deps(), "connection", "run", "--email", asha).code)
}

func TestReportsAreKeptForTheUploadSource(t *testing.T) {
	p := newPiloted()
	path := filepath.Join(t.TempDir(), "cod.csv")
	require.NoError(t, os.WriteFile(path, []byte("AWB,COD\n"), 0o600))
	got := run(p.deps(), "connection", "keep", "--email", asha, path)
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, []any{"keep", domain.KeptFile{AccountID: "account-1", ConnectionID: "c1", SourceID: "s2", Name: "cod.csv"}}, p.asked)
	require.Equal(t, "AWB,COD\n", p.content)
	p.all[0].Sources = p.all[0].Sources[:1]
	got = run(p.deps(), "connection", "keep", "--email", asha, path)
	require.Contains(t, got.stderr, "no report source of the kind upload")
}

func TestFilesAreIgnored(t *testing.T) {
	p := newPiloted()
	require.Equal(t, "No files yet.\n", run(p.deps(), "connection", "seen", "--email", asha).stdout)
	report := domain.SeenFile{SourceID: "s1", Name: "a.csv", Version: "1"}
	p.seen = ports.SeenFiles{Files: []domain.SeenFile{report, {SourceID: "s1", Name: "logo.png", Rule: domain.ConnPicture}, {SourceID: "s1", Name: "b.csv", Rule: domain.ConnHeader}},
		More: 7, Ignored: []domain.IgnoredFile{{ID: "i1", SourceID: "s1", Name: "c.csv", At: noon}}}
	got := run(p.deps(), "connection", "seen", "--email", asha)
	require.Zero(t, got.code, got.stderr)
	require.Regexp(t, report.ID()+` +a.csv +1 +to be compared`, got.stdout)
	require.Regexp(t, `logo.png +1 +left out: `, got.stdout)
	require.Regexp(t, `b.csv +1 +stops the pass: `, got.stdout)
	require.Regexp(t, `i1 +c.csv +1 +2026-`, got.stdout)
	require.Contains(t, got.stdout, "Not listed: 7 more")
	require.Equal(t, "a.csv is ignored.\n", run(p.deps(), "connection", "ignore", "--email", asha, "--id", report.ID()).stdout)
	require.Equal(t, []any{"ignore", "account-1", "c1", report.ID(), domain.ByCommandLine}, p.asked)
	require.Equal(t, "The file is compared again.\n", run(p.deps(), "connection", "take-back", "--email", asha, "--id", "i1").stdout)
	require.Equal(t, []any{"take back", "account-1", "c1", "i1", domain.ByCommandLine}, p.asked)
	for _, command := range []string{"ignore", "take-back"} {
		require.Contains(t, run(p.deps(), "connection", command, "--email", asha).stderr, "--id is required")
	}

	p.passes = []domain.Pass{{PassResult: domain.PassResult{Sources: []domain.SourceResult{{SourceID: "s1", Skipped: []domain.SkippedFile{
		{Name: "logo.png", Rule: domain.ConnPicture}, {Name: "a.png", Rule: domain.ConnPicture}}}}}}}
	require.Regexp(t, `left out logo.png \([^)]+\), a.png \(`, run(p.deps(), "connection", "passes", "--email", asha).stdout)
}

func TestKindsAreListed(t *testing.T) {
	deps := newPiloted().deps()
	deps.Open = opens(new(int), as[ports.Shops](shopKinds{}), as[ports.ReportSources](sourceKinds{}))
	got := run(deps, "connection", "kinds")
	require.Zero(t, got.code, got.stderr)
	for _, part := range []string{"shopify", "shop *", "access_token !", "upload", `"connector": "shopify"`} {
		require.Contains(t, got.stdout, part)
	}
}

// TestFaultsOfAConnectionNameTheirPlaceInTheFile holds how messages name what is wrong with the
// file of a connection.
func TestFaultsOfAConnectionNameTheirPlaceInTheFile(t *testing.T) {
	for want, f := range map[string]domain.Fault{
		"shop.connector":           {Field: domain.FieldConnector},
		"shop.settings.shop":       {Field: domain.FieldSetting, Setting: "shop"},
		"sources[1].settings.host": {Field: domain.FieldSetting, Setting: "host", Source: 2},
		"sources[0].connector":     {Field: domain.FieldConnector, Source: 1},
		"sources[0].pattern":       {Field: domain.FieldPattern, Source: 1},
		"sources[0].courier":       {Field: domain.FieldCourierName, Source: 1},
		"sources[0].columns":       {Field: domain.FieldColumns, Source: 1},
		"sources":                  {Field: domain.FieldSources},
		"brand":                    {Field: domain.FieldBrand},
		"window_days":              {Field: domain.FieldWindowDays},
		"overdue_threshold_days":   {Field: domain.FieldOverdueDays},
		"minor_gap_threshold":      {Field: domain.FieldMinorGap},
		"charges":                  domain.WrongCharges(),
		"alert_above":              {Field: domain.FieldAlertAbove},
	} {
		require.Equal(t, want, names{connection: true}.Field(&f))
	}
	p := newPiloted()
	p.fault = domain.Faults{{Field: domain.FieldSetting, Setting: "password", Source: 1, Rule: domain.RuleAgain}}.Err()
	path := filepath.Join(t.TempDir(), "connection.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"brand": "Asha"}`), 0o600))
	for _, command := range []string{"add", "test"} {
		got := run(p.deps(), "connection", command, "--email", asha, "--file", path)
		require.Contains(t, got.stderr, "sources[0].settings.password must be entered again", command)
	}
}
