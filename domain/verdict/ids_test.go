package verdict_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
	"milaan/domain/verdict"
)

// sameOrder says whether Orders takes two spellings for the same order.
func sameOrder(a, b string) bool {
	var orders verdict.Orders
	orders.Reset()
	orders.FindOrAdd([]byte(a))
	_, isNew := orders.FindOrAdd([]byte(b))
	return !isNew
}

func TestOrderIDsMatchHoweverTheyAreWritten(t *testing.T) {
	for name, spellings := range map[string][]string{
		"#1001": {"1001", " #1001 ", "# 1001", "'#1001", "'1001", `="#1001"`, `="1001"`, "1001.0", "#1001.0", `="1001.0"`, "'1001.0",
			"\u00a0#1001\u00a0", "#\u00a01001", "10\u00a001", "#10\u202f01", "\ufeff#1001", " '#1001", "\t1001\r",
			"1001.00", "#1001.00", "1,001", "#1,001", "1,001.00", "1,001.0", `="1,001"`, " 1,001.00 "},
		"#1234567":       {"1,234,567", "12,34,567", "12,34,567.00", "1234567.00"},
		"#SDA-1001-2026": {"sda-1001-2026", "SDA-1001-2026", "#Sda-1001-2026", "'#sda-1001-2026", `="#SDA-1001-2026"`},
		"1001ORD":        {"#1001ord", "1001Ord", "1001ORD.0"},
		"#ÉTÉ-7":         {"été-7", "#Été-7"},
	} {
		for _, spelling := range spellings {
			require.True(t, sameOrder(name, spelling), "%q and %q", name, spelling)
			require.True(t, sameOrder(spelling, name), "%q and %q", spelling, name)
		}
	}
}

func TestOrderIDsThatDifferDoNotMatch(t *testing.T) {
	for _, pair := range [][2]string{
		{"#1001", "#1002"}, {"#1001", "#10010"}, {"#1001", "#01001"}, {"#1001", "##1001"}, {"#1001", "1001.000"}, {"#1001", "1001.01"}, {"#1001", "1001.5"}, {"#1001", "10,01"}, {"#1001", "1,001,"}, {"#1001", ",1001"}, {"#1001", "1, 001"},
		{"#1001", "1,001.01"}, {"1001ORD", "1001ORD.00"}, {"#1001", "1.001"}, {"#0001", "0,001"}, {"1234567", "123,4567"}, {"1234567", "1,23,4567"},
		{"1234567", "1,23,456,7"}, {"1234567", "123,45,67"}, {"12345678", "123,45,678"}, {"A1001", "A1,001"}, {"1001,1002", "10011002"}, {"#10010", "1001.0"},
		{"#1001", "#1001-C"}, {"#1001", "SDA-1001"}, {"#10 01", "#1001"}, {"1001", "1001#"}, {"10.0", "100"}, {"#1001", "#१००१"},
	} {
		require.False(t, sameOrder(pair[0], pair[1]), "%q and %q", pair[0], pair[1])
	}
}

func TestCellsWithoutAnID(t *testing.T) {
	for _, cell := range []string{"", " ", "\u00a0", "#", "'", `=""`, "-", "--", "-----", "====", "____", "****", "....", "-=-", " -- ",
		"Total", "TOTAL", "total", "Grand Total", "grand total:", "Sub-total", "Subtotal", "Sub Total", " Total ", "'Total",
		"Grand Total :", "UTR Total", "Total:", "TOTAL AMOUNT", "Total for courier", "** Total **", "Sub_Total", "GrandTotal", "#Total", "Totals"} {
		require.Empty(t, string(verdict.OrderKey([]byte(cell))), "order id %q", cell)
		if cell != "#" {
			key, reliable := verdict.AWBKey([]byte(cell))
			require.Empty(t, string(key), "AWB %q", cell)
			require.True(t, reliable, "AWB %q", cell)
		}
	}
	for _, cell := range []string{"Total1001", "#1001 Total", "Totally-1", "Subtotal-7", "T", "0"} {
		require.NotEmpty(t, verdict.OrderKey([]byte(cell)), "order id %q", cell)
	}
}

