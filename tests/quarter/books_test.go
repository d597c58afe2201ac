package quarter

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// entry is a voucher as a plain program reads it, which knows nothing of how it was made.
type entry struct {
	ID        string `xml:"REMOTEID,attr"`
	Kind      string `xml:"VCHTYPE,attr"`
	Date      string `xml:"DATE"`
	Reference string `xml:"REFERENCE"`
	Ledgers   []struct {
		Name   string `xml:"LEDGERNAME"`
		Amount string `xml:"AMOUNT"`
		Bills  []struct {
			Order  string `xml:"NAME"`
			Amount string `xml:"AMOUNT"`
		} `xml:"BILLALLOCATIONS.LIST"`
	} `xml:"ALLLEDGERENTRIES.LIST"`
}

// paise reads an amount of two decimals.
func paise(t testing.TB, text string) int {
	t.Helper()
	rupees, rest, found := strings.Cut(text, ".")
	require.True(t, found && len(rest) == 2, text)
	n, err := strconv.Atoi(rupees + rest)
	require.NoError(t, err)
	return n
}

// post reads vouchers back and sums their debits less their credits, by ledger and month.
func post(t testing.TB, document []byte) (entries []entry, sums map[string]map[string]int) {
	t.Helper()
	var read struct {
		Entries []entry `xml:"BODY>IMPORTDATA>REQUESTDATA>TALLYMESSAGE>VOUCHER"`
	}
	require.NoError(t, xml.Unmarshal(document, &read))
	sums = map[string]map[string]int{}
	for _, e := range read.Entries {
		left := 0
		for _, l := range e.Ledgers {
			amount := -paise(t, l.Amount)
			left += amount
			settled := 0
			for _, b := range l.Bills {
				settled -= paise(t, b.Amount)
			}
			require.True(t, len(l.Bills) == 0 || settled == amount, "the orders of %s sum to %d", e.ID, settled)
			if sums[l.Name] == nil {
				sums[l.Name] = map[string]int{}
			}
			sums[l.Name][e.Date[:6]] += amount
		}
		require.Zero(t, left, e.ID)
	}
	return read.Entries, sums
}

func total(byMonth map[string]int) (sum int) {
	for _, n := range byMonth {
		sum += n
	}
	return sum
}

var shortUTR = regexp.MustCompile(`,U(\d+)-(\d),`)

// withUTRs is a request whose UTRs are as long as those of banks, and of one courier each.
func withUTRs(m Month) ports.Request {
	req := request(m)
	for i := range req.Reports {
		text := shortUTR.ReplaceAllString(m.Report(i), ",UTRN26${1}0000$2,")
		req.Reports[i].Courier = []byte(strings.ReplaceAll(text, ",Z,", fmt.Sprintf(",UTRN2699990%d,", i)))
	}
	return req
}

// lineOf is a line of a report as a plain program reads it: amounts in paise.
type lineOf struct {
	awb, utr, on     string
	collected, paid  int
	deducted         int // what charges of the line may explain
	statesBothAmount bool
}

func linesOf(t testing.TB, report string) (lines []lineOf) {
	t.Helper()
	amount := func(s string) int {
		p, reading := domain.ReadPaise([]byte(s))
		require.Equal(t, domain.Given, reading)
		return int(p)
	}
	rows := strings.Split(strings.TrimSpace(report), "\n")
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		l := lineOf{awb: cells[0], collected: amount(cells[2]), paid: amount(cells[2]), on: cells[3], utr: cells[4]}
		if !strings.Contains(rows[0], "INR),Remittance Date") { // with what was paid out
			l.paid, l.on, l.utr, l.statesBothAmount = amount(cells[3]), cells[4], cells[5], true
		}
		if l.utr != "" {
			lines = append(lines, l)
		}
	}
	countOnce(lines)
	return lines
}

// countOnce leaves of each parcel what was collected once, of the parts in which it was paid that of the first, and takes it away
// where all that was paid is taken back. What is paid beyond the COD is a second payment.
func countOnce(lines []lineOf) {
	slices.SortStableFunc(lines, func(a, b lineOf) int {
		return cmp.Or(strings.Compare(a.on, b.on), b.paid-a.paid, strings.Compare(a.utr, b.utr))
	})
	type payment struct {
		paid, charges int
		gone          bool
		later         []lineOf // parts after the first
	}
	payments := map[string][]*payment{}
	for i := range lines {
		l := &lines[i]
		cod, of := l.collected, payments[l.awb]
		l.deducted = cod - l.paid
		if !l.statesBothAmount {
			continue
		}
		if l.paid < 0 {
			var back *payment
			for _, p := range of {
				if back == nil || p.paid == -l.paid && !p.gone && back.paid != -l.paid || back.gone && !p.gone {
					back = p
				}
			}
			switch {
			case back == nil: // paid before
				payments[l.awb] = []*payment{{gone: true}}
				l.collected = -cod
			case back.gone:
				l.collected, back.paid = 0, back.paid+l.paid
			default:
				l.collected = 0
				if back.paid += l.paid; back.paid <= 0 || -l.paid+100 >= cod {
					*back = payment{gone: true, later: back.later}
					l.collected = -cod
				}
			}
			l.deducted = l.collected - l.paid
			continue
		}
		at := slices.IndexFunc(of, func(p *payment) bool { return p.gone || p.paid+l.paid <= cod+100 })
		again := slices.IndexFunc(of, func(p *payment) bool {
			return slices.ContainsFunc(p.later, func(part lineOf) bool { return part.paid == l.paid })
		})
		if at < 0 && again >= 0 {
			part := slices.IndexFunc(of[again].later, func(part lineOf) bool { return part.paid == l.paid })
			l.collected, l.deducted = 0, of[again].later[part].deducted
			continue
		}
		if at < 0 {
			at = len(of)
			payments[l.awb] = append(of, &payment{gone: true})
		}
		p := payments[l.awb][at]
		first := p.gone
		if first {
			*p = payment{later: p.later}
		} else {
			l.collected = 0
		}
		p.paid += l.paid
		l.deducted = cod - p.paid - p.charges
		freight, tax := chargesOf(l.deducted)
		p.charges += freight + tax
		if !first {
			p.later = append(p.later, *l)
		}
	}
}

