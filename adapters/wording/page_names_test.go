package wording_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

// TestNamesOfThePages holds how sentences on the pages name things.
func TestNamesOfThePages(t *testing.T) {
	l := wording.NewLanguages()
	names := l.Names("en")
	require.Equal(t, peers.Pages, names.Surface())
	require.Equal(t, "the orders file", names.File(domain.StorefrontFile, 0))
	require.Equal(t, "the report", names.File(domain.CourierFile, 0))
	require.Equal(t, "report 2", names.File(domain.CourierFile, 2))
	require.Equal(t, "the ledger", names.File(domain.LedgerFile, 0))
	require.Equal(t, "report 2", names.Field(&domain.Fault{Field: domain.FieldCourier, Report: 2}))
	require.Equal(t, "the list of columns of report 2", names.Field(&domain.Fault{Field: domain.FieldColumns, Report: 2}))
	require.Equal(t, "the courier of source 2", names.Field(&domain.Fault{Field: domain.FieldCourierName, Source: 2}))
	require.Equal(t, "\"Client secret\"", names.Field(&domain.Fault{Field: domain.FieldSetting, Setting: "client_secret", Connector: "shopify"}))
	require.Equal(t, "“Docket No” as AWB", names.Column(0, domain.RoleAWB, "Docket No"))
	for field := domain.Field(1); field < domain.FieldCount; field++ {
		require.NotEmpty(t, names.Field(&domain.Fault{Field: field}), field)
	}
}

// TestPagesHaveNoWordsOfTheAPI holds what is said on the pages where the API speaks of its own
// fields.
func TestPagesHaveNoWordsOfTheAPI(t *testing.T) {
	words, names := wording.New(), wording.NewLanguages().Names("en")
	for want, err := range map[string]error{
		"report 2: no column was found for AWB or order id (looked for AWB No; or Order); the header found is: A, B; choose the column for it in the list of columns": &domain.FileError{File: domain.CourierFile, Report: 2, Rule: domain.RuleNoColumn, NoHeader: true,
			Roles: []domain.Role{domain.RoleAWB, domain.RoleOrderID}, LookedFor: [][]string{{"AWB No"}, {"Order"}}, Found: []string{"A", "B"}},
		"the report: there is no column \"Docket\", which was chosen for AWB; the header found is: A; choose a column of this file":                                     &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotThere, Roles: []domain.Role{domain.RoleAWB}, Value: "Docket", Found: []string{"A"}},
		"the report: the header is ambiguous: couriers that know it equally well read it differently: AWB is \"A\" (dtdc); choose the right one in the list of columns": &domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmbiguous, Candidates: []domain.Candidate{{Role: domain.RoleAWB, Column: "A", Couriers: []string{"dtdc"}}}},
		"the files are larger than 64 MB (67,108,864 bytes) together: leave out reports, or split the files by period and send them one after the other":                &domain.Error{Code: domain.CodeBodyTooLarge, Detail: domain.DetailUpload, Bytes: 64 << 20},
		"the runs of this month (2) are used up: the next cycle begins on 2026-12-01":                                                                                   &domain.Error{Code: domain.CodeRunCap, Limit: 2, Day: domain.DayFromDate(2026, 12, 1)},
	} {
		require.Equal(t, want, words.Message(err, names))
	}
}

