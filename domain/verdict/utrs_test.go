package verdict_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestOneUTRHoweverItIsWritten holds that the same lines count once if two files write the UTR of their payout in different ways: in two
// reports, and in a ledger and a report.
func TestOneUTRHoweverItIsWritten(t *testing.T) {
	full := []domain.Paise{1000, 1000, 1000, 1000, 1000}
	for _, c := range [][2]string{
		{"609912345678", "609912345678.0"},
		{"609912345678", "609,912,345,678.00"},
		{"609912345678", "6.09912345678E+11"},
		{"609912345678", "6.09912E+11"},
		{"609912345678", "UTR No. 609912345678.0"},
		{"000012345678", "12345678"},
		{"0001234", "1234"},
		{"UTIBN52026041800001", "utibn52026041800001"},
		{"UTIBN52026041800001", "UTIBN52026041800001/NEFT"},
		{"UTIBN52026041800001", "UTR: UTIBN52026041800001"},
		{"UTIBN52026041800001", "NEFT-UTR-UTIBN52026041800001"},
		{"HDFCN52026041800001", "HDFC N52026041800001"},
		{"INVUTR26041801", "INV-UTR/26041801"},
	} {
		for _, utrs := range [][2]string{c, {c[1], c[0]}} {
			t.Run(fmt.Sprint(utrs), func(t *testing.T) {
				one := listedReport{courier: "dtdc", utr: utrs[0], on: ago(20), cod: true, paid: full}
				two := one
				two.utr = utrs[1]
				r := reportsOf(5, one, two)
				for i := range r.All() {
					require.Equal(t, rupees(1000), r.Result(i).Remitted)
				}
				payouts := r.Payouts()
				require.Len(t, payouts, 1)
				require.Equal(t, rupees(5000), payouts[0].Paid)

				paid := func(utr string) storeLine {
					l := payment(rupees(1000), 15)
					l.UTR = []byte(utr)
					return l
				}
				orders := []export{orderOf(rupees(1000), 1)}
				before := during(1, orders, paid(utrs[0])).run(t, domain.TermsFor(nil, 0, nil), ledger{})
				after := during(2, orders, paid(utrs[1])).run(t, domain.TermsFor(nil, 0, nil), remember(before))
				requireTies(t, after)
				require.Equal(t, rupees(1000), after.Result(0).Remitted)
			})
		}
	}
}

// TestUTRKey walks the forms of a UTR that name one payout, and those that name another one or none.
func TestUTRKey(t *testing.T) {
	for utr, want := range map[string]string{
		"utibn52026041800001":       "UTIBN52026041800001",
		"UTR20260001":               "UTR20260001",
		"UTR-20260001":              "UTR20260001", // too short to be a bank's own without the word
		"N108261234567890 (REF NO)": "N108261234567890",
		"UPI/NEFT/609912345678":     "609912345678",
		"0609912345678":             "609912345678",
		"NEFT":                      "",
		"1234567":                   "",
		"U1-12":                     "",
		"======":                    "",
		strings.Repeat("A1", 33):    "",
		strings.Repeat("NO ", 99) + "609912345678": "",
	} {
		key, names := verdict.UTRKey([]byte(utr))
		require.Equal(t, want != "", names, utr)
		if names {
			require.Equal(t, want, key)
		}
	}
	one, _ := verdict.UTRKey([]byte("U1-12"))
	other, _ := verdict.UTRKey([]byte("U11-2"))
	require.NotEqual(t, one, other, "of a short one the signs count, too")
}

// TestARoundedUTRIsSaid holds that a UTR that has lost digits names no payout, and that the warning says so, for each report by itself.
func TestARoundedUTRIsSaid(t *testing.T) {
	one := listedReport{courier: "dtdc", utr: "6.09912E+11", on: ago(20), cod: true, paid: []domain.Paise{1000, 1000, -1}}
	two := listedReport{courier: "dtdc", utr: "609912345678", on: ago(13), cod: true, paid: []domain.Paise{-1, -1, 1000}}
	r := reportsOf(3, one, two)
	require.Equal(t, []domain.Warning{{Code: domain.WarnRoundedUTRs, Report: 1, Reports: 2, Count: 2, Examples: []string{"6.09912E+11"}}}, r.Warnings())
	payouts := r.Payouts()
	require.Len(t, payouts, 2)
	require.Empty(t, payouts[0].UTR)
	require.Equal(t, one.on, payouts[0].RemittedOn)
}

// TestFingerprintsOfEarlierVersions holds that a ledger fits that has the fingerprint of a UTR as it is written, and that plain ones
// are what they were.
func TestFingerprintsOfEarlierVersions(t *testing.T) {
	line := payment(rupees(500), 15).Remittance
	line.UTR = []byte("609912345678")
	require.Equal(t, "fd4edb472fc366c838bd70fe543bee33", fmt.Sprintf("%x", line.Fingerprint()))
	line.UTR = []byte("609912345678.0")
	require.True(t, line.Fits(line.Fingerprint()))
	written, err := hex.DecodeString("cdf2cd30620cc44da628ef141fb8c966")
	require.NoError(t, err)
	require.True(t, line.Fits([verdict.FingerprintSize]byte(written)))
	line.UTR = []byte("609912345679.0")
	require.False(t, line.Fits([verdict.FingerprintSize]byte(written)))
}
