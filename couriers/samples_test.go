package couriers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// sample is one invented report of a courier, and the shop's export of about
// the same orders.
type sample struct {
	courier string // the folder that it lies in
	shape   string
	path    string // of the report
}

func (s sample) golden() string { return strings.TrimSuffix(s.path, ".csv") + ".golden.json" }

// orders is the shop's export.
func (s sample) orders() string { return strings.TrimSuffix(s.path, ".csv") + ".orders.csv" }

// samples finds every sample, sorted by courier and shape.
func samples(t *testing.T) []sample {
	t.Helper()
	paths := only.Value(filepath.Glob("testdata/*/*.csv"))(t)
	var all []sample
	for _, path := range paths {
		if strings.HasSuffix(path, ".orders.csv") {
			continue
		}
		all = append(all, sample{
			courier: filepath.Base(filepath.Dir(path)),
			shape:   strings.TrimSuffix(filepath.Base(path), ".csv"),
			path:    path,
		})
	}
	require.NotEmpty(t, all)
	return all
}

// personal are the shapes of data that belong to a real person. They are looked
// for in every column alike, so an invented AWB must not look like one either:
// 10 digits that begin with 6 to 9 are a mobile number, 12 digits an identity
// number. Digits behind a decimal point are the rest of a number, as in 5.042600000012E+12.
var personal = []struct {
	what  string
	shape *regexp.Regexp
}{
	{"a mobile number", regexp.MustCompile(`(^|[^0-9.]|(^|[^0-9])\.)(\+?91[ -]?|0)?[6-9][0-9]{9}($|[^0-9])`)},
	{"a mobile number in two parts", regexp.MustCompile(`(^|[^0-9])[6-9][0-9]{4}[ -][0-9]{5}($|[^0-9])`)},
	{"a number after +91", regexp.MustCompile(`\+91`)},
	{"an identity number of 12 digits", regexp.MustCompile(`(^|[^0-9.]|(^|[^0-9])\.)[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}($|[^0-9])`)},
	{"a tax number (PAN)", regexp.MustCompile(`(^|[^A-Za-z])[A-Za-z]{5}[0-9]{4}[A-Za-z]($|[^A-Za-z])`)},
	{"a tax number (GSTIN)", regexp.MustCompile(`[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]`)},
}

var email = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+`)

// personalData says what in a text looks like a real person's data, or "".
func personalData(text string) string {
	for _, p := range personal {
		if found := p.shape.FindString(text); found != "" {
			return p.what + ": " + strings.TrimSpace(found)
		}
	}
	for _, address := range email.FindAllString(text, -1) {
		if !strings.HasSuffix(address, "@example.com") {
			return "an e-mail address outside example.com: " + address
		}
	}
	return ""
}

// TestSamplesHoldNoPersonalData is of the samples of storefronts as well.
func TestSamplesHoldNoPersonalData(t *testing.T) {
	paths := only.Value(filepath.Glob("testdata/*/*"))(t)
	exports := only.Value(filepath.Glob("../adapters/storefront/testdata/*/*"))(t)
	require.NotEmpty(t, exports)
	for _, path := range append(paths, exports...) {
		for i, line := range strings.Split(string(only.Value(os.ReadFile(path))(t)), "\n") {
			if found := personalData(line); found != "" {
				t.Errorf("%s, line %d has %s: invent another one (README.md says how)", path, i+1, found)
			}
		}
	}
}

func TestPersonalDataIsFound(t *testing.T) {
	// Written in two halves, so that no text of ours has what it looks for.
	for _, text := range []string{
		"a,98765" + "43210,b", "+91 98765" + "43210", "098765" + "43210", "91-98765" + "43210", "98765 " + "43210", "+91" + "1",
		"2345678" + "90123", "2345 6789 " + "0123", "ABCDE" + "1234F", "27ABCDE" + "1234F1Z5", "someone@mail" + ".example",
	} {
		require.NotEmpty(t, personalData(text), text)
	}
	for _, text := range []string{
		"14902602000001", "50426000001", "1.34226020000002E+14", "INVUTR26021401", "2026-02-03 11:22:33 +0530",
		"buyer1001@example.com", "1,29,999.50", "#1001", "5000000001001", "SF260200001SMP", "5.042600000012E+12", "1.9040760868E+10",
	} {
		require.Empty(t, personalData(text), text)
	}
}