// chargesOf is what a line that states freight of ₹30 with a GST of ₹10 has of them in a difference.
func chargesOf(difference int) (freight, tax int) {
	sign := 1
	if difference < 0 {
		sign, difference = -1, -difference
	}
	near := func(sum int) bool { return difference >= sum-100 && difference <= sum+100 }
	switch {
	case difference >= 39_00:
		return sign * 30_00, sign * 10_00
	case near(30_00):
		return sign * 30_00, 0
	case near(10_00):
		return 0, sign * 10_00
	}
	return 0, 0
}

// TestTheBooksOfAQuarter posts the vouchers of a quarter of three couriers by a program of its own, and compares what
// it comes to with the reports and the bank statement as they stand there.
func TestTheBooksOfAQuarter(t *testing.T) {
	chance := rand.New(rand.NewPCG(27, 2))
	const bank, open = "Bank Account", "Courier receivable, not yet credited"
	kinds := map[string]int{}
	for range 20 {
		months, whole := Draw(chance)
		req := withUTRs(whole)
		statement := []string{"Date,Narration,Debit,Credit"}
		paid, collected, inBank := map[string]int{}, map[string]int{}, map[string]int{}
		want := map[string]map[string]int{}
		for i, name := range []string{"Delhivery", "DTDC", "Shadowfax"} {
			want[name] = map[string]int{}
			for _, l := range linesOf(t, string(req.Reports[i].Courier)) {
				paid[name], collected[name] = paid[name]+l.paid, collected[name]+l.collected
				if i == 1 {
					freight, tax := chargesOf(l.deducted)
					want[name]["freight"] += freight
					want[name]["GST"] += tax
				}
				if l.paid > 0 && chance.IntN(3) > 0 {
					on := l.on[:8] + "28"
					if chance.IntN(3) == 0 {
						on = "2026-04-15"
					}
					credited := l.paid - chance.IntN(2)
					inBank[strings.ReplaceAll(on[:7], "-", "")] += credited
					statement = append(statement, fmt.Sprintf("%s,NEFT %s,,%d.%02d", on, l.utr, credited/100, credited%100))
				}
			}
		}
		if len(statement) > 1 { // it begins before the first payout, or some vouchers are left out
			statement = append(statement, "2025-12-01,OPENED,,1.00")
		}
		slices.Sort(statement[1:])
		text := []byte(strings.Join(statement, "\n") + "\n")
		if len(statement) > 1 {
			req.Statement = slices.Clone(text)
		}
		r := reconciling()
		written := func(req ports.Request, byOrder bool) []byte {
			run := reconcile(t, r, req)
			run.Books.ByOrder = byOrder
			return files(t, run, domain.FormatTally)["milaan-tally.xml"]
		}
		document := written(req, false)
		entries, sums := post(t, document)
		maps.DeleteFunc(sums[bank], func(_ string, sum int) bool { return sum == 0 })
		maps.DeleteFunc(inBank, func(_ string, sum int) bool { return sum == 0 })
		if len(inBank) > 0 || len(sums[bank]) > 0 {
			require.Equal(t, inBank, sums[bank], "the bank has each month what its statement shows")
		}
		allPaid, unexplained := 0, 0
		for name := range paid {
			allPaid += paid[name]
			unexplained += collected[name] - paid[name]
			require.Equal(t, -collected[name], total(sums[name+" COD receivable"]), name)
		}
		require.Equal(t, allPaid, total(sums[bank])+total(sums[open]))
		require.Equal(t, want["DTDC"]["freight"], total(sums["Courier freight"]))
		require.Equal(t, want["DTDC"]["GST"], total(sums["GST on courier charges"]))
		require.Equal(t, unexplained-want["DTDC"]["freight"]-want["DTDC"]["GST"], total(sums["Courier differences, unexplained"]))

		again := withUTRs(whole)
		if req.Statement != nil {
			again.Statement = text
		}
		require.Equal(t, string(document), string(written(again, false)), "the same quarter has the same vouchers")
		require.Len(t, slices.CompactFunc(slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return strings.Compare(a.ID, b.ID) }),
			func(a, b entry) bool { return a.ID == b.ID }), len(entries))

		ids := map[string]string{}
		for _, e := range entries {
			kinds[e.Kind]++
			if e.Kind != "Contra" {
				ids[e.Reference] = e.ID
			}
		}
		for _, m := range months {
			ofMonth, _ := post(t, written(withUTRs(m), true))
			for _, e := range ofMonth {
				require.Equal(t, ids[e.Reference], e.ID, "month by month a payout has the id that it has in the quarter")
			}
		}
	}
	require.ElementsMatch(t, []string{"Receipt", "Payment", "Contra"}, slices.Collect(maps.Keys(kinds)))
}
