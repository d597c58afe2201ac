package domain_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/domain"
)

func requireAmount(t *testing.T, want domain.Paise, cell string) {
	t.Helper()
	p, reading := domain.ReadPaise([]byte(cell))
	require.Equal(t, domain.Given, reading, "%q", cell)
	require.Equal(t, want, p, "%q", cell)
}

func requireNoAmount(t *testing.T, want domain.Reading, cells ...string) {
	t.Helper()
	for _, cell := range cells {
		p, reading := domain.ReadPaise([]byte(cell))
		require.Equal(t, want, reading, "%q was read as %v", cell, p)
		require.Zero(t, p, "%q", cell)
	}
}

func TestAmountsAreReadAsCouriersWriteThem(t *testing.T) {
	for _, c := range []struct {
		want  domain.Paise
		cells []string
	}{
		{12999950, []string{
			"129999.50", "129999.5", "1,29,999.50", "129,999.50", "1,29,999.5", "129999.500", "0129999.50",
			"₹129999.50", "₹1,29,999.50", "₹ 129,999.50", "₹\u00a01,29,999.50",
			"Rs 129999.50", "Rs129999.50", "Rs. 1,29,999.50", "Rs.129,999.5", "rs. 129999.50", "RS 129999.50",
			"INR 129999.50", "INR1,29,999.50", "inr 129,999.50",
			"  129999.50", "129999.50\t", "\u00a0129999.50\u00a0", "\ufeff129999.50", "'129999.50", `="129999.50"`, `="₹1,29,999.50"`,
			"₨129999.50", "₨ 1,29,999.50", "Rs: 129999.50", "Rs:129,999.50", "RS: 1,29,999.50", "Re. 129999.50", "re.129999.50", "Re 129999.50", "INR: 129999.50", "INR. 129999.50",
			"+129999.50", "+ 129999.50", "+1,29,999.50", "₹+129999.50", "+₹129999.50", "Rs. +129999.50", "'+129999.50",
			"129999.50/-", "1,29,999.50 /-", "₹1,29,999.50/-", "Rs. 129999.50/-", "Rs.1,29,999.50/-", "+129999.50/-", "129999.50/- INR",
			"१२९९९९.५०", "१,२९,९९९.५०", "₹१,२९,९९९.५०", "₹ १२९,९९९.५", "Rs. १२९९९९.५०/-", "12९९९९.५०", "'१२९९९९.५०",
		}},
		{-1250, []string{"-12.50", "-12.5", "(12.50)", "( 12.50 )", "- 12.50", "−12.50", "-₹12.50", "₹-12.50", "₹ -12.50",
			"(₹12.50)", "(Rs. 12.50)", "₹(12.50)", "Rs. (12.50)", "-Rs 12.50", "Rs. -12.50", "-INR 12.50", "'-12.50", `="(12.50)"`,
			"12.50-", "12.50 -", "₹12.50-", "Rs. 12.50-", "12.50−", "₹ 12.5 -", "(12.50/-)", "(12.50)/-", "-12.50/-", "₹-12.50/-", "-₹12.50/-", "(Rs: 12.50/-)", "₨(12.50)", "-१२.५०", "(१२.५०)", "१२.५०-"}},
		{-12999950, []string{"-1,29,999.50", "(129,999.50)", "-₹1,29,999.50"}},
		{0, []string{"0", "0.00", "-0", "(0.00)", "₹0", "0.004", "-0.004"}},
		{50, []string{".5", "0.5", "0.50", ".50"}},
		{100000, []string{"1000", "1000.", "1000.0", "1,000", "1,000.00"}},
		{1234567800, []string{"12345678", "1,23,45,678", "12,345,678"}},
		{999999999999, []string{"9999999999.99", "9,999,999,999.99", "9,99,99,99,999.99"}},
		{100, []string{"Re 1", "Re. 1/-", "Re.1", "₹1", "१"}},
		{50000, []string{"500/-", "Rs 500/-", "₹500/-", "INR 500/-", "५००/-", "500 /-", "500.00/-"}},
		{12300, []string{"%!f(string=123.)", "%!f(string=123)"}},
		{129950, []string{"%!f(string=1,299.50)"}},
	} {
		for _, cell := range c.cells {
			requireAmount(t, c.want, cell)
		}
	}
}

