package service

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

// preview reconciles without an account and returns the answer, or the message of what is
// wrong.
func (s *Service) preview(t *testing.T, req ports.Request) string {
	t.Helper()
	run, err := s.Reconciling.Preview(context.WithoutCancel(t.Context()), req)
	if err != nil {
		return wording.New().Message(err, httpapi.Names{})
	}
	defer run.Release()
	var b bytes.Buffer
	require.NoError(t, s.Answers.Write(&b, run, false))
	return b.String()
}

// TestSeveralReportsInOneRun holds what a run of several reports answers, or what it says
// is wrong with one of them.
func TestSeveralReportsInOneRun(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	const (
		export = "Name,Total,Created at,AWB\n#1,100,2026-01-01,A1\n#2,200,2026-01-02,A2\n#3,300,2026-01-03,A3\n#4,400,2026-01-12,A4\n"
		header = "AWB No,COD Amount,Remittance Date\n"
		first  = "A1,100,2026-01-20\n"
		second = "A2,200,2026-01-09\n"
		other  = "Docket,Cash,Paid\nA2,200,2026-01-09\n"
	)
	long := header + strings.Repeat("A9,1,2026-01-09\n", 20_000)
	columns := map[string]string{"awb": "Docket", "cod_amount": "Cash", "remittance_date": "Paid"}
	dtdc := func(text string) ports.Report { return ports.Report{Courier: []byte(text), CourierName: "dtdc"} }
	custom := func(text string) ports.Report {
		return ports.Report{Courier: []byte(text), CourierName: "custom", Columns: columns}
	}
	joined := s.preview(t, ports.Request{Storefront: []byte(export), Courier: []byte(header + first + second)})
	joined = strings.ReplaceAll(joined, "the report, which reaches", "the reports, which reach") // and that is all that differs
	for what, c := range map[string]struct {
		reports []ports.Report
		says    []string
	}{
		"weekly files of one courier are their joined file": {[]ports.Report{dtdc(header + first), dtdc(header + second)}, []string{joined}},
		"the same, the later week first":                    {[]ports.Report{dtdc(header + second), dtdc(header + first)}, []string{joined}},
		"of two couriers, the one that is behind counts": {[]ports.Report{dtdc(header + first), custom(other)},
			[]string{`"courier_data_through":"2026-01-09"`, `those of custom reach no further than 2026-01-09: a later one may list it`, `"order_id":"#2","cod_amount":200,"remitted":200`}},
		"unknown couriers with the same header are one": {[]ports.Report{{Courier: []byte("AWB,COD Amount,Remittance Date\n" + first)}, {Courier: []byte("AWB,COD Amount,Remittance Date\n" + second)}},
			[]string{`"courier_data_through":"2026-01-20"`}},
		"unknown couriers with different headers count by themselves": {[]ports.Report{{Courier: []byte("AWB,COD Amount,Remittance Date\n" + first)}, {Courier: []byte("Waybill,COD Amount,Remittance Date\n" + second)}},
			[]string{`"courier_data_through":"2026-01-09"`, `report 2, whose courier is not known, reaches no further than 2026-01-09: a later one may list it; if another report is of the same courier, name the courier of both`}},
		"one without dates makes it unknown":      {[]ports.Report{dtdc(header + first), custom("Docket,Cash,Paid\nA2,200,\n")}, []string{`"courier_data_through":null`, `those of custom have no dates`}},
		"a line in two reports counts once":       {[]ports.Report{dtdc(header + first), dtdc(header + first + second)}, []string{`"remitted":100`, `1 line of the reports repeats another one`}},
		"a report without lines":                  {[]ports.Report{dtdc(header + first), dtdc(header)}, []string{`There is no line below the header of courier file 2 (reports[1])`}},
		"a footer":                                {[]ports.Report{dtdc(header + first), dtdc(header + second + "Total,500,\n")}, []string{`The footer in line 3 of courier file 2 (reports[1]) states ₹500, but the lines read come to ₹200`}},
		"money without an id":                     {[]ports.Report{dtdc(header + ",70,\n"), dtdc(header + second)}, []string{`1 line has money in courier file 1 (reports[0]), ₹70 in all`}},
		"a fault in the second":                   {[]ports.Report{dtdc(header + first), dtdc(header + "A2,much,2026-01-09\n")}, []string{`courier file 2 (reports[1]), line 2, column "COD Amount": "much" is not an amount`}},
		"no header in the second":                 {[]ports.Report{dtdc(header + first), dtdc("a,b\n1,2\n")}, []string{`courier file 2 (reports[1]), line 1: no column was found`}},
		"the export in the second place":          {[]ports.Report{dtdc(header + first), dtdc(export)}, []string{`courier file 2 (reports[1]): is the orders export: the export was given twice`}},
		"more rows than a run may have, together": {[]ports.Report{dtdc(long), dtdc(long), dtdc(long)}, []string{`courier file 3 (reports[2]): has, together with the reports before it, more than 50000 rows`}},
		"none":                        {[]ports.Report{}, []string{`reports must have 1 to 20 entries`}},
		"a blank one":                 {[]ports.Report{dtdc(header), {}}, []string{`reports[1].courier is missing`}},
		"a courier that is not known": {[]ports.Report{{Courier: []byte(header), CourierName: "pigeon"}}, []string{`reports[0].courierName must be one of`}},
	} {
		got := s.preview(t, ports.Request{Storefront: []byte(export), Reports: c.reports})
		for _, says := range c.says {
			require.Contains(t, got, says, what)
		}
	}
	both := ports.Request{Storefront: []byte(export), Courier: []byte(header), Reports: []ports.Report{dtdc(header)}}
	require.Equal(t, "reports and courier cannot be given both: send one report as courier, or several as reports", s.preview(t, both))

	account, err := s.Manage.Show(t.Context(), s.Account(t).Email)
	require.NoError(t, err)
	run, err := s.Reconciling.Reconcile(t.Context(), ports.Caller{Account: account},
		ports.Request{Storefront: []byte(export), Reports: []ports.Report{dtdc(header + first), custom(other)}, Brand: "Asha", Source: domain.SourceAPI})
	require.NoError(t, err)
	defer run.Release()
	require.Equal(t, "custom+dtdc", run.Run.CourierName)
	require.NotEmpty(t, run.Run.ID)
}

