package pdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	reader "github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// TestDocument holds what the document of a run has: cover, totals, both charts, warnings,
// guidance, method, and the flagged orders with their sums, flag by flag.
func TestDocument(t *testing.T) {
	run := shop(3).run(t)
	p := read(t, written(t, run, domain.Branding{}))
	p.requireText(t, "Milaan मिलान", "COD reconciliation report", "orders of 1 Mar 2026 to 29 Mar 2026", "2 Apr 2026, 2:50 pm IST",
		"shiprocket", "0199c0de-7e57-7abc-8def-0123456789ab",
		"Due ₹20,376.00", "Remitted ₹9,883.50", "Awaiting ₹2,547.00", "Shortfall ₹7,945.50", "At risk ₹8,005.50",
		"24 orders against 19 lines. Due = Remitted + Awaiting + Shortfall; At risk = Shortfall + ₹60.00 overpaid.",
		"Missing 3 orders, ₹2,547.00", "Short paid 3 orders, ₹361.50", "Overdue 3 orders, ₹2,547.00", "Returned, cash kept 3 orders, ₹2,547.00",
		"Small difference 3 orders, ₹3.00", "Overpaid 3 orders, ₹60.00 too much", "Overpaid: 3 orders, ₹60.00 too much", "Not flagged: 3 orders settled and 3 orders waiting for payout.",
		"0–7 days 0 orders, ₹0.00", "8–14 days 0 orders, ₹0.00", "15–30 days 15 orders, ₹8,005.50", "over 30 days 0 orders, ₹0.00",
		"Warnings", "1 line of the report with ₹0.01 remitted belongs to no order",
		"as of 2026-03-29, the latest order date", "The report reaches to 2026-03-31; one that reaches to 2026-04-12",
		"How this was computed", "The courier has 7 days after delivery (Milaan's default)",
		"Missing: 3 orders, ₹2,547.00", "#10000C 3149080000000 1 Mar 2026 8 Mar 2026 ₹799.00 ₹0.00 ₹799.00 21", "Not remitted: ₹799 due by 2026-03-08",
		"Dispute the difference; most couriers pay it within 7 to 14 days.", "3 orders ₹2,547.00 ₹2,185.50 ₹361.50")
	whole := p.text()
	require.NotContains(t, whole, "#10000A", "reconciled orders are not listed")
	require.NotContains(t, whole, "#10000G", "nor are those that may still be paid in time")
	require.NotContains(t, whole, string('\ufffd'))
	for i, page := range p.pages {
		require.Contains(t, page.text, fmt.Sprintf("%dof%d", i+1, len(p.pages)))
		if i > 0 {
			require.Contains(t, page.text, squeezed("COD reconciliation report, 1 Mar 2026 to 29 Mar 2026"))
		}
	}
	require.Greater(t, p.pages[0].shapes, 15, "rules, tiles and bars")
	require.NotZero(t, p.pages[0].glyphs)
}

// TestPreview holds that a run that is stored nowhere, and so has no record, has a document
// with its own terms.
func TestPreview(t *testing.T) {
	run := shop(1).run(t)
	run.Run = domain.Run{}
	p := read(t, written(t, run, domain.Branding{}))
	p.requireText(t, "The courier has 7 days after delivery (Milaan's default) to remit", "A shortfall of at most ₹2 is a small difference")
	require.NotContains(t, p.text(), "Run0199")
}

// TestMetadata holds that viewers learn title, author, dates and language.
func TestMetadata(t *testing.T) {
	p := read(t, written(t, shop(1).run(t), domain.Branding{Name: "राधा & Sons 🙂"}))
	info := p.Trailer().Key("Info")
	require.Equal(t, "COD reconciliation report, 1 Mar 2026 to 29 Mar 2026, राधा & Sons 🙂", textOf(info.Key("Title")))
	require.Equal(t, "राधा & Sons 🙂", textOf(info.Key("Author")))
	require.Equal(t, "Milaan", info.Key("Creator").RawString())
	require.Equal(t, "D:20260402145000", info.Key("CreationDate").RawString())
	require.Equal(t, "D:20260402145000", info.Key("ModDate").RawString())
	require.Equal(t, "en-IN", p.Trailer().Key("Root").Key("Lang").RawString())
}

// TestAtOnce holds that documents may be written at the same time.
func TestAtOnce(t *testing.T) {
	run := shop(2).run(t)
	b := domain.Branding{Name: "Café Ñandú ā " + hindi}
	want := written(t, run, b)
	got := make([][]byte, 4)
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() {
			l := letterOf(1)
			l.Branding = b
			writtenLetter(t, l)
			got[i] = written(t, shop(2).run(t), b)
		})
	}
	group.Wait()
	for i := range got {
		require.True(t, bytes.Equal(want, got[i]))
	}
}

