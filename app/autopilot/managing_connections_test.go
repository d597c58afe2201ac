package autopilot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// TestSecretsAreKeptAndNeverShown holds what becomes of secrets when a connection is saved:
// none is returned, one that is not stated stays, and none goes to another place.
func TestSecretsAreKeptAndNeverShown(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	shown := func(c domain.Connection) {
		require.Equal(t, domain.Settings{"shop": "asha", "token": ""}, c.Shop.Settings)
		require.Empty(t, c.Sources[0].Settings["password"])
		require.Contains(t, c.Sources[0].Settings, "password", "its blank value says that it is stored")
	}
	shown(c)
	for _, listed := range b.all() {
		shown(listed)
	}
	found := only.Value(b.managing.Find(t.Context(), b.Account.ID, c.ID))(t)
	shown(found)
	require.Equal(t, "t0ken", b.status(c).Shop.Settings["token"])

	save := func(change ports.ConnectionChange) (domain.Connection, error) {
		change.Sources[0].ID = c.Sources[0].ID
		return b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)
	}
	change := b.changeOf("Asha and sons", "north/Delhivery")
	change.Shop.Settings = domain.Settings{"shop": "asha", "token": "", "theme": "dark"}
	change.Sources[0].Settings = domain.Settings{"place": "north", "folder": "cod", "password": " "}
	saved := only.Value(save(change))(t)
	require.Equal(t, 2, saved.Revision)
	require.Empty(t, saved.Shop.Settings["token"])
	stored := b.status(c)
	require.Equal(t, domain.Settings{"shop": "asha", "token": "t0ken", "theme": "dark"}, stored.Shop.Settings)
	require.Equal(t, domain.Settings{"place": "north", "folder": "cod", "password": "pa55"}, stored.Sources[0].Settings)
	require.Equal(t, c.Sources[0].ID, stored.Sources[0].ID)
	require.Equal(t, "delhivery", stored.Sources[0].Courier)

	change.Shop.Settings["shop"] = "mallory"
	change.Sources[0].Settings["place"] = "south"
	_, err := save(change)
	require.Equal(t, domain.Faults{
		{Field: domain.FieldSetting, Setting: "token", Connector: "stall", Rule: domain.RuleAgain},
		{Field: domain.FieldSetting, Setting: "password", Connector: "shelf", Source: 1, Rule: domain.RuleAgain},
	}, domain.FaultsOf(err))
	b.shop.asked = domain.Shop{}
	_, err = b.managing.Test(t.Context(), b.Account.ID, c.ID, change)
	require.Len(t, domain.FaultsOf(err), 2)
	require.Empty(t, b.shop.asked.Settings, "a test sends them nowhere either")
	require.Equal(t, 2, b.status(c).Revision)
	change.Shop.Settings["token"], change.Sources[0].Settings["password"] = "new", "new"
	b.sources.places["south"] = &place{}
	require.NoError(t, only.Err(save(change)))

	change = b.changeOf("Asha", "north")
	change.Sources[0].ID = c.Sources[0].ID
	change.Sources = append(change.Sources, change.Sources[0]) // the same source twice
	change.Sources[0].Connector = "upload"                     // another kind has no use for its secrets
	change.Sources[0].Settings, change.Sources[1].Settings = nil, domain.Settings{"place": "north"}
	saved = only.Value(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change))(t)
	require.NotEqual(t, saved.Sources[0].ID, saved.Sources[1].ID)
	require.NotContains(t, b.status(c).Sources[1].Settings, "password")
	for _, line := range storage.Column[string](b.Store, "SELECT kind || detail FROM security_events") {
		require.NotContains(t, line, "t0ken")
	}
	require.Equal(t, []string{"connection_made", "connection_changed", "connection_secrets_changed", "connection_secrets_changed"},
		storage.Column[string](b.Store, "SELECT kind FROM security_events ORDER BY at_us"))
}