// TestTheWordTotal: this word makes a line a footer, whatever else the id cell has;
// a part of a longer word does not.
func TestTheWordTotal(t *testing.T) {
	for _, cell := range []string{"Total", "total", "TOTAL", "Grand Total", "Grand Total :", "UTR Total", "Total for U2", "Total: 12", "12 total", "#1001 Total", "utr_total", "Total-7",
		"'Total", `="Total"`, "Total\u00a0", "Totals", "Sub-total", "Subtotal", "subtotals:", "GrandTotal", "कुल Total", "कुल", "कुल राशि", "कुल: 12", "12 (कुल)", "'कुल"} {
		require.True(t, verdict.IsTotal([]byte(cell)), "%q", cell)
	}
	for _, cell := range []string{"", " ", "-", "Total1001", "1001Total", "Totally-1", "Subtotal-7", "Totals-7", "tota l", "T", "0", "Tot", "teetotal", "#1001", "कुलदीप", "बिलकुल", "कु"} {
		require.False(t, verdict.IsTotal([]byte(cell)), "%q", cell)
	}
}

func TestNotesHaveNoDigit(t *testing.T) {
	for _, cell := range []string{"1", "#1001", "A1", "note 7", "२", "आदेश २"} {
		require.True(t, verdict.HasDigit([]byte(cell)), "%q", cell)
	}
	for _, cell := range []string{"", " ", "-", "note", "Remitted by NEFT", "आदेश", "½"} {
		require.False(t, verdict.HasDigit([]byte(cell)), "%q", cell)
	}
}

func TestAWBsAreReducedToTheirNumber(t *testing.T) {
	for want, cells := range map[string][]string{
		"1904076086893": {"1904076086893", " 1904076086893\t", "'1904076086893", `="1904076086893"`, "1904076086893.0", "'1904076086893.0",
			"\u00a01904076086893", "1904\u00a0076\u00a0086893", "1904\u202f076086893", "\ufeff1904076086893",
			"1.904076086893E+12", "1.904076086893e+12", "1.904076086893E12", "'1.904076086893E+12", `="1.904076086893E+12"`, " 1.904076086893E+12 "},
		"14902603000001":    {"14902603000001.00", "14,902,603,000,001", "1,49,02,60,30,00,001", "14,902,603,000,001.00", "'1,49,02,60,30,00,001.0", " 14,902,603,000,001\t"},
		"718123456":         {"718,123,456", "71,81,23,456"},
		"101,102":           {"101,102"}, // two of three digits, or a number
		"101102,103104":     {"101102,103104"},
		"14902603000001.01": {"14902603000001.01"},
		"123456789":         {"123456789", "0123456789", "'0123456789", `="0123456789"`, "000123456789.0", "0000123456789"}, // spreadsheets drop zeros
		"0123A":             {"0123A", "'0123A"},
		"0012-34":           {"0012-34"},
		"":                  {"0", "000", "'000", "0.0"},
		"#123":              {"#123", "'#123", "#123.0"}, // only order ids drop a #
		"SF1234567890IN":    {"SF1234567890IN", `="SF1234567890IN"`},
		"77E12":             {"77E12", "77E12.0"}, // letters and digits, and no number of a spreadsheet's
		"14-DIGITS":         {"14-DIGITS"},
		"190408":            {"1.90408E+5", "1.90408E+05"},
	} {
		for _, cell := range cells {
			key, reliable := verdict.AWBKey([]byte(cell))
			require.True(t, reliable, "%q", cell)
			require.Equal(t, want, string(key), "%q", cell)
		}
	}
}

func TestRoundedAWBsNameNoParcel(t *testing.T) {
	for _, cell := range []string{"1.90408E+12", "1.90408e+12", "1.90408E12", "'1.90408E+12", `="1.90408E+12"`, " 1.90408E+12", "\u00a01.90408E+12",
		"1.9E+12", "2E+12", "1.90407608689E+12", "1.9040760868E+13", "1.00000E+14", "1,90408E+12", "1.49026E+13", "1.904076086893E+13"} {
		key, reliable := verdict.AWBKey([]byte(cell))
		require.False(t, reliable, "%q gives %q", cell, key)
		require.Empty(t, key, "%q", cell)
	}
}

// trackingNumbers lists the tracking numbers of a storefront cell, with a ? for
// each that is not reliable.
func trackingNumbers(cell string) []string {
	var all []string
	verdict.EachAWB([]byte(cell), func(key []byte, reliable bool) bool {
		if !reliable {
			key = []byte("?")
		}
		all = append(all, string(key))
		return true
	})
	return all
}

