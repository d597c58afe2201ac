package service

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// TestVouchersOverHTTP holds what the books get of a month, of which one payout was credited with ₹1 less, and
// one is not in the bank's statement.
func TestVouchersOverHTTP(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	body := Months().Without("include")
	const ledgers = "<LEDGERNAME>Bank Account</LEDGERNAME>\n<ISDEEMEDPOSITIVE>Yes</ISDEEMEDPOSITIVE>\n<ISPARTYLEDGER>No</ISPARTYLEDGER>\n"

	tally := c.Document(t, body.With("format", "tally"))
	require.Equal(t, http.StatusOK, tally.Status, string(tally.Body))
	require.Equal(t, "application/octet-stream", tally.Header.Get("Content-Type"))
	require.Contains(t, tally.Header.Get("Content-Disposition"), `-tally.xml"`)
	require.Equal(t, 3, strings.Count(string(tally.Body), "<VOUCHER "))
	require.Contains(t, string(tally.Body), ledgers+"<AMOUNT>-880.00</AMOUNT>")
	require.Contains(t, string(tally.Body), ledgers+"<AMOUNT>-499.00</AMOUNT>")
	require.Equal(t, 2, strings.Count(string(tally.Body), "Bank Account"), "what the statement does not show is not received")

	journal := c.Document(t, body.With("format", "journal"))
	require.Equal(t, "text/csv; charset=utf-8", journal.Header.Get("Content-Type"))
	require.Contains(t, journal.Header.Get("Content-Disposition"), `-journal.csv"`)
	require.Contains(t, string(journal.Body), `,UTIBH26101700002,"COD payout of Delhivery, UTR UTIBH26101700002, remitted 17 Oct 2026, credited 18 Oct 2026, 1 line",Bank Account,499.00,`)
	packed := s.Post(t, "/report", c.Key, body.With("format", "journal").Text(t), "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", packed.Header.Get("Content-Encoding"))
	unpacked := only.Value(gzip.NewReader(bytes.NewReader(packed.Body)))(t)
	require.Equal(t, string(journal.Body), string(only.Value(io.ReadAll(unpacked))(t)))

	b := s.Browser()
	a := b.SendForm(t, "/app/api/document", withParts(Months().Form(t), "format", "tally"))
	require.Equal(t, string(tally.Body), string(a.Body), "the page's vouchers have the same ids")

	require.NoError(t, only.Err(s.Manage.SetBooks(t.Context(), c.Stored(t).ID, domain.ByCommandLine, func(b *domain.Books) {
		b.Bank, b.Receivable, b.ByOrder = "HDFC & Co", "Debtors {courier}", true
	})))
	named := string(c.Document(t, body.With("format", "tally")).Body)
	require.Contains(t, named, "<LEDGERNAME>HDFC &amp; Co</LEDGERNAME>")
	require.Contains(t, named, "<LEDGERNAME>Debtors Delhivery</LEDGERNAME>")
	require.Contains(t, named, "<NAME>#1001</NAME>\n<BILLTYPE>Agst Ref</BILLTYPE>\n<AMOUNT>900.00</AMOUNT>")
	require.NotContains(t, named, "Bank Account")
	another := s.Customer(t, OnPlan(domain.Enterprise))
	require.Equal(t, string(tally.Body), string(another.Document(t, body.With("format", "tally")).Body), "another account has its own names")
}

// TestPayoutsWithoutAVoucherAreTold holds that whoever downloads vouchers is told which payouts have none and why, in
// their own language, and that the header is short enough for proxies, some of which take 4 KB of headers.
func TestPayoutsWithoutAVoucherAreTold(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	body := Months().Without("include")
	body["bank"] = "Date,Narration,Credit\n2026-10-18,NEFT UTIBH26101700002 DELHIVERY,499.00\n"
	const why = " because they are from before the first day of the bank statement, which does not show them whole: if they are not posted yet, " +
		"write them with a statement that begins before them."
	for _, format := range []string{"tally", "journal"} {
		a := c.Document(t, body.With("format", format))
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.JSONEq(t, `[{"code":"before_statement","count":3,"amount":2480,"message":"No voucher is written of 3 payouts `+
			`(“UTIBH26101000001”, “UTIBH26101700002” and 2026-10-11) with ₹2,480 paid out`+why+`"}]`, a.Header.Get("X-Document-Warnings"))
	}
	whole := c.Document(t, Months().Without("include").With("format", "journal"))
	require.NotContains(t, whole.Header, "X-Document-Warnings")

	require.Contains(t, whole.Header.Get("Content-Disposition"), `-journal.csv"`)

	var report strings.Builder
	for i := range 9 {
		fmt.Fprintf(&report, "A%d,#%d,5.00,5.00,2026-10-10,Delivered,%s%d\n", i, i, strings.Repeat("क", 60), i)
	}
	body = body.Without("reports").With("courierName", "delhivery").With("courier", "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\n"+report.String())
	a := s.Browser().SendForm(t, "/app/api/document", withParts(body.Form(t), "format", "journal"), "Accept-Language", "hi")
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	header := a.Header.Get("X-Document-Warnings")
	require.Less(t, len(header), 2<<10)
	require.NotRegexp(t, `[^ -~]`, header)
	told := decoded[[]struct{ Message string }](t, []byte(header))
	require.Len(t, told, 1)
	require.Regexp(t, `^₹45 के 9 भुगतानों, जैसे “क+…”, `, told[0].Message)
}