// TestSourcesHaveATimeOfTheirOwn holds since when a source counts.
func TestSourcesHaveATimeOfTheirOwn(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	made := b.Now
	require.Equal(t, made, c.Sources[0].Since)
	b.Now = b.Now.AddDate(0, 0, 30)
	change := b.changeOf("Asha", "north", "south")
	change.Sources[0].ID = c.Sources[0].ID
	saved := only.Value(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change))(t)
	require.Equal(t, made, saved.Sources[0].Since)
	require.Equal(t, b.Now, saved.Sources[1].Since)

	added := b.Now
	b.Now = b.Now.AddDate(0, 0, 30)
	change.Sources[0].Settings["folder"], change.Sources[1].Settings["password"] = "cod", "new"
	saved = only.Value(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change))(t)
	require.Equal(t, []time.Time{b.Now, added}, []time.Time{saved.Sources[0].Since, saved.Sources[1].Since}, "another folder has its own time to get a report")
}

// TestSourcesWithoutAnIDAreKnownAgain holds that a source of a change that has no id is the
// stored one of the same place, with its secrets, and never gets those of another place.
func TestSourcesWithoutAnIDAreKnownAgain(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	source := func(place, folder string) ports.SourceChange {
		return ports.SourceChange{Connector: "shelf", Settings: domain.Settings{"place": place, "folder": folder}}
	}
	upload := func(courier string) ports.SourceChange {
		return ports.SourceChange{Connector: "upload", Courier: courier}
	}
	stored := []ports.SourceChange{source("north", "."), source("north", "cod"), source("south", ""), upload("DTDC"), upload("delhivery")}
	for i := range 3 {
		stored[i].Settings["password"] = fmt.Sprint("of ", i)
	}
	for name, test := range map[string]struct {
		given []ports.SourceChange
		named map[int]int // positions of given sources that have the id of a stored one
		want  []int       // positions of the stored ones; -1: a new one
	}{
		"in another order":       {[]ports.SourceChange{upload("Delhivery"), source("south", "."), source("north", "cod"), upload("dtdc"), source("north", "")}, nil, []int{4, 2, 1, 3, 0}},
		"another folder":         {[]ports.SourceChange{source("north", "new"), source("north", "cod")}, nil, []int{0, 1}},
		"the other one is named": {[]ports.SourceChange{source("north", "cod"), source("north", "cod")}, map[int]int{1: 1}, []int{0, 1}},
		"each of them is named":  {[]ports.SourceChange{upload(""), upload(""), upload("")}, map[int]int{1: 4, 2: 3}, []int{-1, 4, 3}},
		"one is named twice":     {[]ports.SourceChange{source("north", ""), source("north", "")}, map[int]int{0: 1, 1: 1}, []int{1, -1}},
		"an id of nobody":        {[]ports.SourceChange{{ID: "unheard of", Connector: "shelf", Settings: domain.Settings{"place": "north"}}}, nil, []int{-1}},
		"another place":          {[]ports.SourceChange{source("east", "."), source("North", "cod")}, nil, []int{-1, -1}},
		"of another kind":        {[]ports.SourceChange{{Connector: "upload", Settings: domain.Settings{"place": "north"}}}, nil, []int{3}},
		"more than there are":    {[]ports.SourceChange{source("south", ""), source("south", "")}, nil, []int{2, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			change := b.changeOf(name)
			change.Sources = stored
			made := only.Value(b.managing.Save(t.Context(), b.Account.ID, "", domain.ByCommandLine, change))(t)
			before := b.status(made)
			change.Sources = test.given
			for i, at := range test.named {
				change.Sources[i].ID = before.Sources[at].ID
			}
			require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, made.ID, domain.ByCommandLine, change)))
			for i, s := range b.status(made).Sources {
				require.Equal(t, test.want[i], before.Source(s.ID)-1)
				if at := test.want[i]; at >= 0 {
					require.Equal(t, before.Sources[at].Settings["password"], s.Settings["password"])
				} else {
					require.NotContains(t, s.Settings, "password")
				}
			}
		})
	}
}