// bankBody is two orders that two payouts pay for, and a third payout that the statement
// does not have.
func bankBody() Body {
	return Body{
		"shopify": Export(Order{Name: "#1", Total: "1000.00", AWB: "A1"}, Order{Name: "#2", Total: "500.00", AWB: "A2"}, Order{Name: "#3", Total: "300.00", AWB: "A3"}),
		"courier": "AWB No,COD Amount,Remitted Amount,Remittance Date,UTR\nA1,1000,1000,2026-10-10,HDFCN520261010\nA2,500,500,2026-10-12,\nA3,300,300,2026-11-12,HDFCN520261112\n",
		"bank":    "Date,Narration,Withdrawal Amt.,Deposit Amt.\n10/10/2026,NEFT CR-HDFCN520261010-SECRETNAME,,990.00\n13/10/2026,IMPS,,500.00\n14/10/2026,RENT,99,\n20/10/2026,NEFT-BIGFOOTRETAIL,,7\n",
	}
}

const bankFindings = `{"from":"2026-10-10","to":"2026-10-20","payouts":[
	{"report":1,"courier":"delhivery","utr":"HDFCN520261010","remitted_on":"2026-10-10","paid":1000,"state":"credited_other_amount","received":990,
	 "credit":{"line":2,"date":"2026-10-10","amount":990,"narration":"NEFT CR-HDFCN520261010-SECRETNAME"}},
	{"report":1,"courier":"delhivery","remitted_on":"2026-10-12","paid":500,"state":"credited","received":500,"credit":{"line":3,"date":"2026-10-13","amount":500,"narration":"IMPS"}},
	{"report":1,"courier":"delhivery","utr":"HDFCN520261112","remitted_on":"2026-11-12","paid":300,"state":"not_in_statement","absence":"outside_statement"}],
	"other_credits":[{"line":5,"date":"2026-10-20","amount":7,"courier":"shiprocket","narration":"NEFT-BIGFOOTRETAIL"}]}`

// TestStatements holds what a run says of a bank statement, and that nothing of it is stored.
func TestStatements(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	found := func(t *testing.T, answer []byte) string {
		t.Helper()
		run := decoded[struct{ Bank json.RawMessage }](t, answer)
		return string(run.Bank)
	}
	t.Run("each payout is looked for in the statement", func(t *testing.T) {
		require.JSONEq(t, bankFindings, found(t, c.Reconcile(t, bankBody()).Body))
	})
	t.Run("a transfer that was returned was not received, and another courier's credit is not taken", func(t *testing.T) {
		body := Body{
			"shopify": Export(Order{Name: "#1", Total: "1000.00", AWB: "A1"}, Order{Name: "#2", Total: "500.00", AWB: "A2"}),
			"courier": "AWB No,COD Amount,Remitted Amount,Remittance Date,UTR\nA1,1000,1000,2026-10-10,HDFCN520261010\nA2,500,500,2026-10-12,\n",
			"bank":    "Date,Narration,Withdrawal Amt.,Deposit Amt.\n10/10/2026,NEFT HDFCN520261010 DELHIVERY,,1000\n12/10/2026,RETURN HDFCN520261010,1000,\n13/10/2026,NEFT SHADOWFAX TECH,,500\n20/10/2026,UPI,,1\n",
		}
		require.JSONEq(t, `{"from":"2026-10-10","to":"2026-10-20","payouts":[
			{"report":1,"courier":"delhivery","utr":"HDFCN520261010","remitted_on":"2026-10-10","paid":1000,"state":"reversed","received":0,
			 "credit":{"line":2,"date":"2026-10-10","amount":1000,"courier":"delhivery","narration":"NEFT HDFCN520261010 DELHIVERY"},
			 "debits":[{"line":3,"date":"2026-10-12","amount":1000,"narration":"RETURN HDFCN520261010"}]},
			{"report":1,"courier":"delhivery","remitted_on":"2026-10-12","paid":500,"state":"not_in_statement"}],
			"other_credits":[{"line":4,"date":"2026-10-13","amount":500,"courier":"shadowfax","narration":"NEFT SHADOWFAX TECH"}]}`, found(t, c.Reconcile(t, body).Body))
	})
	t.Run("batches too", func(t *testing.T) {
		id := c.Submit(t, Body{"jobs": []Body{bankBody().With("brand", "x")}}).BatchID
		c.Await(t, id, domain.BatchComplete)
		report := decoded[struct{ Results []json.RawMessage }](t, c.Status(t, id).Body)
		require.JSONEq(t, bankFindings, found(t, report.Results[0]))
	})
	t.Run("a statement that cannot be read is refused", func(t *testing.T) {
		bad := strings.ReplaceAll(bankBody()["bank"].(string), "990.00", "990.0.0")
		c.Reconcile(t, bankBody().With("bank", bad)).Refused(t, 400, `bank statement (bank), line 2, column "Deposit Amt.": "990.0.0" is not an amount; write it like 1299.50`)
		c.Reconcile(t, bankBody().With("bank", "")).Refused(t, 400, "bank statement (bank): is empty")
	})
	t.Run("nothing of it is logged", func(t *testing.T) {
		require.NotContains(t, s.Log.String(), "SECRETNAME")
	})
}