func TestMoreThanTwoDecimalsRoundHalfAwayFromZero(t *testing.T) {
	for cell, want := range map[string]domain.Paise{
		"12.344": 1234, "12.345": 1235, "12.3449999999999999999": 1234, "12.3450000": 1235, "12.3451": 1235,
		"12.994": 1299, "12.995": 1300, "99.999": 10000, "1,299.995": 130000,
		"0.004": 0, "0.005": 1, "0.0049999": 0,
		"1299.4999999999998": 129950, "1299.9949999999999": 129999, "1299.995000000000001": 130000, "0.30000000000000004": 30, "149.98999999999998": 14999, "१२.३४५": 1235, "12.345-": -1235, "₹12.345/-": 1235,
		"-0.005": -1, "-12.345": -1235, "(12.345)": -1235, "-12.344": -1234, "(99.995)": -10000,
	} {
		requireAmount(t, want, cell)
	}
}

func TestCellsWithoutAnAmount(t *testing.T) {
	requireNoAmount(t, domain.Blank,
		"", " ", "\t", "\u00a0", "-", " - ", "NA", "N/A", "nan", "null", "na", "n/a", "NaN", "NAN", "NULL", "Null", "'-", `="NA"`, `=""`,
		"–", "—", " – ", "\u00a0—", "nil", "Nil", "NIL", "none", "None", "NONE", "'nil", `="–"`, "₹ -", "₹-", "Rs. -", "INR –", "₨ —",
		"--", "----", "====", "____", "****", "....", "-*-",
	)
}

func TestNoAmountIsGuessed(t *testing.T) {
	requireNoAmount(t, domain.Unreadable,
		// Commas that group neither the Indian nor the western way may be decimal signs.
		"12,34", "1299,50", "1,2,3", "1,29,99", "129,9999", "1234,567", "123,45,678", "1,234,56,789", ",123", "123,", "1,,234", "1.299,50", "1,299.5,0",
		"12.5.0", "12.5x", "12.x5", "1 299", "1e3", "1.2E+3", "0x10", "１२", "১২", "१२x", "१२,३४", "१ २", "Infinity", "1299abc", "abc", "one", "Paid", "nano", "nullable",
		"₹", "Rs", "Rs.", "INR", "-₹", "()", "( )", "(12.50", "12.50)", "((12.50))", "(-12.50)", "-(-12.50)", "--12.50", "-12.50-", "12.50--", "(12.50-)", "(12.50)-", "-(12.50)", "+-12.50", "-+12.50", "+12.50-", "++12.50", "(+12.50)", "12.50+",
		"/-", "₹/-", "Rs./-", "12/-50", "/-12", "12/--", "12/", "12/=", "-₹", "+", "₹+", "–12.50", "12.50–", "-–", "nil/-", "niL 5", "nonel", "none 5", "₹ nil",
		"Rs;12", "Rs.:12", "₹.:12", "Ra 12", "R 12", "rsrs 12", "Rupees 12", "USD12",
		"$12.50", "€12.50", "USD 12.50", "₹₹12.50", "Rs INR 12.50", "%!f(string=)", "%!f(string=abc)", "%!d(string=12)", "12\x0050", "\xff",
	)
}

// They are more than any cash on delivery, and some are more than 64 bits.
func TestAmountsThatAreTooLargeAreToldApart(t *testing.T) {
	for _, large := range []string{
		"10000000001", "10,00,00,00,001", "1000000000001", "92233720368547758.08", "9223372036854775808", "99999999999999999999999999",
		"-99999999999999999999", "Rs. 99999999999/-", "१०००००००००१", `="36130210000000"`,
	} {
		requireNoAmount(t, domain.Unreadable, large)
		require.True(t, domain.IsTooLarge([]byte(large)), large)
	}
	for _, other := range []string{"", "NA", "0", "12.50", "10000000000", "12x", "1e30", "99,99,99", "AWB 99999999999"} {
		require.False(t, domain.IsTooLarge([]byte(other)), other)
	}
}

func TestAmountsAreWritten(t *testing.T) {
	for p, want := range map[domain.Paise]struct{ number, text string }{
		0:                   {"0", "₹0"},
		5:                   {"0.05", "₹0.05"},
		50:                  {"0.5", "₹0.50"},
		-50:                 {"-0.5", "-₹0.50"},
		129900:              {"1299", "₹1,299"},
		129950:              {"1299.5", "₹1,299.50"},
		129905:              {"1299.05", "₹1,299.05"},
		99900:               {"999", "₹999"},
		-1250:               {"-12.5", "-₹12.50"},
		9999999:             {"99999.99", "₹99,999.99"},
		12999950:            {"129999.5", "₹1,29,999.50"},
		1234567805:          {"12345678.05", "₹1,23,45,678.05"},
		domain.Rupee:        {"1", "₹1"},
		math.MaxInt64:       {"92233720368547758.07", "₹92,23,37,20,36,85,47,758.07"},
		math.MinInt64:       {"-92233720368547758.08", "-₹92,23,37,20,36,85,47,758.08"},
		-123456 * 100 * 100: {"-12345600", "-₹1,23,45,600"},
	} {
		require.Equal(t, want.number, string(p.AppendRupees(nil)))
		require.Equal(t, want.text, p.String())
	}
}