// TestDispute holds the sentence about one order, whatever is known of it.
func TestDispute(t *testing.T) {
	day := func(n int) domain.Day { return domain.DayFromDate(2026, 3, n) }
	reason := domain.Reason{Flag: domain.ShortPaid, Due: 500_00, Remitted: 400_00, Shortfall: 100_00, ForCourier: true}
	d := verdict.Dispute{AWB: []byte("149"), OrderID: []byte("#1"), UTR: []byte("U1"), OrderedOn: day(1), DeliveredOn: day(5), Due: 500_00, Remitted: 400_00, Shortfall: 100_00, DaysOverdue: 1, Reason: reason}
	say := func() string { return string(wording.New().AppendDispute(nil, &d)) }
	const why = "You remitted ₹400, and ₹500 is due."
	require.Equal(t, "AWB 149, order #1: ordered 2026-03-01, delivered 2026-03-05; COD ₹500, remitted ₹400, shortfall ₹100; 1 day overdue; UTR U1. "+why, say())
	d.DeliveredOn, d.DaysOverdue, d.UTR = domain.NoDay, 12, nil
	require.Equal(t, "AWB 149, order #1: ordered 2026-03-01; COD ₹500, remitted ₹400, shortfall ₹100; 12 days overdue. "+why, say())
	d.AWB, d.OrderedOn = nil, domain.NoDay
	require.Equal(t, "order #1; COD ₹500, remitted ₹400, shortfall ₹100; 12 days overdue. "+why, say())
	d.OrderID = nil
	require.Equal(t, "COD ₹500, remitted ₹400, shortfall ₹100. "+why, say())
	d.Reason.RaisedOn = day(24)
	require.Equal(t, "COD ₹500, remitted ₹400, shortfall ₹100. Reminder: first raised on 2026-03-24. "+why, say())
	d.Reason.RaisedOn, d.Asked = domain.NoDay, 60_00
	require.Equal(t, "COD ₹500, remitted ₹400, shortfall ₹100, of which we ask for ₹60. "+why, say())

	d.Asked, d.OrderID, d.Reason.Shared.Paid = 0, []byte("#1"), true
	const partOf = "Of what you remitted, ₹400 counts for this order, and ₹500 is due."
	require.Equal(t, "order #1; COD ₹500, remitted ₹400 by our books, shortfall ₹100; 12 days overdue. "+partOf, say())
	d.OrderedOn = day(1)
	require.Equal(t, "order #1: ordered 2026-03-01; COD ₹500, remitted ₹400 by our books, shortfall ₹100; 12 days overdue. "+partOf, say())
}

// TestGuidanceOnPages holds when a page says to run again, and with which report.
func TestGuidanceOnPages(t *testing.T) {
	day := func(n int) domain.Day { return domain.DayFromDate(2026, 3, n) }
	names := wording.NewLanguages().Names("en")
	g := domain.Guidance{OffsetDays: 7, OffsetSource: domain.OffsetExplicit, BatchAsOf: day(9), DataThrough: day(18), GuaranteedCoverageDays: 14, AwaitingNextCycle: 1}
	say := func(reports int) []string { return wording.New().Guidance(&g, reports, names) }
	require.Equal(t, []string{
		"An order is overdue 7 days after delivery (as set for this run or for the account), as of 2026-03-09, the latest order date.",
		"The report reaches to 2026-03-18. Run again when you have one that reaches to 2026-03-23: then every order's window is over.",
		"1 order may still be paid in time: run again with the next report.",
	}, say(1))
	g.Behind = domain.Behind{Report: 2, Courier: "dtdc"}
	require.Equal(t, "The reports reach to 2026-03-18: most behind is report 2 (dtdc). Run again when you have a report of this courier that reaches to 2026-03-23: then every order's window is over.", say(3)[1])
	g.Behind.Courier = ""
	require.Equal(t, "The reports reach to 2026-03-18: most behind is report 2. Run again when you have a report of its courier that reaches to 2026-03-23: then every order's window is over.", say(3)[1])
	require.Equal(t, "The courier of report 2 is not known, so only reports with the same header count as those of its courier: if others are of the same courier, choose it for each of them.", say(3)[2])
	g.CoverageComplete, g.AwaitingNextCycle = true, 0
	require.Equal(t, []string{"The reports reach to 2026-03-18: most behind is report 2, but past every order's window."}, say(3)[1:])
	g = domain.Guidance{Behind: domain.Behind{Report: 1, Courier: "dtdc"}}
	require.Equal(t, "report 1 (dtdc) has no date, so how far the reports reach is not known: run again with a report of this courier that has dates.", say(2)[1])
}
