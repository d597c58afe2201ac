package autopilot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// customersExport is plainly no report.
const customersExport = "First Name,Last Name,Email,Total Spent,Total Orders\nAsha,Rao,asha@shop.example,1200.00,2\n"

// seenAs are the files that the last pass knew of, by name, and what it took them for.
func (b *passBench) seenAs(c domain.Connection) map[string]domain.ConnectorRule {
	seen := only.Value(b.ignoring.Seen(b.T.Context(), c.AccountID, c.ID))(b.T)
	all := map[string]domain.ConnectorRule{}
	for _, f := range seen.Files {
		all[f.Name] = f.Rule
	}
	return all
}

// ignore ignores a file that the last pass knew of.
func (b *passBench) ignore(c domain.Connection, name string) domain.IgnoredFile {
	seen := only.Value(b.ignoring.Seen(b.T.Context(), c.AccountID, c.ID))(b.T)
	at := slices.IndexFunc(seen.Files, func(f domain.SeenFile) bool { return f.Name == name })
	require.GreaterOrEqual(b.T, at, 0, name)
	ignored := only.Value(b.ignoring.Ignore(b.T.Context(), c.AccountID, c.ID, seen.Files[at].ID(), domain.ByDashboard))(b.T)
	return ignored
}

// TestFilesThatArePlainlyNoReportsAreLeftOut holds that a file which is plainly no report stops no
// pass, is named by it, and makes no other comparison; and that one in doubt stops it.
func TestFilesThatArePlainlyNoReportsAreLeftOut(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	paid := b.sell("#1", 500, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	first := b.make(b.due(c))
	require.Equal(t, domain.PassStored, first.Outcome, first.Failure)

	customers, picture := b.put("north", "customers.csv", 1), domain.ConnPicture
	customers.content = customersExport
	b.put("north", "logo.png", 1).other = picture
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome, pass.Failure)
	require.Equal(t, first.RunID, pass.RunID, "the reports are those of the last run")
	require.Equal(t, []domain.SkippedFile{{Name: "customers.csv", Rule: domain.ConnCustomers}, {Name: "logo.png", Rule: picture}}, pass.Sources[0].Skipped)
	require.Equal(t, 1, pass.Sources[0].Files)
	require.Equal(t, map[string]domain.ConnectorRule{"a.csv": "", "customers.csv": domain.ConnCustomers, "logo.png": picture}, b.seenAs(c))
	read := b.Calls["read file"]
	again := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, again.Outcome)
	require.Equal(t, read, b.Calls["read file"], "what has not changed is not read again")
	require.Equal(t, pass.Sources, again.Sources)

	for name, content := range map[string]string{
		"an amount":       "First Name,Email,Phone,City,Total Spent,COD Amount\nAsha,asha@shop.example,1,Pune,1,2\n",
		"an AWB":          "First Name,Email,Phone,City,Total Spent,AWB\nAsha,asha@shop.example,1,Pune,1,2\n",
		"an unknown file": "What,Else\n1,2\n",
		"nothing":         "",
	} {
		b.sources.places["north"].files[1].content, b.sources.places["north"].files[1].version = content, b.sources.places["north"].files[1].version+1
		stopped := b.make(b.due(c))
		require.Equal(t, domain.PassFailed, stopped.Outcome, name)
		require.Equal(t, "customers.csv", stopped.Failure.File, name)
		require.Equal(t, stopped.Failure.Rule, b.seenAs(c)["customers.csv"], name)
		require.Empty(t, b.seenAs(c)["a.csv"], name)
	}
	require.Len(t, b.RunIDs(), 1)
	require.NotContains(t, b.log.String(), "customers")
}

// TestAFileThatNoPassHasDecidedAboutIsLookedAt holds that a pass which another file has stopped before
// takes no file for a report that it has only read.
func TestAFileThatNoPassHasDecidedAboutIsLookedAt(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	b.put("north", "z.csv", domain.DayOf(b.Now), b.sell("#1", 500, 25))
	b.put("north", "customers.csv", 1).content = customersExport
	b.put("north", "locked.csv", 1).other = domain.ConnReport
	stopped := b.make(b.due(c))
	require.Equal(t, domain.PassFailed, stopped.Outcome)
	require.Equal(t, "locked.csv", stopped.Failure.File)
	b.ignore(c, "locked.csv")
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, map[string]domain.ConnectorRule{"z.csv": "", "customers.csv": domain.ConnCustomers, "locked.csv": domain.ConnIgnored}, b.seenAs(c))
}

