package pdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/wording"
	"milaan/domain"
)

// letterOf is a letter with the given number of disputes of each flag that is ever flagged.
func letterOf(n int) *pdf.Letter {
	l := &pdf.Letter{
		Branding: domain.Branding{Name: "श्री राधाकृष्ण स्टोर", Footer: "12 Gandhi Marg, Jaipur"},
		Courier:  "Shiprocket", On: march(31), Reference: "0199c0de-7e57",
	}
	for i := range n {
		for _, f := range domain.Flags() {
			c := pdf.Dispute{AWB: fmt.Sprintf("14908%d%05d", f, i), OrderID: fmt.Sprintf("#%d-%d", f, i), OrderedOn: march(1 + i%20),
				Due: 1299_00, Asked: 1299_00, DaysOverdue: 12, Flag: f, Reason: "Not remitted: ₹1,299 due by 2026-03-08"}
			switch f {
			case domain.Reconciled, domain.AwaitingNextCycle:
				continue
			case domain.ShortPaid, domain.MinorDiff:
				c.Remitted, c.Asked, c.DaysOverdue, c.DeliveredOn, c.UTR = 1199_50, 99_50, 0, march(9), "UTIBR62026031500012345"
			case domain.Overpaid:
				c.Remitted, c.Asked, c.DaysOverdue = 1300_00, -1_00, 0
			}
			c.Line = fmt.Sprintf("AWB %s, order %s: ordered %v, delivered %v; COD %v, remitted %v, shortfall %v; UTR %s. %s", c.AWB, c.OrderID, wording.Day(c.OrderedOn), wording.Day(c.DeliveredOn), c.Due, c.Remitted, c.Asked, c.UTR, c.Reason)
			l.Disputes = append(l.Disputes, c)
		}
	}
	return l
}

func writtenLetter(t testing.TB, l *pdf.Letter) []byte {
	var b bytes.Buffer
	require.NoError(t, pdf.WriteLetter(&b, l))
	return b.Bytes()
}

// letterSays is what both forms of a letter of two disputes of each flag say.
var letterSays = []string{
	"श्री राधाकृष्ण स्टोर", "31 Mar 2026", "To The COD remittance desk Shiprocket",
	"Subject: COD remittances of 12 orders, ₹8,192.00 outstanding", "Our reference: 0199c0de-7e57", "Dear Sir or Madam,",
	"our cash-on-delivery orders of 1 Mar 2026 to 2 Mar 2026", "By our books ₹8,192.00 of their COD is outstanding, and ₹2.00 was paid too much.",
	"Missing: 2 orders, ₹2,598.00", "Your reports have no remittance for these orders, and the time for it is over. Please remit these amounts at once",
	"Short paid: 2 orders, ₹199.00", "Please remit the difference, or tell us what was deducted and why.",
	"Overdue: 2 orders, ₹2,598.00", "by our books nothing is paid for them. Please tell us in which cycle these amounts will be remitted",
	"Returned, cash kept: 2 orders, ₹2,598.00", "Please have your fraud team examine these parcels, and send us the proof of delivery of each.",
	"Small difference: 2 orders, ₹199.00", "for your information", "Overpaid: 2 orders, ₹2.00 too much", "how you will offset",
	"14908100001", "#1-1", "2 Mar 2026", "9 Mar 2026", "₹1,199.50", "₹99.50", "UTIBR62026031500012345", "Not remitted: ₹1,299 due by 2026-03-08",
	"Please reply with the UTR and the date of each remittance", "Yours faithfully,", "For श्री राधाकृष्ण स्टोर", "12 Gandhi Marg, Jaipur",
}

// TestLetter holds what the covering letter has.
func TestLetter(t *testing.T) {
	p := read(t, writtenLetter(t, letterOf(2)))
	p.requireText(t, letterSays...)
	p.requireText(t, "AWB Order Ordered Delivered COD Remitted Shortfall Days UTR", "Orders 12", "COD ₹15,588.00", "Remitted ₹7,398.00", "Outstanding ₹8,192.00", "Paid too much ₹2.00")
	require.NotContains(t, p.text(), "Milaanमिलान")
	require.Equal(t, "श्री राधाकृष्ण स्टोर", textOf(p.Trailer().Key("Info").Key("Author")))
	require.Equal(t, writtenLetter(t, letterOf(2)), writtenLetter(t, letterOf(2)), "nothing is left to chance")
}