func TestACellMayHoldSeveralAWBs(t *testing.T) {
	for cell, want := range map[string][]string{
		"":                           nil,
		" ":                          nil,
		"-":                          nil,
		"----":                       nil,
		",;|":                        nil,
		"1904076086893":              {"1904076086893"},
		"'1904076086893":             {"1904076086893"},
		`="1904076086893"`:           {"1904076086893"},
		`="190407",="190408"`:        {"190407", "190408"},
		"1904\u00a007, \u00a0190408": {"190407", "190408"},
		"190407,190408":              {"190407", "190408"},
		"101,102":                    {"101", "102"},
		"14,902,603,000,001":         {"14902603000001"},
		"1,49,02,60,30,00,001":       {"14902603000001"},
		`="14,902,603,000,001.00"`:   {"14902603000001"},
		"1904.00, 1905.00":           {"1904", "1905"},
		"101,102, 103":               {"101", "102", "103"},
		"101,102,1030":               {"101", "102", "1030"},
		"1010,102,103":               {"1010", "102", "103"},
		"10,11,12":                   {"10", "11", "12"},
		"123,45,678":                 {"123", "45", "678"},
		"190407, 190408":             {"190407", "190408"},
		"190407;190408":              {"190407", "190408"},
		"190407 | 190408":            {"190407", "190408"},
		"190407 190408\t190409":      {"190407", "190408", "190409"},
		"190407\n190408":             {"190407", "190408"},
		" ,190407,, 190408; ":        {"190407", "190408"},
		"190407.0, SF12":             {"190407", "SF12"},
		"'190407, '190408":           {"190407", "190408"},
		`="190407, 190408"`:          {"190407", "190408"},
		"1.90408E+12":                {"?"},
		"1.90408E+12, 190408":        {"?", "190408"},
		"1.904076086893E+12;190408":  {"1904076086893", "190408"},
		"SF12IN":                     {"SF12IN"},
		"12-34":                      {"12-34"},
	} {
		require.Equal(t, want, trackingNumbers(cell), "%q", cell)
	}
}

// drawID draws an id as shops and couriers write them.
func drawID(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`[1-9][0-9]{3,13}`),
		rapid.StringMatching(`[A-Z]{2,4}-[0-9]{1,8}(-[0-9]{4})?`),
		rapid.StringMatching(`[A-Z]{2}[0-9]{6,10}[A-Z]{2}`),
		rapid.StringMatching(`[0-9]{3,8}ORD`),
	).Draw(t, "id")
}

// inThousands and inLakhs write a number of at least seven digits as spreadsheets show it.
func inThousands(number string) string { return grouped(number, 3) }

func inLakhs(number string) string { return grouped(number, 2) }

func grouped(number string, size int) string {
	if len(number) < len("1234567") {
		return number
	}
	text := number[len(number)-3:]
	for number = number[:len(number)-3]; len(number) > size; number = number[:len(number)-size] {
		text = number[len(number)-size:] + "," + text
	}
	return number + "," + text
}

// drawDressed draws one of the forms in which an id gets into a file: perhaps
// changed by a float, then perhaps in a wrapper, then with blanks around it.
func drawDressed(t *rapid.T, id string) string {
	if at := rapid.IntRange(0, len(id)).Draw(t, "no-break space at"); rapid.Bool().Draw(t, "no-break space") {
		id = id[:at] + "\u00a0" + id[at:]
	}
	if strings.Trim(id, "0123456789") == "" {
		id = rapid.SampledFrom([]func(string) string{strings.Clone, inThousands, inLakhs}).Draw(t, "groups")(id)
		id += rapid.SampledFrom([]string{"", ".00"}).Draw(t, "decimals")
	}
	id += rapid.SampledFrom([]string{"", ".0"}).Draw(t, "float")
	id = strings.Replace(rapid.SampledFrom([]string{"%", "'%", `="%"`}).Draw(t, "wrapper"), "%", id, 1)
	blank := rapid.SampledFrom([]string{"", " ", "\t", "\u00a0", "\u202f", "\ufeff"})
	return blank.Draw(t, "before") + id + blank.Draw(t, "after")
}

func TestDressedIDsAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t)
		for _, name := range []string{id, "#" + id, strings.ToLower(id)} {
			cell := drawDressed(t, name)
			if !sameOrder(cell, id) {
				t.Fatalf("%q is not order %q but %q", cell, id, verdict.OrderKey([]byte(cell)))
			}
			key := verdict.OrderKey([]byte(cell))
			if again := verdict.OrderKey(key); !bytes.Equal(again, key) {
				t.Fatalf("%q is reduced to %q, and that to %q", cell, key, again)
			}
		}
		cell := drawDressed(t, id)
		key, reliable := verdict.AWBKey([]byte(cell))
		if !reliable || string(key) != id {
			t.Fatalf("%q gives AWB %q (reliable %t), not %q", cell, key, reliable, id)
		}
		if again, reliable := verdict.AWBKey(key); !reliable || !bytes.Equal(again, key) {
			t.Fatalf("%q is reduced to %q, and that to %q", cell, key, again)
		}
	})
}

