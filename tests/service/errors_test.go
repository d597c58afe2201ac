package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// TestErrors holds the errors of the API. That every error has the one
// field error is held for every answer of every test, by the harness.
func TestErrors(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})

	t.Run("400 for a body that is no JSON object", func(t *testing.T) {
		c := s.Customer(t)
		for _, body := range []string{"", "{", "[]", "null", `"text"`, `{"shopify":"a","courier":"b"} x`, `{"shopify":"a" "courier":"b"}`, "\xff"} {
			a := s.Post(t, "/reconcile", c.Key, []byte(body))
			require.Equal(t, http.StatusBadRequest, a.Status, "%q: %s", body, a.Body)
			require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
			require.Contains(t, a.Message(), "request body", "%q", body)
		}
	})
	t.Run("400 names the missing column", func(t *testing.T) {
		c := s.Customer(t)
		a := c.Reconcile(t, Small().With("courier", "AWB No,COD Amount,Whatever\nA1,5,6\n"))
		a.Refused(t, 400, "courier file (courier)")
		require.Contains(t, a.Message(), "remittance_date")
		require.Contains(t, a.Message(), "Whatever", "the header that was found")
		a = c.Reconcile(t, Small().With("shopify", "Name,Email,Created at\n#1,a@b.example,2026-10-01\n"))
		a.Refused(t, 400, "storefront file (shopify)")
		require.Contains(t, a.Message(), "Total")
	})
	t.Run("400 names the ambiguous column and every candidate", func(t *testing.T) {
		a := s.Customer(t).Reconcile(t, Small().With("courier", "AWB Number,COD Amount,COD Amount (INR),Remittance Date\nA1,5,6,2026-10-10\n"))
		a.Refused(t, 400, "courier file (courier)")
		for _, named := range []string{"cod_amount", `"COD Amount"`, `"COD Amount (INR)"`} {
			require.Contains(t, a.Message(), named)
		}
	})
	t.Run("400 for a cell that cannot be read names file, line, column and value", func(t *testing.T) {
		a := s.Customer(t).Reconcile(t, Small().With("courier", Report(Line{}, Line{AWB: "AWB1001", Remitted: "12O0", RemittedOn: "2026-10-10"})))
		a.Refused(t, 400, `courier file (courier), line 3, column "Remitted Amount": "12O0"`)
	})
	t.Run("400 for an export without orders", func(t *testing.T) {
		s.Customer(t).Reconcile(t, Small().With("shopify", Export())).Refused(t, 400, "storefront file (shopify)")
	})
	t.Run("401 for a key that is missing, malformed or not ours", func(t *testing.T) {
		c := s.Customer(t)
		last := c.Key[len(c.Key)-1:]
		for _, key := range []string{"", "x", c.Key + "x", c.Key[:len(c.Key)-1], strings.TrimSuffix(c.Key, last) + "_", strings.ToUpper(c.Key), strings.Replace(c.Key, "_live_", "_sandbox_", 1), c.Session(t)} {
			a := s.Reconcile(t, key, Small())
			a.Refused(t, 401, "API key missing, malformed or expired")
			require.Equal(t, "Bearer", a.Header.Get("WWW-Authenticate"))
		}
		for _, header := range []string{c.Key, "Basic " + c.Key, "Bearer", "Bearer " + c.Key + " " + c.Key} {
			s.Post(t, "/reconcile", "", []byte("{}"), "Authorization", header).Refused(t, 401, "API key missing, malformed or expired")
		}
	})
	t.Run("403 for an ended subscription, an incomplete setup, no Pro access and an unverified phone", func(t *testing.T) {
		c := s.Customer(t)
		for _, state := range []struct {
			change  func(*domain.Account)
			message string
		}{
			{func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded }, "the account's subscription has ended"},
			{func(a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete }, "account setup incomplete"},
			{func(a *domain.Account) { a.Subscription, a.Plan = domain.SubscriptionActive, domain.Solo }, "the account's plan has no API access"},
			{func(a *domain.Account) { a.Plan, a.PhoneVerified = domain.Pro, false }, "phone_not_verified: "},
		} {
			c.Change(t, state.change)
			c.Reconcile(t, Small()).Refused(t, 403, state.message)
			s.IssueKey(t, c.Session(t)).Refused(t, 403, state.message)
		}
		c.Change(t, func(a *domain.Account) { a.PhoneVerified = true })
		c.Run(t, Small())
	})
	t.Run("415 for a POST that is not application/json", func(t *testing.T) {
		c := s.Customer(t)
		for _, media := range []string{"", "text/csv", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/jsonp"} {
			for path, token := range map[string]string{"/reconcile": c.Key, "/reconcile/batch": c.Key, "/generate-api-key": c.Session(t)} {
				s.Post(t, path, token, []byte("{}"), "Content-Type", media).Refused(t, 415, "Content-Type must be application/json")
			}
		}
		text := only.Value(json.Marshal(Small()))(t)
		for _, media := range []string{"application/json", "Application/JSON; charset=UTF-8", "application/json;charset=utf-8"} {
			require.Equal(t, http.StatusOK, s.Post(t, "/reconcile", c.Key, text, "Content-Type", media).Status, media)
		}
	})
	t.Run("415 for a POST that says twice what its body is, or that it is compressed", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		text := only.Value(json.Marshal(Small()))(t)
		const twice, packed = "Content-Type and Content-Encoding may be given once each", "Content-Encoding is not accepted: send the body uncompressed"
		const coding = "Content-Encoding may be gzip or zstd, or be left out: send the body by one of them or uncompressed"
		for _, test := range []struct {
			header, begins string
			values         []string
		}{
			{"Content-Type", twice, []string{"application/json", "application/json"}},
			{"Content-Type", twice, []string{"application/json", "text/csv"}},
			{"Content-Type", twice, []string{"text/csv", "application/json"}},
			{"Content-Type", twice, []string{"application/json", ""}},
			{"Content-Type", "Content-Type must be application/json", []string{"application/json, application/json"}},
			{"Content-Type", "Content-Type must be application/json", []string{"application/json; charset=utf-8, application/json"}},
			{"Content-Encoding", twice, []string{"identity", "identity"}},
			{"Content-Encoding", twice, []string{"identity", "gzip"}},
			{"Content-Encoding", twice, []string{"", "gzip"}},
			{"Content-Encoding", packed, []string{"identity, gzip"}},
			{"Content-Encoding", packed, []string{"identity, identity"}},
			{"Content-Encoding", packed, []string{"gzip, gzip"}},
			{"Content-Encoding", packed, []string{"gzip, zstd"}},
			{"Content-Encoding", packed, []string{"br"}},
		} {
			for _, path := range []string{"/reconcile", "/reconcile/batch", "/report", "/generate-api-key"} {
				r := s.Request(t, http.MethodPost, path, bytes.NewReader(text), "Content-Type", "application/json")
				r.Header[test.header] = test.values
				begins, accepts := test.begins, ""
				if begins == packed && path != "/generate-api-key" {
					begins, accepts = coding, "gzip, zstd"
				}
				a := s.Do(t, r)
				a.Refused(t, 415, begins)
				require.Equal(t, accepts, a.Header.Get("Accept-Encoding"))
			}
		}
		for _, packing := range []string{"identity", "Identity"} {
			require.Equal(t, http.StatusOK, s.Post(t, "/reconcile", c.Key, text, "Content-Encoding", packing).Status, packing)
		}
	})
	t.Run("404 and 405 have the error body", func(t *testing.T) {
		s.Get(t, "/nowhere").Refused(t, 404, "no such path")
		s.Get(t, "/reconcile/").Refused(t, 404, "no such path")
		s.Post(t, "/v1/reconcile", "", nil).Refused(t, 404, "no such path")
		for path, allow := range map[string]string{"/reconcile": "POST", "/generate-api-key": "POST", "/reconcile/batch": "POST"} {
			a := s.Get(t, path)
			a.Refused(t, 405, "this path has no such method")
			require.Equal(t, allow, a.Header.Get("Allow"))
		}
		for _, path := range []string{"/demo", "/", "/docs", "/healthz", "/status/1"} {
			a := s.Post(t, path, "", nil)
			a.Refused(t, 405, "this path has no such method")
			require.Contains(t, a.Header.Get("Allow"), "GET")
		}
	})
}

