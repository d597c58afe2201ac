package answer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/answer"
	"milaan/adapters/view"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// everything is all that a request may ask for.
const everything = domain.IncludePayouts | domain.IncludeUnclaimed | domain.IncludeOrders | domain.IncludeLines | domain.IncludeOpenItems

// included writes an answer with what is included, and reads it without its fields of the
// contract.
func included(t require.TestingT, o *ports.FinishedRun) (text string, fields map[string]any) {
	var b bytes.Buffer
	require.NoError(t, answer.New(wording.New(), nil).Write(&b, o, false))
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.UseNumber()
	require.NoError(t, d.Decode(&fields), b.String())
	return b.String(), fields
}

var someLines = []verdict.Remittance{
	{Line: 2, AWB: []byte("A1"), OrderID: []byte("1"), UTR: []byte("U\"7"), Listed: 1050, Collected: 1050, Remitted: 1000, RemittedOn: asOf, DeliveredOn: asOf - 2},
	{Line: 3, Report: 1, AWB: []byte("stray"), Listed: 500, Remitted: 450, RemittedOn: asOf - 1, UTR: []byte("U8")},
	{Line: 9, Report: 1, OrderID: []byte("77")},
}

func TestIncluded(t *testing.T) {
	run := func(i domain.Include) *ports.FinishedRun {
		o := finishedRun([]string{"#1", "#2"}, []string{"A1", ""}, someLines...)
		o.Include = i
		return o
	}
	plain, _ := included(t, run(0))
	_, fields := included(t, run(domain.IncludeUnclaimed))
	require.JSONEq(t, `[{"report":2,"line":3,"awb":"stray","cod_amount":5,"remitted":4.5,"remitted_on":"2026-03-30","utr":"U8"},
		{"report":2,"line":9,"order_id":"77","cod_amount":0,"remitted":0}]`, asText(t, fields["unclaimed"]))
	delete(fields, "unclaimed")
	require.JSONEq(t, plain, asText(t, fields), "the contract's fields are as without include")

	_, fields = included(t, run(domain.IncludeLines|domain.IncludeOrders))
	results := fields["results"].([]any)
	first, second := results[0].(map[string]any), results[1].(map[string]any)
	require.JSONEq(t, `[{"report":1,"line":2,"awb":"A1","order_id":"1","cod_amount":10.5,"remitted":10,"remitted_on":"2026-03-31","utr":"U\"7","delivered_on":"2026-03-29"}]`, asText(t, first["lines"]))
	require.Equal(t, []any{}, second["lines"])
	require.Equal(t, "2026-03-31", second["order_date"])
	require.Equal(t, "2026-04-07", second["due_by"])
	for _, unknown := range []string{"remitted_on", "utr", "courier_status", "report"} {
		require.NotContains(t, second, unknown, "it is left out where nothing is known")
	}
	_, fields = included(t, run(domain.IncludePayouts))
	require.Contains(t, fields, "reports")
	require.Contains(t, fields, "payouts")

	demo := run(everything)
	var b bytes.Buffer
	require.NoError(t, answer.New(wording.New(), nil).JobResult(&b, "b", "c", demo))
	job := decoded[map[string]any](t, b.Bytes())
	_, fields = included(t, demo)
	delete(job, "brand")
	delete(job, "courierName")
	require.Equal(t, fields, job, "a job of a batch has the same")
}

func asText(t *testing.T, v any) string {
	t.Helper()
	return string(only.Value(json.Marshal(v))(t))
}

// hasShape holds that what is written for a page is a view.Answer, member by member, with a line
// for each object of its lists, and returns it.
func hasShape(t *testing.T, o *ports.FinishedRun) string {
	t.Helper()
	var b bytes.Buffer
	page := wording.NewLanguages()
	require.NoError(t, answer.New(wording.New(), nil).WritePage(&b, o, page.In("en"), page.In(peers.DocumentLanguage), page.Names("en")))
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	var shape view.Answer
	require.NoError(t, d.Decode(&shape), b.String())
	require.JSONEq(t, b.String(), asText(t, shape))
	lines := 2 + len(shape.Results) + len(shape.Reports) + len(shape.Payouts) + len(shape.Unclaimed)
	if shape.OpenItems != nil {
		lines += len(shape.OpenItems.Items)
	}
	if shape.Bank != nil {
		lines += len(shape.Bank.Payouts) + len(shape.Bank.OtherCredits) + len(shape.Bank.EarlierPayouts)
	}
	require.Equal(t, lines, strings.Count(b.String(), "\n"), "a page finds the objects of a list by the ends of lines: %s", b.String())
	return b.String()
}