func TestExponentsAreRestoredOrNotTrusted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{5,14}`).Draw(t, "AWB")
		exponent := rapid.SampledFrom([]string{"E+", "e+", "E"}).Draw(t, "exponent") + strconv.Itoa(len(digits)-1)
		kept := rapid.IntRange(1, len(digits)-1).Draw(t, "decimals")
		cell := drawBlanks(t, digits[:1]+"."+digits[1:1+kept]+exponent)
		key, reliable := verdict.AWBKey([]byte(cell))
		switch whole := kept == len(digits)-1; {
		case whole && (!reliable || string(key) != digits):
			t.Fatalf("%q gives %q (reliable %t), not %q", cell, key, reliable, digits)
		case !whole && (reliable || len(key) > 0):
			t.Fatalf("%q has been rounded, and gives %q", cell, key)
		}
	})
}

func drawBlanks(t *rapid.T, s string) string {
	return rapid.SampledFrom([]string{"", " ", "'", "\u00a0"}).Draw(t, "before") + s + rapid.SampledFrom([]string{"", " ", "\u00a0"}).Draw(t, "after")
}

func TestEachAWBFindsEveryOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		cell := ""
		for i := range rapid.IntRange(1, 5).Draw(t, "how many") {
			if i > 0 {
				cell += rapid.SampledFrom([]string{",", ", ", ";", " ; ", "|", " | ", " ", "\n"}).Draw(t, "separator")
			}
			want = append(want, drawID(t))
			cell += want[i]
		}
		require.Equal(t, want, trackingNumbers(cell), "%q", cell)
	})
}

func FuzzIDs(f *testing.F) {
	for _, seed := range []string{"#1001", "1001.0", "'#1001", `="SDA-1"`, "1.90408E+12", "1.904076086893E+12", "190407, 190408", "Grand Total", "----", "\u00a0#10\u00a001"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, cell []byte) {
		before := bytes.Clone(cell)
		order := bytes.Clone(verdict.OrderKey(cell))
		awb, reliable := verdict.AWBKey(cell)
		awb = bytes.Clone(awb)
		require.True(t, reliable || len(awb) == 0, "an unreliable number that names %q", awb)
		verdict.EachAWB(cell, func(key []byte, reliable bool) bool {
			require.NotEmpty(t, key)
			return true
		})
		require.Equal(t, before, cell, "the cell was altered")
		for _, dressed := range dressings(cell) {
			require.Equal(t, string(order), string(verdict.OrderKey(dressed)), "%q", dressed)
			again, trusted := verdict.AWBKey(dressed)
			require.Equal(t, reliable, trusted, "%q", dressed)
			require.Equal(t, string(awb), string(again), "%q", dressed)
		}
		// Reducing it again and again ends, and each step only removes bytes.
		for key := order; ; {
			next := verdict.OrderKey(key)
			if len(next) == len(key) {
				require.Equal(t, string(key), string(next))
				break
			}
			require.Less(t, len(next), len(key))
			key = next
		}
	})
}

// An export may have the links by which customers track their parcels.
func TestTrackingLinks(t *testing.T) {
	for cell, want := range map[string][]string{
		"https://www.delhivery.com/track/package/14902602000001":    {"14902602000001"},
		"https://shiprocket.co/tracking/19041234?utm=3":             {"19041234"},
		"http://track.example/p/0014902/":                           {"14902"},
		"https://track.example/find?lang=en&awb=SF260200001SMP&x=7": {"SF260200001SMP"},
		"https://track.example/?no=77":                              {"77"},
		"https://track1.example/track#77":                           nil,
		"https://track.example":                                     nil,
		"WWW.track.example/77, 88":                                  {"77", "88"},
		"https://a.example/track/77|https://a.example/track/78 A79": {"77", "78", "A79"},
		"https://a.example/track/1.90408E+12":                       {"?"},
		`="https://a.example/track/77"`:                             {"77"},
		"www":                                                       {"www"},
	} {
		require.Equal(t, want, trackingNumbers(cell), cell)
	}
}

// dressings are the ways in which spreadsheets and people pad a cell without
// meaning anything by it.
func dressings(cell []byte) [][]byte {
	all := [][]byte{[]byte(" " + string(cell) + "\u00a0"), []byte("\ufeff" + string(cell))}
	if bare := domain.Unwrap(cell); bytes.Equal(bare, cell) && !bytes.HasPrefix(cell, []byte("'")) && !bytes.HasPrefix(cell, []byte("=")) {
		all = append(all, []byte("'"+string(cell)), []byte(`="`+string(cell)+`"`))
	}
	return all
}

// A spreadsheet drops zeros before a number, on either side. The results show the AWB as the
// storefront has it.
func TestLeadingZerosOfAWBs(t *testing.T) {
	for _, c := range []struct{ exported, reported, shown string }{
		{"0012345678901", "12345678901", "0012345678901"},
		{"12345678901", "0012345678901", "12345678901"},
		{"0012345678901", "0012345678901", "0012345678901"},
		{"A1, 0012345678901", "12345678901", "A1, 0012345678901"},
		{"https://track.example/p/0012345678901", "12345678901", "0012345678901"},
	} {
		r := mustDecide(domain.Terms{OffsetDays: 7}, func(orders *verdict.Orders, lines *verdict.Remittances) {
			order, _ := orders.FindOrAdd([]byte("#1"))
			order.Total, order.HasTotal, order.CreatedOn = 1000, true, 20_000
			require.True(t, orders.Track(order, []byte(c.exported)))
			key, reliable := verdict.AWBKey([]byte(c.reported))
			require.True(t, reliable)
			lines.Add(verdict.Remittance{AWB: key, Listed: 1000, Collected: 1000, Remitted: 1000, RemittedOn: 20_005})
		})
		result := r.Result(0)
		require.Equal(t, domain.Reconciled, result.Flag, c.exported)
		require.Equal(t, verdict.MatchAWB, result.MatchMode, c.exported)
		require.Equal(t, c.shown, string(result.AWB), c.exported)
	}
}

// Zeros alone, and a link without a number, are no AWB.
func TestBlankAWBs(t *testing.T) {
	orders := new(verdict.Orders)
	orders.Reset()
	for _, cell := range []string{"0", "0000", "'00", "https://track.example/find"} {
		order, _ := orders.FindOrAdd([]byte(cell + "1"))
		require.True(t, orders.Track(order, []byte(cell)))
		require.Empty(t, orders.AWBs(nil, order), cell)
	}
}

// TestDigitsOfEveryScript asks for every character whether it is a digit.
func TestDigitsOfEveryScript(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if cell := "é" + string(r) + "\xff"; verdict.HasDigit([]byte(cell)) != unicode.IsDigit(r) {
			t.Fatalf("%U: a digit is %v", r, unicode.IsDigit(r))
		}
	}
	for _, broken := range []string{"\xe0", "\xe0\xa5", "\xd9", "\xe0٣", "\xf0\x9d\x9f٣", "\xd93"} {
		require.Equal(t, bytes.ContainsFunc([]byte(broken), unicode.IsDigit), verdict.HasDigit([]byte(broken)), "%q", broken)
	}
}

// TestNoBreakSpacesInsideAnIDAreTakenOff has few or many of them in the middle of
// an id.
func TestNoBreakSpacesInsideAnIDAreTakenOff(t *testing.T) {
	for cell, want := range map[string]string{
		"x\u00a01\u202f2": "x12", "é\u00a0\u00a0\u202f\u202f1": "é1", "x\u00a1\u202e1": "x\u00a1\u202e1",
		"x" + strings.Repeat("\u00a0\u202f", 1000) + "1": "x1",
	} {
		key, reliable := verdict.AWBKey([]byte(cell))
		require.True(t, reliable)
		require.Equal(t, want, string(key))
	}
}

// TestLongZonesAllocateNothing reads a time whose zone has a million colons.
func TestLongZonesAllocateNothing(t *testing.T) {
	for zone, want := range map[string]domain.Reading{"+": domain.Unreadable, "+05": domain.Given, "+0530": domain.Given, "+05:30": domain.Given, "+05:3": domain.Unreadable, "+05301": domain.Unreadable, "+x530": domain.Unreadable, "ist": domain.Given, "gmt": domain.Given, "z": domain.Given} {
		for _, colons := range []int{0, 1_000_000} {
			cell := []byte("2026-01-01 11:22:33 " + zone)
			if zone[0] == '+' {
				cell = append(cell, strings.Repeat(":", colons)...)
			}
			var column domain.DateColumn
			_, reading := column.Read(cell)
			require.Equal(t, want, reading, zone)
			require.Zero(t, testing.AllocsPerRun(1, func() { column.Read(cell) }), zone)
		}
	}
}