// TestFaultsOfAConnection holds that all faults of a connection are returned at once, with
// their sources.
func TestFaultsOfAConnection(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	days, gap := 31, 11
	_, err := b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, ports.ConnectionChange{
		Brand: strings.Repeat("x", 101), ConnectionTerms: domain.ConnectionTerms{WindowDays: 61, OverdueDays: &days, MinorGap: &gap, Charges: "yes", AlertAbove: -1},
		Shop: domain.Shop{Connector: "market"},
		Sources: []ports.SourceChange{
			{Connector: "shelf", Settings: domain.Settings{"place": "north"}, Courier: "nobody"},
			{Connector: "shelf", Pattern: "[", Columns: map[string]string{"colour": "A"}},
		},
	})
	var got []string
	for _, f := range domain.FaultsOf(err) {
		got = append(got, strings.TrimSpace(f.Field.String()+" "+string(f.Rule)+" "+f.Setting)+" "+string(rune('0'+f.Source)))
	}
	require.ElementsMatch(t, []string{"brand label 0", "overdue_days whole 0", "minor_gap whole 0", "charges one_of 0", "window_days whole 0", "alert_above least 0", "connector one_of 0",
		"setting missing shop 0", "setting missing token 0", "courier_name one_of 1", "columns role 2", "pattern pattern 2", "setting missing place 2"}, got)

	_, err = b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, ports.ConnectionChange{Misread: domain.Faults{{Field: domain.FieldShop, Rule: domain.RuleMissing}}})
	require.Equal(t, domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing}, {Field: domain.FieldShop, Rule: domain.RuleMissing},
		{Field: domain.FieldSources, Rule: domain.RuleTooFew, Min: 1, Max: 20}}, domain.FaultsOf(err))
	many := b.changeOf("Asha", "north")
	for len(many.Sources) <= domain.MaxReportSources {
		many.Sources = append(many.Sources, many.Sources[0])
	}
	_, err = b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, many)
	require.Equal(t, domain.Faults{{Field: domain.FieldSources, Rule: domain.RuleTooMany, Max: 20}}, domain.FaultsOf(err))
}

// TestWhoMayHaveConnections holds the errors of the plan, of unknown connections and of brands.
func TestWhoMayHaveConnections(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	_, err := b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, b.changeOf("Asha", "north"))
	require.ErrorIs(t, err, domain.ErrBrandTaken)
	for _, account := range []string{b.Account.ID, "another"} {
		require.ErrorIs(t, only.Err(b.managing.Find(t.Context(), account, "unknown")), domain.ErrNoConnection)
		require.ErrorIs(t, only.Err(b.managing.Passes(t.Context(), account, "unknown")), domain.ErrNoConnection)
		require.ErrorIs(t, only.Err(b.managing.Run(t.Context(), account, "unknown")), domain.ErrNoConnection)
		require.ErrorIs(t, only.Err(b.managing.Pause(t.Context(), account, "unknown", true, domain.ByDashboard)), domain.ErrNoConnection)
		require.ErrorIs(t, b.managing.Remove(t.Context(), account, "unknown", domain.ByDashboard), domain.ErrNoConnection)
	}
	b.Change(func(a *domain.Account) { a.Plan = domain.Solo })
	require.ErrorIs(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, b.changeOf("Asha", "north"))), domain.ErrAutopilotPlan)
	require.ErrorIs(t, only.Err(b.managing.Test(t.Context(), b.Account.ID, "", b.changeOf("Asha", "north"))), domain.ErrAutopilotPlan)
	require.ErrorIs(t, only.Err(b.managing.Run(t.Context(), b.Account.ID, c.ID)), domain.ErrAutopilotPlan)
	require.NoError(t, b.managing.Remove(t.Context(), b.Account.ID, c.ID, domain.ByDashboard), "who has left the plan may tidy up")
	require.Empty(t, b.all())
}

// TestChangesOfTwoPeople holds that a change is checked anew against what somebody else has
// saved meanwhile.
func TestChangesOfTwoPeople(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	others := 0
	b.Fault = func(operation string) error {
		if operation == "change connection" && others < 1 {
			others++
			require.NoError(t, only.Err(b.managing.Save(context.Background(), b.Account.ID, c.ID, domain.ByDashboard, b.changeOf("Ravi", "north"))))
		}
		return nil
	}
	saved := only.Value(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, b.changeOf("Meena", "north")))(t)
	require.Equal(t, 3, saved.Revision)
	require.Equal(t, "Meena", b.status(c).Brand)

	// Whoever says what they saw overwrites nothing else.
	others = 0
	change := b.changeOf("Kiran", "north")
	change.Revision = saved.Revision
	require.ErrorIs(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)), domain.ErrConnectionChanged)
	change.Revision++
	saved = only.Value(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change))(t)
	require.Equal(t, "Kiran", saved.Brand)
}