// textOf is a text of the metadata, without the mark of its encoding.
func textOf(v reader.Value) string { return strings.TrimPrefix(v.TextFromUTF16(), "\ufeff") }

// TestSameRunSameFile holds that nothing in a document is left to chance.
func TestSameRunSameFile(t *testing.T) {
	run := shop(4).run(t)
	b := domain.Branding{Name: "श्री राधाकृष्ण " + hindi, Logo: logo(t, 60, 40)}
	first := written(t, run, b)
	for range 4 {
		require.True(t, bytes.Equal(first, written(t, run, b)))
	}
}

// hindi has many glyphs, so that their order in the file would show.
const hindi = "क्ष ज्ञ त्र श्र द्ध ट्ट ह्म"

// TestSeveralReports holds that the totals of each report tie out on the page, and their sums.
func TestSeveralReports(t *testing.T) {
	sum := func(lines int, remitted domain.Paise) verdict.LineSum {
		return verdict.LineSum{Lines: lines, Remitted: remitted}
	}
	file, err := pdf.ControlTotals([]verdict.ReportTotals{
		{Report: 1, Courier: "delhivery", Rows: 1240, Through: march(20), Read: sum(1240, 12_34_567_50), Matched: sum(1200, 12_00_000_00), Unclaimed: sum(30, 30_000_00), Repeated: sum(5, 3_000_50), Corrected: sum(4, 1_000_00), Unidentified: sum(1, 567_00)},
		{Report: 2, Courier: "xpressbees", Rows: 20, Read: sum(20, 20_000_00), Matched: sum(20, 20_000_00)},
	})
	require.NoError(t, err)
	p := read(t, file)
	p.requireText(t, "Report Courier Lines Remitted Matched Unclaimed Listed twice Corrected Unidentified Reaches to",
		"1 delhivery 1,240 ₹12,34,567.50 ₹12,00,000.00 ₹30,000.00 ₹3,000.50 ₹1,000.00 ₹567.00 20 Mar 2026",
		"2 xpressbees 20 ₹20,000.00 ₹20,000.00 ₹0.00 ₹0.00 ₹0.00 ₹0.00",
		"All 1,260 ₹12,54,567.50 ₹12,20,000.00 ₹30,000.00 ₹3,000.50 ₹1,000.00 ₹567.00")

	file = only.Value(pdf.ControlTotals([]verdict.ReportTotals{
		{Report: 1, Courier: "delhivery", Through: march(20), Read: sum(2, 12_34_567_50), Matched: sum(2, 12_34_567_50), Charges: 12_34_567_80},
		{Report: 2, Courier: "xpressbees", Read: sum(1, 20_00), Matched: sum(1, 20_00), Charges: 20},
	}))(t)
	p = read(t, file)
	p.requireText(t, "Listed twice Corrected Unidentified Charges Reaches to", "1 delhivery 2 ₹12,34,567.50 ₹12,34,567.50 ₹0.00 ₹0.00 ₹0.00 ₹0.00 ₹12,34,567.80 20 Mar 2026",
		"All 3 ₹12,34,587.50 ₹12,34,587.50 ₹0.00 ₹0.00 ₹0.00 ₹0.00 ₹12,34,568.00")
}

// TestAcceptedCharges holds that the totals of a run in which charges count as paid add up.
func TestAcceptedCharges(t *testing.T) {
	f := newFiles()
	f.order("#1", "14908000000001", 1000_00, march(1))
	f.order("#2", "14908000000002", 500_00, march(1))
	f.lines.Begin("delhivery")
	for i, paid := range []domain.Paise{929_20, 450_00} {
		of := f.orders.At(i)
		f.lines.Add(verdict.Remittance{AWB: fmt.Append(nil, 14908000000001+i), Listed: of.Total, Stated: paid, HasRemitted: true,
			Collected: of.Total, Remitted: paid, RemittedOn: march(9)})
		f.lines.AddCharge(0, 70_80)
	}
	f.lines.SetCharges([]string{"Freight"})
	f.lines.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
	f.terms.AcceptCharges = true
	p := read(t, written(t, f.run(t), domain.Branding{}))
	p.requireText(t, "Due ₹1,500.00", "Remitted ₹1,379.20", "Shortfall ₹50.00", "Accepted charges ₹70.80", "At risk ₹50.00",
		"Due = Remitted + Awaiting + Shortfall + Accepted charges.", "Charges that a report states and that explain what was deducted")
}