// breaking fails in ways that nobody foresaw.
type breaking struct{ ports.Reconciling }

var errUnforeseen = errors.New("the secret cause")

func (breaking) Reconcile(_ context.Context, _ ports.Caller, req ports.Request) (*ports.FinishedRun, error) {
	if req.Brand == "panic" {
		panic(errUnforeseen)
	}
	return nil, errUnforeseen
}

// TestFaults holds what callers and the log are told of a fault of our own.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{FaultsExpected: true, Broken: fx.Decorate(func(r ports.Reconciling) ports.Reconciling { return breaking{r} })})
	c := s.Customer(t)
	t.Run("500 says nothing of the cause to the caller and all to the log", func(t *testing.T) {
		for _, brand := range []string{"error", "panic"} {
			a := c.Reconcile(t, Named(brand))
			a.Refused(t, 500, "unexpected error in the service: retry once after 5 seconds")
			require.NotContains(t, string(a.Body), "secret cause")
			require.Contains(t, s.Log.String(), "the secret cause")
			require.Contains(t, s.Log.String(), a.Header.Get("X-Request-Id"))
		}
		s.Get(t, "/healthz").Run(t)
	})
}

// TestMisplacedFiles sends files in each other's place: the message says so, and
// what to do.
func TestMisplacedFiles(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	export, report := Export(Order{Name: "#1", Total: "100"}), Report(Line{AWB: "A1", Remitted: "100"})
	long := report + strings.Repeat("A2,,1,1,,\n", 40_000) // read beside the export, not after it
	const swapped = "storefront file (shopify): is a courier's report, and the courier file is the orders export: the two are swapped"
	for what, c := range map[string]struct{ shopify, courier, says string }{
		"swapped":                       {report, export, "storefront file (shopify): is a courier's report, and the courier file is the orders export: the two are swapped; send each in the other's place"},
		"swapped, and large":            {long, export + strings.Repeat("#2,,,,,,,,\n", 40_000), swapped},
		"swapped, with a fault":         {strings.ReplaceAll(report, "100", "1O0"), strings.ReplaceAll(export, "100", "1O0"), swapped},
		"the report twice":              {report, report, "storefront file (shopify): is a courier's report: the report was given twice; give the shop's orders export here"},
		"two reports":                   {report, long, "storefront file (shopify): is a courier's report and not the shop's orders export; give the orders export here"},
		"a report and something else":   {report, "a,b\n1,2\n", "storefront file (shopify): is a courier's report and not the shop's orders export"},
		"the export twice":              {export, export, "courier file (courier): is the orders export: the export was given twice; give the courier's remittance report here"},
		"two exports":                   {export, Export(Order{Name: "#2", Total: "1"}), "courier file (courier): is an orders export and not a courier's report; give the courier's"},
		"neither":                       {"a,b\n1,2\n", export, "storefront file (shopify), line 1: no column Name was found"},
		"no report":                     {export, "a,b\n1,2\n", "courier file (courier), line 1: no column was found for awb or order_id"},
		"a header that is too far down": {strings.Repeat("Notes\n", 120) + export, report, "storefront file (shopify), line 121: is the header, but a header is looked for among the first 100 lines alone; delete the lines above it"},
		"a report further down":         {export, strings.Repeat("Notes\n", 120) + report, "courier file (courier), line 121: is the header"},
		"two reports in one file":       {export, report + "\nWaybill,Amount Payable\nA2,1\n", "courier file (courier), line 4: is the header of another report: Waybill, Amount Payable; there are two reports in one file; split the file at this line"},
		"an unknown status":             {export, "AWB No,COD Amount,Remittance Date,Remittance Status\nA1,5,2026-10-10,Partially Remitted\n", `courier file (courier), line 2, column "Remittance Status": "Partially Remitted" is not known to say whether the line's ₹5 was paid out; write one such as Remitted`},
	} {
		t.Run(what, func(t *testing.T) {
			s.Customer(t).Reconcile(t, Body{"shopify": c.shopify, "courier": c.courier}).Refused(t, 400, c.says)
		})
	}
	t.Run("columns of a request", func(t *testing.T) {
		custom := Body{"shopify": "Docket,Cash,Paid\nA1,5,2026-10-10\n", "courier": export, "courierName": "custom",
			"columns": Body{"awb": "Docket", "cod_amount": "Cash", "remittance_date": "Paid"}}
		s.Customer(t).Reconcile(t, custom).Refused(t, 400, swapped)
	})
	t.Run("a sound pair", func(t *testing.T) {
		require.Equal(t, 200, s.Customer(t).Reconcile(t, Body{"shopify": export, "courier": report}).Status)
	})
}
