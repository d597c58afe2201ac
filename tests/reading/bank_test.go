package reading

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"milaan/ports"
)

// TestStatements compares the two readings of what a bank statement says of payouts.
func TestStatements(t *testing.T) {
	t.Parallel()
	e := newEngine()
	chance := rand.New(rand.NewPCG(8, 26))
	rules := map[string]int{}
	for range size(250, 2_500, 100_000) {
		given, statement := drawStatement(chance)
		holdStatement(t, e, given, statement, rules)
		if t.Failed() {
			return
		}
	}
	requireReached(t, rules,
		"by UTR: credited", "by UTR: credited_other_amount", "by UTR: reversed", "several credits of one UTR", "a credit names another courier",
		"several credits of the amount", "by amount", "together",
	)
}

// bankNames are the couriers' names as narrations have them.
var bankNames = map[string]string{"delhivery": "DELHIVERY", "dtdc": "DTDC", "shadowfax": "SHADOWFAX"}

// drawStatement draws one or two reports of a few payouts, and a statement.
func drawStatement(chance *rand.Rand) (Case, []BankLine) {
	given := Case{OffsetDays: 7, MinorRupees: 2, Columns: Columns{AWB: true, CODAmount: "COD Amount", RemittedAmount: "Remitted Amount", RemittanceDate: true, UTR: true}}
	day := spelling(0)
	couriers := []string{"delhivery", "dtdc", "shadowfax"}
	chance.Shuffle(3, func(i, j int) { couriers[i], couriers[j] = couriers[j], couriers[i] })
	var lines []BankLine
	narrate := func(utr, name string) string {
		return []string{"NEFT CR", "IMPS", "RTGS"}[chance.IntN(3)] + " " + utr + " " + name
	}
	n := 0
	for _, courier := range couriers[:1+chance.IntN(2)] {
		report := Report{Courier: courier}
		same := chance.IntN(3) == 0 // days
		var sum int64
		count := 1 + chance.IntN(4)
		for range count {
			n++
			on := 20 + 4*chance.IntN(5)
			if same {
				on = 25
			}
			amount := Rupees([]int64{1000, 1000, 700, 450}[chance.IntN(4)] + 10*int64(chance.IntN(3)))
			sum += amount.Paise
			awb := fmt.Sprintf("190407%08d", 60868931+17*n)
			given.Orders = append(given.Orders, Order{Name: fmt.Sprintf("#%d", n), CreatedAt: day(1), Financial: "pending", Fulfilment: "fulfilled", Total: amount, Tracking: awb})
			l := Line{AWB: awb, CODAmount: amount, RemittedAmount: amount, RemittanceDate: day(on)}
			if chance.IntN(3) > 0 {
				l.UTR = fmt.Sprintf("UTIBN5202%07d", 1000*n+chance.IntN(1000))
			} else if !same {
				l.RemittanceDate = day(20 + n) // or two lines were one payout
				on = 20 + n
			}
			given.Lines = append(given.Lines, l)
			report.Lines++
			name := []string{bankNames[courier], bankNames[courier] + " LTD", "", bankNames[couriers[2]]}[chance.IntN(4)]
			credit := BankLine{On: day(on + chance.IntN(10) - 4), Credit: amount.Paise, Narration: narrate("", name)}
			withUTR := credit
			withUTR.Narration = narrate(l.UTR, bankNames[courier])
			switch kind := chance.IntN(10); {
			case kind == 0: // it never came
			case kind == 1 && same: // see below
			case kind < 4 || l.UTR == "":
				lines = append(lines, credit)
				if chance.IntN(4) == 0 {
					credit.On, credit.Narration = day(on+chance.IntN(3)), narrate("", []string{"", bankNames[couriers[2]]}[chance.IntN(2)])
					lines = append(lines, credit)
				}
			case kind == 4:
				withUTR.Credit -= 5000
				lines = append(lines, withUTR)
			case kind == 5: // in two parts
				rest := withUTR
				withUTR.Credit -= 30000
				rest.Credit = 30000
				lines = append(lines, withUTR, rest)
			case kind < 8: // it was returned, and perhaps came again
				back := withUTR
				back.Credit, back.Debit = 0, withUTR.Credit
				lines = append(lines, withUTR, back)
				if chance.IntN(2) == 0 {
					lines = append(lines, withUTR)
				}
			default:
				lines = append(lines, withUTR)
			}
		}
		given.Reports = append(given.Reports, report)
		if same && count > 1 && chance.IntN(2) == 0 {
			lines = append(lines, BankLine{On: day(26), Credit: sum, Narration: narrate("", []string{bankNames[courier], ""}[chance.IntN(2)])})
		}
	}
	chance.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return given, lines
}

// holdStatement has both readings answer a case.
func holdStatement(t *testing.T, e *engine, given Case, lines []BankLine, rules map[string]int) {
	t.Helper()
	text := []byte("Date,Narration,Withdrawal Amt.,Deposit Amt.\n")
	for _, l := range lines {
		cell := func(paise int64) string { return money(Amount{Paise: paise, Stated: paise != 0}) }
		text = appendRow(text, l.On, l.Narration, cell(l.Debit), cell(l.Credit))
	}
	text = append(text, "2026-01-01,RENT,99,\n2026-03-31,RENT,99,\n"...)
	req := ports.Request{Storefront: appendExport(nil, given), Reports: appendReports(given), Statement: text, OverdueDays: &given.OffsetDays}
	run, err := e.reconciling.Preview(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Release()
	answer := Reconcile(given)
	var couriers []string
	for _, p := range answer.Payouts {
		couriers = append(couriers, bankNames[given.Reports[p.Report-1].Courier])
	}
	want, hit := HoldAgainst(answer.Payouts, couriers, lines)
	for rule, times := range hit {
		rules[rule] += times
	}
	for i, w := range want {
		got := run.Statement.Payouts[i]
		if !w.Open && (got.State.String() != w.State || int64(got.Received) != w.Received) {
			t.Errorf("payout %d of %s, %s %s of ₹%s: the engine says %s, ₹%s, the second reading %s, ₹%s; report\n%sstatement\n%s", i+1, couriers[i], answer.Payouts[i].UTR, answer.Payouts[i].Date,
				money(Amount{answer.Payouts[i].Paid, true}), got.State, money(Amount{int64(got.Received), true}), w.State, money(Amount{w.Received, true}), indent(string(appendReport(nil, given))), indent(string(text)))
		}
	}
}
