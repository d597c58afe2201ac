package autopilot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// correctedReports is a connection with five orders of ₹1,000 each, of which one report pays ₹800 and a
// later one ₹1,000. By its name the later one comes first.
func correctedReports(t *testing.T) (b *passBench, c domain.Connection) {
	b, c = connectedPass(t, storage.ProAccount(), "north/delhivery")
	short, full := b.sellFive()
	b.put("north", "b.csv", domain.DayOf(b.Now), short...).modified = b.Now.Add(-50 * time.Hour)
	b.put("north", "a.csv", domain.DayOf(b.Now), full...).modified = b.Now.Add(-2 * time.Hour)
	for i := range b.sources.places["north"].files {
		b.sources.places["north"].files[i].settled = true
		b.sources.places["north"].files[i].version = i + 1
	}
	return b, c
}

// sellFive sells five orders of ₹1,000 each; short are those as if ₹800 were paid.
func (b *passBench) sellFive() (short, full []soldOrder) {
	for i := range 5 {
		o := b.sell(fmt.Sprint("#", i+1), 1000, 25)
		full = append(full, o)
		o.rupees = 800
		short = append(short, o)
	}
	return short, full
}

func (b *passBench) flagsOf(pass domain.Pass) domain.FlagCounts {
	return only.Value(b.History.Run(b.T.Context(), b.Account.ID, pass.RunID))(b.T).Tally.Flags
}

// TestALaterReportCorrectsAnEarlierOne holds that the time of a file says which of two reports is the
// later one, and that the pass says what was corrected.
func TestALaterReportCorrectsAnEarlierOne(t *testing.T) {
	t.Parallel()
	b, c := correctedReports(t)
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, 5, b.flagsOf(pass)[domain.Reconciled])
	require.Equal(t, []domain.Warning{{Code: domain.WarnCorrectedPayout, Reports: 2, Payouts: 1, Count: 5, Amount: 4000 * domain.Rupee, HasAmount: true}}, pass.Warnings)
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)

	files := b.sources.places["north"].files
	files[0].modified, files[1].modified = files[1].modified, files[0].modified
	files[0].version, files[1].version = 10, 11
	turned := b.make(b.due(c))
	require.Equal(t, domain.PassStored, turned.Outcome, "the same contents in another order of time are other inputs")
	require.Equal(t, 5, b.flagsOf(turned)[domain.ShortPaid])
}

// TestASourceStaysOneCouriersOverKeptItems holds that a later pass knows of which source the lines were that are kept: what another
// source lists of the same day corrects nothing of them.
func TestASourceStaysOneCouriersOverKeptItems(t *testing.T) {
	t.Parallel()
	for source, flag := range map[string]domain.Flag{"north": domain.Reconciled, "south": domain.Overpaid} {
		t.Run(source, func(t *testing.T) {
			b, c := connectedPass(t, storage.EnterpriseAccount(), "north", "south")
			require.NoError(t, b.items.KeepItems(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard))
			short, full := b.sellFive()
			paid := domain.DayOf(b.Now)
			put := func(source, file string, orders ...soldOrder) {
				f := b.put(source, file, paid, orders...)
				f.content = strings.Replace(f.content, delhiveryHead, "Docket No,COD Amount,Remittance Date\n", 1)
			}
			put("north", "a.csv", short...)
			pass := b.make(b.due(c))
			require.Equal(t, 5, b.flagsOf(pass)[domain.ShortPaid], pass.Failure)

			b.sources.places["north"].files = nil
			put(source, "b.csv", full...)
			pass = b.make(b.due(c))
			require.Equal(t, 5, b.flagsOf(pass)[flag], pass.Failure)
		})
	}
}

// TestTheNewestOfASeriesReplacesOlderFiles holds that of files of one series the latest is compared
// alone, that the others are named, and that the one before counts again if it is left out.
func TestTheNewestOfASeriesReplacesOlderFiles(t *testing.T) {
	t.Parallel()
	b, c := correctedReports(t)
	files := b.sources.places["north"].files
	for i := range files {
		files[i].series = "remittance.csv"
	}
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, 5, b.flagsOf(pass)[domain.Reconciled])
	require.Empty(t, pass.Warnings)
	require.Equal(t, 1, pass.Sources[0].Files)
	require.Equal(t, []domain.SkippedFile{{Name: "b.csv", Rule: domain.ConnOlder}}, pass.Sources[0].Skipped)
	unchanged := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
	require.Equal(t, pass.Sources[0].Skipped, unchanged.Sources[0].Skipped)

	b.ignore(c, "a.csv")
	older := b.make(b.due(c))
	require.Equal(t, domain.PassStored, older.Outcome, older.Failure)
	require.Equal(t, 5, b.flagsOf(older)[domain.ShortPaid], "what is ignored replaces nothing")
	require.Equal(t, []domain.SkippedFile{{Name: "a.csv", Rule: domain.ConnIgnored}}, older.Sources[0].Skipped)

	for i := range files {
		files[i].version += 100 // as when a mailbox numbers its mails anew
	}
	anew := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, anew.Outcome, anew.Failure)
	require.Equal(t, older.Sources[0].Skipped, anew.Sources[0].Skipped)

	files[1].content, files[1].version = customersExport, 300
	stopped := b.make(b.due(c))
	require.Equal(t, domain.PassFailed, stopped.Outcome, "what is no report replaces none in silence")
	require.Equal(t, "a.csv", stopped.Failure.File)
}

// TestFewOfTheReplacedFilesAreRemembered holds that a mailbox with many replaced attachments makes what
// is remembered of a connection no longer, and that the file that stops the pass is among it.
func TestFewOfTheReplacedFilesAreRemembered(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery", "south/dtdc")
	b.put("south", "z.csv", domain.DayOf(b.Now)).settled = true
	order := b.sell("#1", 500, 25)
	for i := range domain.MaxSeenFiles + 101 {
		f := b.put("north", fmt.Sprintf("%04d.csv", i), domain.DayOf(b.Now), order)
		f.settled, f.series, f.version, f.modified = true, "remittance.csv", i, b.Now.Add(time.Duration(i-1000)*time.Second)
	}
	odd := b.put("north", "odd.csv", domain.DayOf(b.Now))
	odd.settled, odd.version, odd.content, odd.modified = true, 9999, "What,Else\n1,2\n", b.Now.Add(-2000*time.Second)
	require.Equal(t, "odd.csv", b.make(b.due(c)).Failure.File)
	remembers := func() {
		t.Helper()
		seen := only.Value(b.ignoring.Seen(t.Context(), c.AccountID, c.ID))(t)
		require.Len(t, seen.Files, domain.MaxSeenFiles+1)
		require.Equal(t, 102, seen.More)
		require.Equal(t, fmt.Sprintf("%04d.csv", domain.MaxSeenFiles+100), seen.Files[0].Name)
		require.Equal(t, "odd.csv", seen.Files[domain.MaxSeenFiles-1].Name)
		require.Equal(t, "z.csv", seen.Files[domain.MaxSeenFiles].Name, "of another source")
	}
	remembers()
	b.ignore(c, "odd.csv")
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	remembers()
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	remembers()
}