// maxCell is the largest amount of a cell in rupees: ten thousand million.
const maxCell = 10_000_000_000

func drawPaise(t *rapid.T) domain.Paise {
	return domain.Paise(rapid.Int64Range(-maxCell*100, maxCell*100).Draw(t, "paise"))
}

func TestWrittenAmountsAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPaise(t)
		for _, text := range []string{string(p.AppendRupees(nil)), p.String()} {
			again, reading := domain.ReadPaise([]byte(text))
			if reading != domain.Given || again != p {
				t.Fatalf("%d was written as %q, which reads as %d (%v)", p, text, again, reading)
			}
		}
	})
}

func TestAmountsAreJSONNumbersOfTwoDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := domain.Paise(rapid.Int64().Draw(t, "paise"))
		var number json.Number
		if err := json.Unmarshal(p.AppendRupees(nil), &number); err != nil {
			t.Fatal(err)
		}
		if _, decimals, _ := strings.Cut(number.String(), "."); len(decimals) > 2 {
			t.Fatalf("%s has more than two decimals", number)
		}
		exact, ok := new(big.Rat).SetString(number.String())
		if !ok || exact.Cmp(big.NewRat(int64(p), 100)) != 0 {
			t.Fatalf("%d paise were written as %s", p, number)
		}
	})
}

// grouped writes digits with a comma before the last three and before every step
// digits further left: 2 is the Indian way, 3 the western one.
func grouped(digits string, step int) string {
	if len(digits) <= 3 {
		return digits
	}
	head, tail := digits[:len(digits)-3], digits[len(digits)-3:]
	for len(head) > step {
		head, tail = head[:len(head)-step], head[len(head)-step:]+","+tail
	}
	return head + "," + tail
}

// inDevanagari writes digits as Hindi does.
func inDevanagari(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r - '0' + '०'
		}
		return r
	}, text)
}

func TestEverySpellingOfAnAmountIsThatAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPaise(t)
		size := uint64(max(p, -p))
		whole, decimals := strconv.FormatUint(size/100, 10), strconv.FormatUint(100+size%100, 10)[1:]
		if step := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "grouping"); step > 0 {
			whole = grouped(whole, step)
		}
		least := strings.TrimRight(decimals, "0")
		text := whole + "." + rapid.SampledFrom([]string{decimals, least, decimals + "0", decimals + "000"}).Draw(t, "decimals")
		if least == "" && rapid.Bool().Draw(t, "no point") {
			text = whole
		}
		sign := rapid.SampledFrom([]string{"", "₹", "₹ ", "₨", "₨ ", "Rs", "Rs ", "Rs.", "Rs. ", "rs. ", "Rs:", "Rs: ", "Re.", "Re. ", "INR", "INR ", "₹\u00a0"}).Draw(t, "currency")
		if rapid.Bool().Draw(t, "Devanagari") {
			text = inDevanagari(text)
		}
		form := rapid.SampledFrom([]string{"$#", "+$#", "$+#", "$#/-", "$# /-"}).Draw(t, "positive")
		if p < 0 {
			form = rapid.SampledFrom([]string{"-$#", "$-#", "($#)", "( $# )", "$#-", "$# -", "-$#/-", "($#/-)"}).Draw(t, "negative")
		}
		text = strings.NewReplacer("$", sign, "#", text).Replace(form)
		text = rapid.SampledFrom([]string{"", " ", "'", "\u00a0"}).Draw(t, "before") + text + rapid.SampledFrom([]string{"", " ", "\u00a0"}).Draw(t, "after")
		if got, reading := domain.ReadPaise([]byte(text)); reading != domain.Given || got != p {
			t.Fatalf("%q reads as %d (%v), want %d", text, got, reading, p)
		}
	})
}