func members(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				names = append(names, name)
			}
			names = append(names, members(f.Type)...)
		}
	}
	return names
}

// correctedRun is a run in which the second report corrects the first.
func correctedRun(t *testing.T) *ports.FinishedRun {
	t.Helper()
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	for _, awb := range []string{"A1", "A2"} {
		o, _ := orders.FindOrAdd([]byte("#" + awb))
		o.Total, o.HasTotal = 1050, true
		orders.Track(o, []byte(awb))
	}
	for _, paid := range []domain.Paise{800, 1050} {
		remittances.Begin("dtdc")
		for _, awb := range []string{"A1", "A2"} {
			remittances.Add(verdict.Remittance{AWB: []byte(awb), UTR: []byte("U9"), Stated: paid, Remitted: paid, HasRemitted: true})
		}
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil, domain.FlagCharges)))
	o := ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
	o.Include = domain.IncludePayouts
	text, _ := included(t, o)
	require.Contains(t, text, `"corrected":{"lines":2,"remitted":16}`)
	return o
}

// rememberingRun is a run with a ledger: an order of the export is new, one of the ledger is paid by the report, and one
// of the ledger was promised until a day that has passed.
func rememberingRun(t require.TestingT, note string) *ports.FinishedRun {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	o, _ := orders.FindOrAdd([]byte("#N1"))
	o.Total, o.HasTotal, o.CreatedOn = 1050, true, asOf-40
	late, _ := orders.FindOrAdd([]byte("#N2"))
	late.Total, late.HasTotal, late.CreatedOn = 1050, true, asOf
	remittances.Remember(&verdict.RememberedLine{Remittance: verdict.Remittance{AWB: []byte("A1"), Listed: 1050, Remitted: 50, RemittedOn: asOf - 50},
		Courier: "dtdc", Seen: asOf - 30})
	remittances.Begin("dtdc")
	remittances.Add(verdict.Remittance{Line: 2, AWB: []byte("A1"), UTR: []byte("U5"), Listed: 1000, Remitted: 1000, RemittedOn: asOf - 1})
	for i, mark := range []domain.Mark{{State: domain.Disputed}, {State: domain.Promised, RaisedOn: asOf - 30, PromisedUntil: asOf - 2, Note: note}} {
		found := verdict.Finding{Flag: domain.ShortPaid, Due: 1050, Remitted: 50, Shortfall: 1000, Seen: asOf - 30, Since: asOf - 30, Courier: "dtdc",
			Mark: mark, Carried: mark.State}
		if i == 1 {
			found.Flag, found.Remitted, found.Shortfall = domain.Missing, 0, 1050
		}
		require.Empty(t, orders.Remember(&verdict.RememberedOrder{Order: verdict.Order{Name: fmt.Appendf(nil, "#L%d", i+1), Total: 1050, HasTotal: true,
			CreatedOn: asOf - 60}, AWBs: fmt.Appendf(nil, "A%d", i+1), Found: found}))
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	finished := ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
	finished.Include = domain.IncludePayouts | domain.IncludeUnclaimed | domain.IncludeLines | domain.IncludeOpenItems
	return finished
}

func TestOpenItems(t *testing.T) {
	_, fields := included(t, rememberingRun(t, `=HYPERLINK("x")<b>`))
	items := fields["open_items"].(map[string]any)["items"].([]any)
	byOrder := map[string]map[string]any{}
	for _, item := range items {
		of := item.(map[string]any)
		require.NotEmpty(t, of["flag_reason"])
		delete(of, "flag_reason")
		byOrder[of["order_id"].(string)] = of
	}
	require.Len(t, byOrder, 4)
	require.JSONEq(t, `{"order_id":"#L1","awb":"A1","courier":"dtdc","in_export":false,"flag":"RECONCILED","order_date":"2026-01-30","due_by":"2026-02-06",
		"cod_amount":10.5,"remitted":10.5,"shortfall":0,"state":"disputed","change":"cleared","cleared_on":"2026-03-30","utr":"U5"}`, asText(t, byOrder["#L1"]))
	require.JSONEq(t, `{"order_id":"#L2","awb":"A2","courier":"dtdc","in_export":false,"flag":"MISSING","order_date":"2026-01-30","due_by":"2026-02-06",
		"cod_amount":10.5,"remitted":0,"shortfall":10.5,"since":"2026-03-01","state":"promised","raised_on":"2026-03-01","promised_until":"2026-03-29",
		"promise_passed":true,"note":"=HYPERLINK(\"x\")<b>"}`, asText(t, byOrder["#L2"]), "a note is text")
	require.Equal(t, "new", byOrder["#N1"]["change"])
	require.Equal(t, true, byOrder["#N1"]["in_export"])
	require.Len(t, fields["results"], 2, "orders of the ledger alone have no result")

	all := fields["open_items"].(map[string]any)["movements"].(map[string]any)
	require.JSONEq(t, `{"before":{"orders":2,"amount":20.5},"new":{"orders":1,"amount":10.5},"changed":{"orders":0,"amount":0},
		"partly_paid":{"orders":0,"amount":0},"cleared":{"orders":1,"amount":10},"written_off":{"orders":0,"amount":0},
		"reopened":{"orders":0,"amount":0},"now":{"orders":2,"amount":21},"recovered":{"orders":0,"amount":0},
		"awaited":{"orders":1,"amount":10.5},"overpaid":{"orders":0,"amount":0},"promises":{"orders":1,"amount":10.5}}`, asText(t, all["all"]))
	require.Len(t, all["couriers"], 1)

	reports := fields["reports"].([]any)
	require.Len(t, reports, 2)
	require.NotContains(t, reports[0], "remembered")
	require.Equal(t, true, reports[1].(map[string]any)["remembered"], "what the ledger has stands last")
}

// TestAResultOfALedger holds that the result of one order says of earlier runs what open items say, also of one that only the ledger has.
func TestAResultOfALedger(t *testing.T) {
	result := func(o *ports.FinishedRun, i int) string {
		var b bytes.Buffer
		o.Include = domain.IncludeOrders
		require.NoError(t, answer.New(wording.New(), nil).WriteResult(&b, o, i))
		var fields map[string]any
		require.NoError(t, json.Unmarshal(b.Bytes(), &fields))
		require.NotEmpty(t, fields["flag_reason"])
		delete(fields, "flag_reason")
		return asText(t, fields)
	}
	o := rememberingRun(t, "called")
	require.JSONEq(t, `{"order_id":"#L2","awb":"A2","cod_amount":10.5,"remitted":0,"shortfall":10.5,"days_overdue":53,"flag":"MISSING","status":"unfulfilled",
		"match_mode":"awb","order_date":"2026-01-30","due_by":"2026-02-06","courier":"dtdc","in_export":false,"since":"2026-03-01","state":"promised",
		"raised_on":"2026-03-01","promised_until":"2026-03-29","promise_passed":true,"note":"called"}`, result(o, 3))
	require.Contains(t, result(o, 0), `"in_export":true`)
	require.NotContains(t, result(finishedRun([]string{"#1"}, []string{"A1"}, someLines...), 0), "in_export", "without a ledger there is nothing to say")
}

// TestPagesNameTheCourierOfAClaim holds that a page has the courier to which the letter goes also of an order that no report lists: its
// list of open items is made of the results if there was no run before.
func TestPagesNameTheCourierOfAClaim(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	for name, on := range map[string]domain.Day{"#1": asOf, "#2": asOf - 20} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn = 1050, true, on
	}
	remittances.Begin("dtdc")
	remittances.Add(verdict.Remittance{Line: 2, OrderID: []byte("1"), Listed: 1050, Collected: 1050, Remitted: 1050, RemittedOn: asOf})
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil, domain.AcceptCharges)))
	var page view.Answer
	require.NoError(t, json.Unmarshal([]byte(hasShape(t, ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil))), &page))
	require.Equal(t, "dtdc", page.Results[0].Courier, page.Results[0].FlagReason)
	require.Empty(t, page.Results[1].Courier, "of the others the report says it")
}