// TestLetterText holds that the plain letter says the same in lines that an e-mail keeps.
func TestLetterText(t *testing.T) {
	text := pdf.LetterText(letterOf(2))
	for _, want := range letterSays {
		require.Contains(t, squeezed(text), squeezed(want))
	}
	require.Contains(t, text, "\n1. AWB 14908100000, order #1-0: ordered 1 Mar 2026, delivered 9 Mar 2026;\n   COD ₹1,299, remitted ₹1,199.50, shortfall ₹99.50; UTR\n   UTIBR62026031500012345. Not remitted: ₹1,299 due by 2026-03-08\n")
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 77, line)
		require.NotRegexp(t, ` \n$`, line)
	}
}

// TestLetterWithoutFacts holds that a letter has gaps where nothing is known, and Milaan's
// look and no signature of a shop without branding.
func TestLetterWithoutFacts(t *testing.T) {
	l := &pdf.Letter{On: march(31), Disputes: []pdf.Dispute{{Flag: domain.Missing, Due: 100, Asked: 100, Line: "COD ₹1, shortfall ₹1."}}}
	p := read(t, writtenLetter(t, l))
	p.requireText(t, "Milaan मिलान", "COD remittances of 1 order, ₹1.00 outstanding", "Name and signature")
	require.NotContains(t, p.text(), "reference:")
	require.NotContains(t, p.text(), "toomuch")
	require.Contains(t, pdf.LetterText(l), "\n1. COD ₹1, shortfall ₹1.\n")
	require.Len(t, read(t, writtenLetter(t, &pdf.Letter{On: march(31)})).pages, 1)
}

// TestLongLetter holds that each dispute is listed once, below a header on each page.
func TestLongLetter(t *testing.T) {
	l := letterOf(60)
	p := read(t, writtenLetter(t, l))
	require.Greater(t, len(p.pages), 8)
	whole := p.text()
	for i := range l.Disputes {
		require.Equal(t, 1, strings.Count(whole, l.Disputes[i].AWB), l.Disputes[i].AWB)
	}
	for i, page := range p.pages[:len(p.pages)-1] {
		require.Contains(t, page.text, "AWBOrderOrderedDeliveredCODRemittedShortfallDaysUTR")
		require.Contains(t, page.text, fmt.Sprintf("%dof%d", i+1, len(p.pages)))
	}
}

// TestLetterErrors holds that a letter is refused with its logo, and returns what its writer
// returns.
func TestLetterErrors(t *testing.T) {
	l := letterOf(1)
	full := errors.New("disk is full")
	require.ErrorIs(t, pdf.WriteLetter(broken{full}, l), full)
	l.Branding.Logo = []byte("no picture")
	require.ErrorContains(t, pdf.WriteLetter(&bytes.Buffer{}, l), "pdf: the logo")
}

// TestSumsOfPartPrepaidOrders holds that a letter does not state the totals of orders as their COD if a part may have been prepaid.
func TestSumsOfPartPrepaidOrders(t *testing.T) {
	l := letterOf(2)
	l.Disputes[0].AtMost = true
	text := strings.Join(strings.Fields(pdf.LetterText(l)), " ")
	for _, says := range []string{"Subject: COD remittances of 12 orders, up to ₹8,192.00 outstanding", "By our books up to ₹8,192.00 of their COD is outstanding",
		"COD: up to ₹", "Outstanding: up to ₹8,192.00", ": 2 orders, up to ₹"} {
		require.Contains(t, text, says)
	}
	require.Equal(t, 5, strings.Count(text, "up to"), "the other kinds of disputes are certain")

	p := read(t, writtenLetter(t, l))
	p.requireText(t, "up to ₹1,299.00 ₹0.00 up to ₹1,299.00 12", "2 orders up to ₹2,598.00 ₹0.00 up to ₹2,598.00",
		"1 Mar 2026 ₹1,299.00 ₹0.00 ₹1,299.00 12")
}