func TestDecimalsRoundAsArithmeticSays(t *testing.T) {
	half := big.NewRat(1, 2)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{1,10}\.[0-9]{1,20}`).Draw(t, "amount")
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatal(text)
		}
		// Half away from zero: the whole part of |amount| * 100 + 1/2.
		hundredfold := new(big.Rat).Mul(new(big.Rat).Abs(exact), big.NewRat(100, 1))
		hundredfold.Add(hundredfold, half)
		want := new(big.Int).Quo(hundredfold.Num(), hundredfold.Denom()).Int64() * int64(exact.Sign())
		if got, reading := domain.ReadPaise([]byte(text)); reading != domain.Given || int64(got) != want {
			t.Fatalf("%q reads as %d (%v), want %d", text, got, reading, want)
		}
	})
}

// grouping matches the numbers that may be written with or without commas, as a
// regular expression.
var grouping = regexp.MustCompile(`^([0-9]+|[0-9]{1,3}(,[0-9]{3})+|[0-9]{1,2}(,[0-9]{2})*,[0-9]{3})$`)

func TestCommasGroupOneWayOrTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,4}(,[0-9]{2,3}){0,3}(,[0-9]{1,4})?`).Filter(func(s string) bool { return s != "" }).Draw(t, "digits")
		p, reading := domain.ReadPaise([]byte(text))
		rupees, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
		switch valid := grouping.MatchString(text) && err == nil && rupees <= maxCell; {
		case valid && (reading != domain.Given || int64(p) != rupees*100):
			t.Fatalf("%q reads as %d (%v)", text, p, reading)
		case !valid && reading != domain.Unreadable:
			t.Fatalf("%q must not be read, and reads as %d (%v)", text, p, reading)
		}
	})
}

func FuzzReadPaise(f *testing.F) {
	for _, seed := range []string{"1299", "1299.5", "₹1,29,999.50", "(12.345)", "-12.50", "Rs. 1,299", "INR 5", "N/A", "----", `="12"`, "'5",
		"%!f(string=123.)", "1,2,3", "₨ १,२९९.५०/-", "+12.50", "12.50-", "Rs: 5", "–", "nil", "₹ -", "9999999999.995", "1e9", "\u00a0-\u00a0₹\u00a05"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, cell []byte) {
		before := bytes.Clone(cell)
		p, reading := domain.ReadPaise(cell)
		require.Equal(t, before, cell, "the cell was altered")
		if reading != domain.Given {
			require.Zero(t, p)
		} else {
			require.LessOrEqual(t, max(p, -p), domain.Paise(math.MaxInt64/domain.MaxRows), "a file of these would overflow")
			again, _ := domain.ReadPaise([]byte(p.String()))
			require.Equal(t, p, again)
		}
		// What stands around a value changes nothing, except that the cell is not
		// read by the quick function.
		for _, dressed := range dressings(cell) {
			q, r := domain.ReadPaise(dressed)
			require.Equal(t, reading, r, "%q", dressed)
			require.Equal(t, p, q, "%q", dressed)
		}
	})
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

// TestWholeAmountsAreWrittenOut compares the digits of amounts of every length.
func TestWholeAmountsAreWrittenOut(t *testing.T) {
	for _, from := range []int{0, 9_990, 99_990, 999_990} {
		for n := from; n < from+1_100; n++ {
			rupees := domain.Paise(n) * domain.Rupee
			digits := strconv.Itoa(n)
			require.Equal(t, digits, string(rupees.AppendRupees(nil)))
			require.Equal(t, "₹"+digits, strings.ReplaceAll(rupees.String(), ",", ""))
			require.Equal(t, len(digits) > 3, strings.Contains(rupees.String(), ","+digits[max(len(digits)-3, 0):]), rupees)
		}
	}
}

func TestRupees(t *testing.T) {
	for _, cell := range []string{"", " ", "-", "INR", "inr", "Inr", "Rs", "RS", "rs", "₹", " INR ", "'INR", `="INR"`, "Rs.", "₨", "\u00a0INR"} {
		require.True(t, domain.IsRupees([]byte(cell)), "%q", cell)
	}
	for _, cell := range []string{"USD", "usd", "$", "€", "EUR", "NPR", "PKR", "LKR", "INRX", "R", "Re", "AED", "12"} {
		require.False(t, domain.IsRupees([]byte(cell)), "%q", cell)
	}
}

// In tables and sums figures stand below figures; in sentences paise are told if there are any.
func TestAmountsInTables(t *testing.T) {
	for paise, want := range map[domain.Paise][2]string{0: {"₹0.00", "₹0"}, 500_00: {"₹500.00", "₹500"}, 4695_70: {"₹4,695.70", "₹4,695.70"},
		-1_29_999_00: {"-₹1,29,999.00", "-₹1,29,999"}, -5: {"-₹0.05", "-₹0.05"}} {
		require.Equal(t, want, [2]string{paise.Exact(), paise.String()})
	}
}