// TestALimitOfAlertsHoldsForTheLastRun holds that a limit which the last run is beyond is told
// of, even if no run comes for days because nothing changes.
func TestALimitOfAlertsHoldsForTheLastRun(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sources.places["north"].files = []fileInMemory{{name: "a.csv", content: "CN Number,COD Amount (INR),Remittance Date\n" + b.sell("#1", 700, 28).awb + ",600," + domain.DayOf(b.Now).String() + "\n", version: 1, modified: b.Now.Add(-time.Hour), settled: true}}
	require.Equal(t, domain.PassStored, b.make(b.ask(c)).Outcome)
	atRisk := b.status(c).AtRisk
	require.NotZero(t, atRisk)
	limit := func(above domain.Paise) domain.Connection {
		change := b.changeOf("Asha", "north")
		change.AlertAbove = above
		require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)))
		return b.status(c)
	}
	require.Zero(t, limit(atRisk).AboveSince)
	since := limit(atRisk - 1).AboveSince
	require.False(t, since.IsZero())
	b.Now = b.Now.Add(time.Hour)
	require.True(t, limit(atRisk-2).AboveSince.Equal(since))
	require.Zero(t, limit(0).AboveSince)
}

// TestPassesThatPeopleAskFor holds their rate, and that a connection has one pass at a time.
func TestPassesThatPeopleAskFor(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sell("#1", 500, 25)
	job := b.ask(c)
	require.ErrorIs(t, only.Err(b.managing.Run(t.Context(), b.Account.ID, c.ID)), domain.ErrPassRunning)
	b.make(job)
	for range domain.AskedPassRate.Limit - 2 {
		b.make(b.ask(c))
	}
	_, err := b.managing.Run(t.Context(), b.Account.ID, c.ID)
	_, code, _ := domain.KindOf(err)
	require.Equal(t, domain.CodeRate, code)
	require.Len(t, only.Value(b.managing.Passes(t.Context(), b.Account.ID, c.ID))(t), domain.AskedPassRate.Limit-1)
	require.Len(t, b.RunIDs(), 1)
}

// TestATestNamesWhatIsWrong holds what a test says of each part.
func TestATestNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	change := b.changeOf("", "north/delhivery", "south", "east", "west")
	change.Sources = append(change.Sources, ports.SourceChange{Connector: "upload"})
	b.sources.places[""] = &place{} // of the uploads
	o := b.sell("#1", 500, 25)
	for i, content := range []string{reportOf(domain.DayOf(b.Now), o), "Nobody,Knows\n1,2\n", reportOf(3, o, o), reportOf(1)} {
		b.put("north", string(rune('a'+i))+".csv", 1).content = content
		b.sources.places["north"].files[i].modified = b.Now.Add(-time.Duration(i) * time.Hour)
	}
	b.sources.places["south"].fault = &domain.ConnectorError{Rule: domain.ConnNoHostKey, Setting: "host_key", Value: "SHA256:x"}
	b.put("west", "a.csv", 1)
	b.sources.places["west"].reading = &domain.ConnectorError{Rule: domain.ConnArchive}
	b.shop.fault = &domain.ConnectorError{Rule: domain.ConnSixtyDays, Value: "read_all_orders", Limit: 59}
	found := only.Value(b.managing.Test(t.Context(), b.Account.ID, "", change))(t)
	require.Equal(t, &domain.ConnectorError{Rule: domain.ConnSixtyDays, Connector: "stall", Value: "read_all_orders", Limit: 59}, found.Shop.Failure)
	require.Equal(t, 30, b.shop.days)
	north := found.Sources[0]
	require.Nil(t, north.Failure)
	require.Equal(t, 4, north.Matching)
	require.Len(t, north.Files, domain.MaxTestedFiles)
	require.Equal(t, ports.TestedFile{Name: "a.csv", Courier: "delhivery", Rows: 1, Through: domain.DayOf(b.Now)}, north.Files[0])
	require.ErrorIs(t, north.Files[1].Failure, domain.ErrFile)
	require.Equal(t, 2, north.Files[2].Rows)
	require.Equal(t, &domain.ConnectorError{Rule: domain.ConnNoHostKey, Connector: "shelf", Source: 2, Setting: "host_key", Value: "SHA256:x"}, found.Sources[1].Failure)
	require.Equal(t, ports.PartTest{Connector: "shelf"}, found.Sources[2], "that no report has come yet is no failure")
	require.Equal(t, &domain.ConnectorError{Rule: domain.ConnArchive}, found.Sources[3].Files[0].Failure)
	require.Equal(t, ports.PartTest{Connector: "upload"}, found.Sources[4], "nothing can have been uploaded yet")
	require.Empty(t, b.all(), "a test stores nothing")

	found, err := b.managing.Test(t.Context(), b.Account.ID, "", ports.ConnectionChange{Shop: change.Shop})
	require.NoError(t, err, "a shop can be tested before there are sources")
	require.Empty(t, found.Sources)
}

