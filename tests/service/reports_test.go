package service

import (
	"bytes"
	"context"
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