func TestStatement(t *testing.T) {
	lines := slices.Clone(someLines)
	lines[0].HasStatus = true
	lines = slices.Insert(lines, 1, verdict.Remittance{AWB: []byte("A2"), Listed: 1050, Collected: 1050, Stated: 1000, HasRemitted: true, Remitted: 1000, HasStatus: true, RemittedOn: asOf})
	o := finishedRun([]string{"#1", "#2"}, []string{"A1", "A2"}, lines...)
	credit := bank.StatementLine{Line: 4, On: asOf, Amount: 1050, Narration: `NEFT "U7" DELHIVERY`}
	payout := verdict.Payout{Report: 1, Courier: "delhivery", UTR: []byte("U7"), RemittedOn: asOf, Lines: 2, Paid: 1000}
	o.Statement = &bank.Findings{
		Payouts: []bank.CreditedPayout{
			{Payout: payout, State: bank.CreditEqual, Credits: []bank.StatementLine{credit}, Received: 1050, Together: 1},
			{Payout: payout, State: bank.CreditDiffers, Credits: []bank.StatementLine{credit, credit}, Debits: []bank.StatementLine{credit}, Received: 1050, Together: 2},
			{Payout: payout, State: bank.CreditReversed, Debits: []bank.StatementLine{credit}, Received: -1050, Together: 1},
			{Payout: verdict.Payout{Report: 2, RemittedOn: domain.NoDay, Paid: -50}, Absence: bank.AbsenceNothingPaid},
			{Payout: verdict.Payout{Report: 2, RemittedOn: asOf, Paid: 50}},
		},
		Earlier: []bank.CreditedPayout{{Payout: payout}, {Payout: payout, State: bank.CreditReversed, Debits: []bank.StatementLine{credit}, Received: -1050, Together: 1}},
		Others:  []bank.StatementLine{{Line: 9, On: asOf, Amount: 5, Narration: "SHADOWFAX", Courier: "shadowfax"}},
		From:    asOf - 1, To: asOf,
	}
	o.Include, o.Duplicate, o.Run.ID = everything, true, "r1"
	page := hasShape(t, o) + hasShape(t, correctedRun(t)) + hasShape(t, rememberingRun(t, "a note"))
	for _, name := range members(reflect.TypeFor[view.Answer]()) {
		require.Contains(t, page, `"`+name+`":`)
	}
	require.Equal(t, 2, strings.Count(page, `"accepted_charges":0.5`), "of the run, and of the order")
	o.Include, o.Duplicate, o.Run.ID = 0, false, ""
	hasShape(t, o)
	_, fields := included(t, o)
	const said = `{"line":4,"date":"2026-03-31","amount":10.5,"narration":"NEFT \"U7\" DELHIVERY"}`
	const named = `"report":1,"courier":"delhivery","utr":"U7","remitted_on":"2026-03-31","paid":10`
	require.JSONEq(t, `{"payouts":[{`+named+`,"state":"credited","received":10.5,"credit":`+said+`},
		{`+named+`,"state":"credited_other_amount","received":10.5,"together":2,"credit":`+said+`,"more_credits":[`+said+`],"debits":[`+said+`]},
		{`+named+`,"state":"reversed","received":-10.5,"debits":[`+said+`]},
		{"report":2,"paid":-0.5,"state":"not_in_statement","absence":"nothing_paid"},{"report":2,"remitted_on":"2026-03-31","paid":0.5,"state":"not_in_statement"}],
		"other_credits":[{"line":9,"date":"2026-03-31","amount":0.05,"narration":"SHADOWFAX","courier":"shadowfax"}],
		"earlier_payouts":[{`+named+`,"state":"reversed","received":-10.5,"debits":[`+said+`]}],"from":"2026-03-30","to":"2026-03-31"}`, asText(t, fields["bank"]))

	o.Statement = &bank.Findings{}
	_, fields = included(t, o)
	require.JSONEq(t, `{"payouts":[],"other_credits":[]}`, asText(t, fields["bank"]), "a statement is answered even if it says nothing")
}