// TestHeadingsStayWithTheirTexts holds that no heading is the last thing on a page.
func TestHeadingsStayWithTheirTexts(t *testing.T) {
	text := "First " + strings.Repeat("word after word ", 40)
	for left := 20.0; left < 120; left += 9 {
		file := only.Value(pdf.Section(left, "Heading", text))(t)
		for _, page := range read(t, file).pages {
			require.Equal(t, strings.Contains(page.text, "Heading"), strings.Contains(page.text, "First"), "%v points are left", left)
		}
	}
}

// TestNothingFlagged holds that the document of a run without findings says so.
func TestNothingFlagged(t *testing.T) {
	f := newFiles()
	f.order("#1", "9", 100, march(1))
	f.lines.Begin("delhivery")
	f.line("9", 100, 100, march(20))
	f.lines.Begin("xpressbees")
	p := read(t, written(t, f.run(t), domain.Branding{}))
	require.Len(t, p.pages, 1)
	p.requireText(t, "No order is flagged.", "No order is flagged: every order is reconciled or may still be paid in time.",
		"Not flagged: 1 order settled and 0 orders waiting for payout.", "1 order against 1 line in 2 reports.", "How far the reports reach is not known, for report 2 (xpressbees) has no date.")
}

// TestManyFlagged holds that every flagged order is listed once, below a header on each page.
func TestManyFlagged(t *testing.T) {
	p := read(t, written(t, shop(60).run(t), domain.Branding{}))
	require.Greater(t, len(p.pages), 10)
	whole := p.text()
	for i := range 60 {
		for _, flag := range "234568" {
			awb := fmt.Sprintf("%c%d", flag, 14908_0000_000+i)
			require.Equal(t, 1, strings.Count(whole, awb), awb)
		}
	}
	for _, page := range p.pages[1:] {
		require.Contains(t, page.text, "OrderAWBOrderedDuebyCODRemittedShortfallDays")
	}
	require.Contains(t, whole, "Shortpaid(continued)")
}

// TestBranding holds that a document is marked as the account's own, and as nobody else's.
func TestBranding(t *testing.T) {
	p := read(t, written(t, shop(1).run(t), domain.Branding{
		Name: "Asha Handlooms", Logo: logo(t, 640, 320), Colour: domain.Colour{0xb4, 0x23, 0x18}, Footer: "12 Gandhi Marg, Jaipur"}))
	p.requireText(t, "Asha Handlooms", "12 Gandhi Marg, Jaipur")
	require.NotContains(t, p.text(), "Milaanमिलान")
	require.NotContains(t, p.text(), "MadewithMilaan")
	require.Contains(t, string(p.file), "/Subtype /Image")

	p = read(t, written(t, shop(1).run(t), domain.Branding{}))
	require.NotContains(t, string(p.file), "/Subtype /Image")
	p.requireText(t, "Made with Milaan, which reconciles cash on delivery.")
}

// logo is a picture with a transparent part.
func logo(t testing.TB, width, height int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), 120, uint8(255 * (x / (width / 2)))})
		}
	}
	return encoded(t, m)
}

func encoded(t testing.TB, m image.Image) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// TestLogos holds that every kind of PNG is drawn, and that what is none is refused before
// a file is created.
func TestLogos(t *testing.T) {
	run := shop(1).run(t)
	box := image.Rect(0, 0, 20, 10)
	for name, m := range map[string]image.Image{
		"16 bits": image.NewNRGBA64(box), "grey": image.NewGray(box), "palette": image.NewPaletted(box, color.Palette{color.Black, color.Transparent}),
		"large": image.NewNRGBA(image.Rect(0, 0, 1500, 400)), "thin": image.NewGray(image.Rect(0, 0, 1, 2000)), "flat": image.NewGray(image.Rect(0, 0, 2000, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, written(t, run, domain.Branding{Logo: encoded(t, m)}))
			require.Contains(t, string(p.file), "/Subtype /Image")
		})
	}
	for _, bad := range [][]byte{[]byte("GIF89a"), logo(t, 20, 20)[:60]} {
		err := pdf.Reporter{Clock: func() time.Time { return made }, Words: wording.New()}.Write(func(string) (io.Writer, error) {
			require.Fail(t, "created")
			return nil, nil
		}, run, domain.Branding{Logo: bad})
		require.ErrorContains(t, err, "pdf: the logo")
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// TestErrorsAreReturned holds that Write returns what creating and writing return.
func TestErrorsAreReturned(t *testing.T) {
	run, full := shop(1).run(t), errors.New("disk is full")
	reporter := pdf.Reporter{Clock: func() time.Time { return made }, Words: wording.New()}
	require.ErrorIs(t, reporter.Write(func(string) (io.Writer, error) { return nil, full }, run, domain.Branding{}), full)
	require.ErrorIs(t, reporter.Write(func(string) (io.Writer, error) { return broken{full}, nil }, run, domain.Branding{}), full)
}