// TestAPassOfNothingButOtherFilesHasNoReport holds that a source of which every file is left out
// counts as one without a report.
func TestAPassOfNothingButOtherFilesHasNoReport(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery", "south/dtdc")
	paid := b.sell("#1", 500, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	b.sell("#2", 700, 25)
	b.put("south", "customers.csv", 1).content = customersExport
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Zero(t, pass.Sources[1].Files)
	require.True(t, pass.Sources[1].Behind)
	run := only.Value(b.History.Run(t.Context(), b.Account.ID, pass.RunID))(t)
	require.Zero(t, run.Tally.Flags[domain.Missing], "no report of the second courier has come")
}

// TestAReportThatIsGoneIsNamed holds that passes name a report that a source has no more, until it is back, whichever its name
// and source then, or is too old for the window, or a person has said to ignore it.
func TestAReportThatIsGoneIsNamed(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery", "south/dtdc")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 25))
	b.put("north", "b.csv", domain.DayOf(b.Now), b.sell("#2", 700, 25))
	b.put("south", "a.csv", domain.DayOf(b.Now))
	b.make(b.due(c))
	north, south := b.sources.places["north"], b.sources.places["south"]
	all := north.files
	skipped := func() []domain.SkippedFile {
		pass := b.make(b.due(c))
		require.Contains(t, []domain.PassOutcome{domain.PassStored, domain.PassUnchanged}, pass.Outcome, pass.Failure)
		return pass.Sources[0].Skipped
	}
	gone := []domain.SkippedFile{{Name: "a.csv", Rule: domain.ConnNoMore}}

	north.files = slices.Clone(all[1:])
	require.Equal(t, gone, skipped())
	require.Equal(t, gone, skipped(), "an unchanged pass names it too")
	b.put("north", "locked.csv", 1).other = domain.ConnReport
	require.Equal(t, domain.PassFailed, b.make(b.due(c)).Outcome)
	north.files = slices.Clone(all[1:])
	require.Equal(t, gone, skipped(), "so does the one after a failed one")

	corrected, moved := all[0], all[0]
	corrected.version, corrected.content = 2, corrected.content+"\n"
	north.files = []fileInMemory{corrected, all[1]}
	require.Empty(t, skipped(), "another version of it is there")
	moved.name, moved.content = "moved.csv", corrected.content
	north.files, south.files = slices.Clone(all[1:]), []fileInMemory{moved}
	require.Empty(t, skipped(), "it is in another source, by another name")
	north.files, south.files = []fileInMemory{corrected, all[1]}, nil
	require.Empty(t, skipped())

	north.files = slices.Clone(all[1:])
	require.Equal(t, gone, skipped())
	b.ignore(c, "a.csv")
	require.Empty(t, skipped())

	north.files = nil
	require.Equal(t, []domain.SkippedFile{{Name: "b.csv", Rule: domain.ConnNoMore}}, skipped())
	b.Now = b.Now.AddDate(0, 0, c.WindowDays+1)
	b.sell("#3", 900, 1)
	require.Empty(t, skipped(), "it is older than the window")

	first := *b.put("north", "c.csv", domain.DayOf(b.Now), b.sell("#4", 900, 2))
	require.Empty(t, skipped())
	first.name, first.series = "c (1).csv", "c.csv" // as a mailbox calls it once there is a second one
	second := first
	second.name, second.version, second.content, second.modified = "c (2).csv", 2, second.content+"\n", second.modified.Add(time.Minute)
	north.files = []fileInMemory{first, second}
	require.Equal(t, []domain.SkippedFile{{Name: "c (1).csv", Rule: domain.ConnOlder}}, skipped(), "a later one replaces it")

	b.put("south", "d.csv", domain.DayOf(b.Now), b.sell("#5", 900, 2))
	require.Empty(t, skipped()[1:])
	only.Value(b.Connections.Update(t.Context(), c.AccountID, c.ID, domain.SecurityEvent{}, func(c *domain.Connection) error {
		c.Sources = c.Sources[:1]
		return nil
	}))(t)
	skipped()
	for _, f := range only.Value(b.ignoring.Seen(t.Context(), c.AccountID, c.ID))(t).Files {
		require.NotEqual(t, domain.ConnNoMore, f.Rule, "%s: its source was taken out of the connection", f.Name)
	}
}

// TestIgnoredFiles holds that a file that a person ignores is not compared, whatever it is, that
// leaving a report out makes another comparison, and that it can be taken back.
func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	one, two := b.sell("#1", 500, 25), b.sell("#2", 700, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), one)
	b.put("north", "b.csv", domain.DayOf(b.Now), two)
	both := b.make(b.due(c))
	require.Equal(t, domain.PassStored, both.Outcome, both.Failure)

	bad := b.put("north", "locked.csv", 1)
	bad.content = "What,Else\n1,2\n"
	require.Equal(t, domain.PassFailed, b.make(b.due(c)).Outcome)
	b.ignore(c, "locked.csv")
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome, pass.Failure)
	require.Equal(t, []domain.SkippedFile{{Name: "locked.csv", Rule: domain.ConnIgnored}}, pass.Sources[0].Skipped)

	report := b.ignore(c, "b.csv")
	require.Equal(t, report, b.ignore(c, "b.csv"), "it is ignored once")
	without := b.make(b.due(c))
	require.Equal(t, domain.PassStored, without.Outcome, "a report that is left out makes another comparison")
	require.Equal(t, 1, without.Sources[0].Files)
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)

	require.NoError(t, b.ignoring.TakeBack(t.Context(), c.AccountID, c.ID, report.ID, domain.ByDashboard))
	back := b.make(b.due(c))
	require.Equal(t, domain.PassStored, back.Outcome)
	require.Equal(t, 2, back.Sources[0].Files)

	b.ignore(c, "b.csv")
	files := b.sources.places["north"].files
	at := slices.IndexFunc(files, func(f fileInMemory) bool { return f.name == "b.csv" })
	files[at].content, files[at].version = reportOf(domain.DayOf(b.Now), two, one), 2
	corrected := b.make(b.due(c))
	require.Equal(t, domain.PassStored, corrected.Outcome)
	require.Equal(t, 3, corrected.Sources[0].Lines, "a corrected file with the same name is compared")

	require.ErrorIs(t, only.Err(b.ignoring.Ignore(t.Context(), c.AccountID, c.ID, "unknown", domain.ByDashboard)), domain.ErrNoSeenFile)
	require.ErrorIs(t, b.ignoring.TakeBack(t.Context(), c.AccountID, c.ID, report.ID, domain.ByDashboard), domain.ErrNoIgnored)
	kinds := map[domain.SecurityKind]int{}
	for _, e := range only.Value(b.Security.Latest(t.Context(), c.AccountID, 100))(t) {
		kinds[e.Kind]++
	}
	require.Equal(t, 3, kinds[domain.SecurityFileIgnored])
	require.Equal(t, 1, kinds[domain.SecurityFileTaken])
}