// TestTestsAreBounded holds that an account has one test at a time, that a slow one keeps
// nobody else from testing, that a host gets one connection, and the rate.
func TestTestsAreBounded(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	other := storage.ProAccount()
	other.ID, other.Email = "account-b", "b@shop.example"
	require.NoError(t, b.Accounts.Create(t.Context(), other))
	test := func(account string, places ...string) error {
		_, err := b.managing.Test(t.Context(), account, "", b.changeOf("x", places...))
		return err
	}
	b.sources.places["slow"], b.sources.places["north"] = &place{}, &place{}
	hang, inside := make(chan struct{}), make(chan struct{})
	b.sources.places["slow"].during = func() { inside <- struct{}{}; <-hang }
	done := make(chan error)
	go func() { done <- test(b.Account.ID, "slow") }()
	<-inside
	require.Equal(t, domain.ErrTesting, test(b.Account.ID, "north"))
	require.NoError(t, test(other.ID, "north", "north", "north"))
	require.Equal(t, 1, b.sources.places["north"].mostOpen)
	close(hang)
	require.NoError(t, <-done)
	for range domain.TestRate.Limit - 1 {
		require.NoError(t, test(b.Account.ID, "north"))
	}
	_, code, _ := domain.KindOf(test(b.Account.ID, "north"))
	require.Equal(t, domain.CodeRate, code)
	require.NoError(t, test(other.ID, "north"))
}