// TestIncludedIsJSONForAnyTexts holds that whatever files hold, the answer is JSON that
// repeats it, its ids and references in the form that lasts.
func TestIncludedIsJSONForAnyTexts(t *testing.T) {
	text := rapid.OneOf(rapid.SampledFrom(oddTexts), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(name string) []byte { return []byte(text.Draw(t, name)) }
		lines := make([]verdict.Remittance, rapid.IntRange(0, 4).Draw(t, "lines"))
		for i := range lines {
			lines[i] = verdict.Remittance{Line: int32(i), AWB: drawn("awb"), OrderID: drawn("order id"), UTR: drawn("utr"), Remitted: 5, RemittedOn: domain.NoDay, DeliveredOn: domain.NoDay}
		}
		o := finishedRun([]string{"#1", "#2"}, []string{"A1", ""}, lines...)
		narration := string(drawn("narration"))
		o.Include = everything
		o.Statement = &bank.Findings{Others: []bank.StatementLine{{On: asOf, Narration: narration}},
			Payouts: []bank.CreditedPayout{{Payout: verdict.Payout{UTR: drawn("payout"), Courier: narration}, State: bank.CreditEqual}}}
		_, noted := included(t, rememberingRun(t, narration))
		for _, item := range noted["open_items"].(map[string]any)["items"].([]any) {
			if of := item.(map[string]any); of["order_id"] == "#L2" && narration != "" {
				require.Equal(t, repaired(narration), of["note"])
			}
		}
		_, fields := included(t, o)
		credit := fields["bank"].(map[string]any)["other_credits"].([]any)[0].(map[string]any)
		require.Equal(t, repaired(narration), credit["narration"])
		seen := 0
		for _, listed := range fields["unclaimed"].([]any) {
			seen++
			line := listed.(map[string]any)
			n := only.Value(line["line"].(json.Number).Int64())(t)
			for name, want := range map[string][]byte{"awb": lines[n].AWB, "order_id": lines[n].OrderID, "utr": lines[n].UTR} {
				if want = domain.Lasting(want); len(want) == 0 {
					require.NotContains(t, line, name)
				} else {
					require.Equal(t, string(want), line[name])
				}
			}
		}
		require.LessOrEqual(t, seen, len(lines))
	})
}