// TestNewVersionsOfTheSameFilesMakeNoRun holds that the content of files decides, as when a mailbox
// numbers its mails anew, and that what is ignored stays so, once.
func TestNewVersionsOfTheSameFilesMakeNoRun(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	one, two := b.sell("#1", 500, 25), b.sell("#2", 700, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), one).settled = true
	b.put("north", "b.csv", domain.DayOf(b.Now), two).settled = true
	b.sources.places["north"].files[1].version = 2
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	b.ignore(c, "b.csv")
	without := b.make(b.due(c))
	require.Equal(t, domain.PassStored, without.Outcome)

	for i := range b.sources.places["north"].files {
		b.sources.places["north"].files[i].version += 100
	}
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome, pass.Failure)
	require.Equal(t, without.RunID, pass.RunID)
	require.Equal(t, []domain.SkippedFile{{Name: "b.csv", Rule: domain.ConnIgnored}}, pass.Sources[0].Skipped)
	read := b.Calls["read file"]
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	require.Equal(t, read, b.Calls["read file"], "the new versions are known")

	same := b.sources.places["north"].files[1]
	same.name, same.version = "c.csv", 300
	b.sources.places["north"].files = append(b.sources.places["north"].files, same)
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, "that a file is ignored leaves out no second one that is the same")
	require.Equal(t, 2, pass.Sources[0].Files)

	b.Now = b.Now.Add(time.Hour)
	change := b.changeOf("Asha", "south/delhivery")
	require.NoError(t, only.Err(b.managing.Save(t.Context(), c.AccountID, c.ID, domain.ByDashboard, change)))
	seen := only.Value(b.ignoring.Seen(t.Context(), c.AccountID, c.ID))(t)
	require.Empty(t, seen.Ignored, "what is ignored of a source goes with it")
}