// TestSlowTestsKeepNobodyFromTesting holds that accounts whose sources drip do not keep the
// places of tests: one that takes long gives its place up, and then its account is slow, and
// the slow ones have half of the places.
func TestSlowTestsKeepNobodyFromTesting(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	accounts := []string{b.Account.ID}
	for _, name := range []string{"b", "c", "d", "e", "f"} {
		other := storage.ProAccount()
		other.ID, other.Email = "account-"+name, name+"@shop.example"
		require.NoError(t, b.Accounts.Create(t.Context(), other))
		accounts = append(accounts, other.ID)
	}
	attackers, victim := accounts[1:5], accounts[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.sources.places["north"] = &place{}
	inside := make(chan struct{})
	type tested struct {
		found *ports.ConnectionTest
		err   error
	}
	ends := make(chan tested, 10)
	shops := 0
	change := func(place string) ports.ConnectionChange {
		c := b.changeOf("x", place)
		shops++
		c.Shop.Settings["shop"] = fmt.Sprint("shop-", shops)
		return c
	}
	drip := func(account, host string) {
		b.sources.places[host] = &place{during: func() { inside <- struct{}{} }, drips: true}
		c := change(host)
		go func() {
			found, err := b.managing.Test(ctx, account, "", c)
			ends <- tested{found, err}
		}()
		<-inside
	}
	test := func(account string) error {
		found, err := b.managing.Test(t.Context(), account, "", change("north"))
		if err == nil {
			require.Nil(t, found.Sources[0].Failure)
		}
		return err
	}
	for i, account := range attackers {
		drip(account, fmt.Sprint("first-", i))
		b.Now = b.Now.Add(time.Second)
	}
	require.Equal(t, domain.ErrTests, test(victim), "all places are taken, each for a moment")
	for _, busy := range []error{domain.ErrTests, domain.ErrTesting} {
		require.NotContains(t, wording.New().Message(busy, nil), " run ")
	}
	b.Now = b.Now.Add(11 * time.Second)
	require.NoError(t, test(victim), "the one that began first gives up its place")
	end := <-ends
	require.NoError(t, end.err)
	require.Equal(t, domain.ConnectorError{Rule: domain.ConnSlow, Connector: "shelf", Source: 1, Wait: 15 * time.Second}, *end.found.Sources[0].Failure)
	b.Now = b.Now.Add(15 * time.Second)
	require.Equal(t, domain.ErrTests, test(attackers[0]), "who has been slow takes no place of the others")
	require.Equal(t, domain.ErrTesting, test(attackers[1]))
	drip(accounts[5], "second")
	require.NoError(t, test(victim), "again one gives up its place")
	cancel()
	for range attackers {
		<-ends
	}
}

// TestReportsAreKept holds which files are kept for which sources, and that those of a source
// that is gone are deleted.
func TestReportsAreKept(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	change := b.changeOf("Asha", "north")
	change.Sources = append(change.Sources, ports.SourceChange{Connector: "upload"})
	b.sources.places[""] = &place{} // of the uploads
	c := only.Value(b.managing.Save(t.Context(), b.Account.ID, "", domain.ByDashboard, change))(t)
	keep := func(source int, name, content string) (domain.KeptFile, error) {
		return b.keeping.Keep(t.Context(), domain.KeptFile{AccountID: b.Account.ID, ConnectionID: c.ID, SourceID: c.Sources[source].ID, Name: name}, []byte(content))
	}
	report := reportOf(domain.DayOf(b.Now), b.sell("#1", 500, 25))
	kept := only.Value(keep(1, `C:\Reports\`+strings.Repeat("क", 100)+"\n.csv", report))(t)
	require.LessOrEqual(t, len(kept.Name), domain.MaxFileName)
	require.True(t, strings.HasPrefix(kept.Name, "क") && strings.HasSuffix(kept.Name, ".csv"))
	require.Equal(t, report, string(only.Value(b.Kept.Read(t.Context(), b.Account.ID, c.ID, kept.ID))(t)))
	unnamed := only.Value(keep(1, "", report))(t)
	require.Equal(t, "report", unnamed.Name)

	_, err := keep(0, "a.csv", report)
	require.Equal(t, domain.FieldSources, domain.FaultsOf(err)[0].Field)
	_, err = keep(1, "a.csv", "")
	require.Equal(t, domain.Faults{{Field: domain.FieldFile, Rule: domain.RuleNoFile}}, domain.FaultsOf(err))
	_, err = keep(1, "a.csv", strings.Repeat("\n", domain.MaxKeptFile+1))
	require.Equal(t, domain.Faults{{Field: domain.FieldFile, Rule: domain.RuleFileBytes, Max: domain.MaxKeptFile}}, domain.FaultsOf(err))
	_, err = keep(1, "a.csv", "Nobody,Knows\n1,2\n")
	require.ErrorIs(t, err, domain.ErrFile)
	fault, _ := errors.AsType[*domain.FileError](err)
	require.True(t, fault.OfSource, "what to do about it is in the settings of the source")
	require.ErrorIs(t, only.Err(b.keeping.Keep(t.Context(), domain.KeptFile{AccountID: "another", ConnectionID: c.ID}, []byte(report))), domain.ErrNoConnection)

	files := only.Value(b.keeping.KeptFiles(t.Context(), b.Account.ID, c.ID))(t)
	require.Len(t, files, 2)
	require.NoError(t, b.keeping.RemoveKept(t.Context(), b.Account.ID, c.ID, unnamed.ID))
	require.ErrorIs(t, b.keeping.RemoveKept(t.Context(), b.Account.ID, c.ID, unnamed.ID), domain.ErrNoKeptFile)
	require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, b.changeOf("Asha", "north"))))
	files = only.Value(b.keeping.KeptFiles(t.Context(), b.Account.ID, c.ID))(t)
	require.Empty(t, files)
}