// repaired has U+FFFD for each byte that is not UTF-8.
func repaired(text string) string { return string([]rune(text)) }

// TestIncludedAllocatesNothingPerRow writes runs of few and many lines.
func TestIncludedAllocatesNothingPerRow(t *testing.T) {
	allocated := func(orders int) float64 {
		names, awbs, lines := ordinary(orders)
		for i := range orders {
			lines = append(lines, verdict.Remittance{AWB: fmt.Appendf(nil, "stray%d", i), Remitted: 100, RemittedOn: asOf})
		}
		o := finishedRun(names, awbs, lines...)
		o.Include = domain.IncludeUnclaimed | domain.IncludeOrders | domain.IncludeLines | domain.IncludeOpenItems
		w := answer.New(wording.New(), nil)
		return testing.AllocsPerRun(5, func() { require.NoError(t, w.Write(io.Discard, o, false)) })
	}
	require.Less(t, allocated(2000), allocated(20)+20)
}

// TestManyLinesAreWrittenInPieces holds that the lines of one order are no single piece.
func TestManyLinesAreWrittenInPieces(t *testing.T) {
	lines := make([]verdict.Remittance, 20_000)
	for i := range lines {
		lines[i] = verdict.Remittance{Line: int32(i), AWB: []byte("A1"), UTR: []byte(strings.Repeat("u", 20)), Remitted: domain.Paise(i), RemittedOn: asOf}
	}
	o := finishedRun([]string{"#1"}, []string{"A1"}, lines...)
	o.Include = everything
	var pieces largest
	require.NoError(t, answer.New(wording.New(), nil).Write(&pieces, o, false))
	require.Less(t, int(pieces), 300<<10)
}

// largest is the length of the largest piece that was written.
type largest int

func (l *largest) Write(p []byte) (int, error) {
	*l = max(*l, largest(len(p)))
	return len(p), nil
}