// TestAnIgnoredFileThatIsGoneTakesNoOther holds that a report which came twice is compared, though
// the other one is ignored and was deleted since.
func TestAnIgnoredFileThatIsGoneTakesNoOther(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	order := b.sell("#1", 500, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), order).settled = true
	twice := b.put("north", "b.csv", domain.DayOf(b.Now), order)
	twice.settled, twice.version, twice.modified = true, 2, twice.modified.Add(time.Hour)
	b.make(b.due(c))
	b.ignore(c, "a.csv")
	require.Equal(t, 1, b.make(b.due(c)).Sources[0].Files)
	place := b.sources.places["north"]
	place.files = place.files[1:]
	other := b.put("north", "c.csv", domain.DayOf(b.Now), b.sell("#2", 700, 25))
	other.settled, other.version = true, 3
	pass := b.make(b.due(c))
	require.Empty(t, pass.Sources[0].Skipped)
	require.Equal(t, 2, pass.Sources[0].Files)
}

// TestAnIgnoredMailThatIsGoneTakesNoOther holds that a mail which came in the same second as an ignored
// one that is gone, with the same report, is compared: the mailbox has not numbered its mails anew.
func TestAnIgnoredMailThatIsGoneTakesNoOther(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	order := b.sell("#1", 500, 25)
	for i, name := range []string{"a.csv", "b.csv"} {
		f := b.put("north", name, domain.DayOf(b.Now), order)
		f.settled, f.numbering, f.version = true, "7/", i+1
	}
	b.make(b.due(c))
	b.ignore(c, "a.csv")
	require.Equal(t, 1, b.make(b.due(c)).Sources[0].Files)
	place := b.sources.places["north"]
	place.files = place.files[1:]
	b.put("north", "c.csv", domain.DayOf(b.Now), b.sell("#2", 700, 25)).settled = true
	pass := b.make(b.due(c))
	require.Empty(t, pass.Sources[0].Skipped)
	require.Equal(t, 2, pass.Sources[0].Files)
}

// TestAFileThatCouldNotBeReadStaysIgnored holds that a file which was ignored before any pass could read
// it is still ignored when the mailbox has numbered its mails anew, and that a later one of its name is not.
func TestAFileThatCouldNotBeReadStaysIgnored(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	good := b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 25))
	good.settled, good.numbering = true, "7/"
	locked := b.put("north", "locked.zip", 1)
	locked.settled, locked.numbering, locked.version, locked.other = true, "7/", 2, domain.ConnReport
	require.Equal(t, domain.PassFailed, b.make(b.due(c)).Outcome)
	b.ignore(c, "locked.zip")
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)

	files := b.sources.places["north"].files
	for i := range files {
		files[i].numbering = "8/"
	}
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome, pass.Failure)
	require.Equal(t, []domain.SkippedFile{{Name: "locked.zip", Rule: domain.ConnIgnored}}, pass.Sources[0].Skipped)
	files[1].modified = files[1].modified.Add(time.Second)
	require.Equal(t, domain.PassFailed, b.make(b.due(c)).Outcome)
	files[1].modified, files[1].numbering = files[1].modified.Add(-time.Second), "7/"
	files[1].version = 3
	require.Equal(t, domain.PassFailed, b.make(b.due(c)).Outcome, "another mail of the same second")
}

// TestIgnoredFilesThatAreGoneAreForgotten holds that what is ignored does not fill the room for more
// for ever: no pass can list a file again that came before the longest window and is not listed now.
func TestIgnoredFilesThatAreGoneAreForgotten(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery", "south/dtdc")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 1))
	b.put("north", "b.csv", domain.DayOf(b.Now))
	b.put("south", "stays.csv", domain.DayOf(b.Now))
	b.make(b.due(c))
	b.ignore(c, "b.csv")
	b.ignore(c, "stays.csv")
	ignored := func() (names []string) {
		b.make(b.due(c))
		for _, f := range only.Value(b.ignoring.Seen(t.Context(), c.AccountID, c.ID))(t).Ignored {
			names = append(names, f.Name)
		}
		return names
	}
	after := func(days int) {
		b.Now = b.Now.AddDate(0, 0, days)
		b.sell(fmt.Sprint("#1", days), 500, 1)
		b.sources.places["south"].files[0].modified = b.Now
	}
	after(domain.MaxWindowDays - 1)
	require.Equal(t, []string{"stays.csv", "b.csv"}, ignored(), "the window may be made longer")
	after(2)
	b.sources.places["south"].listing = &domain.ConnectorError{Rule: domain.ConnUnreachable}
	require.Equal(t, []string{"stays.csv", "b.csv"}, ignored(), "nobody knows what is there")
	b.sources.places["south"].listing = nil
	require.Equal(t, []string{"stays.csv"}, ignored())
	require.Equal(t, []string{"stays.csv"}, ignored())
}
