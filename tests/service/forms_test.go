package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestForms holds that POST /reconcile/files is POST /reconcile in another form.
func TestForms(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("a form is answered like the JSON of the same texts, byte for byte", func(t *testing.T) {
		a, b := s.Customer(t), s.Customer(t)
		for name, body := range map[string]Body{
			"small": Small(), "eight flags": EightFlags(), "months": Months(), "labels": Small().With("brand", "Chai ₹").With("courierName", "DTDC"),
			"terms":   EightFlags().With("overdue_threshold_days", 30).With("minor_gap_threshold", 0).With("brand", "terms"),
			"columns": Small().With("courierName", "custom").With("columns", Body{"awb": "AWB No"}),
			"include": EightFlags().With("include", []string{"orders", "lines", "payouts", "unclaimed", "open_items"}).With("brand", "include"),
		} {
			asJSON, asForm := a.Reconcile(t, body), b.SendForm(t, body.Form(t))
			require.Equal(t, http.StatusOK, asJSON.Status, "%s: %s", name, asJSON.Body)
			require.Equal(t, http.StatusOK, asForm.Status, "%s: %s", name, asForm.Body)
			require.Equal(t, string(asJSON.Body), string(asForm.Body), name)
			require.Len(t, asForm.Header.Get("X-Run-Id"), len(asJSON.Header.Get("X-Run-Id")))
			s.Clock.Advance(7 * time.Second)
		}
	})
	t.Run("a run by a form counts, is stored, and is repeated by its Idempotency-Key", func(t *testing.T) {
		c := s.Customer(t, Capped(1))
		first := c.SendForm(t, Small().Form(t), "Idempotency-Key", "k")
		require.Nil(t, first.Run(t).Duplicate)
		c.SendForm(t, Small().Form(t), "Idempotency-Key", "k").Repeats(t, first)
		s.Clock.Advance(time.Hour)
		c.SendForm(t, Small().Form(t), "Idempotency-Key", "k").Repeats(t, first)
		c.SendForm(t, EightFlags().Form(t), "Idempotency-Key", "k").Refused(t, 409, keyReused)
		c.SendForm(t, EightFlags().Form(t)).Refused(t, 429, "Run limit of 1/month reached")
		c.Reconcile(t, EightFlags()).Refused(t, 429, "Run limit of 1/month reached")
	})
	t.Run("a form and JSON that say the same are duplicates", func(t *testing.T) {
		c := s.Customer(t)
		first := c.Reconcile(t, EightFlags())
		require.Equal(t, first.Header.Get("X-Run-Id"), *c.SendForm(t, EightFlags().Form(t)).Run(t).RunID)
	})
	t.Run("forms count towards the rate of POST /reconcile", func(t *testing.T) {
		c := s.Customer(t)
		for range 10 {
			c.SendForm(t, nil).Refused(t, 400, "the request body is empty")
		}
		c.Reconcile(t, Small()).Refused(t, 429, "Rate limit exceeded")
		c.SendForm(t, Small().Form(t)).Refused(t, 429, "Rate limit exceeded")
	})
	t.Run("files as CSV, workbook and page are answered like their texts", func(t *testing.T) {
		months := Months()
		reports := months["reports"].([]Body)
		weekly := Body{"courierName": "dtdc", "courier": "CN Number,COD Amount,Remittance Date\nAWB1004,1200.00,2026-10-12\n"}
		text := func(i int) string { return reports[i]["courier"].(string) }
		inOthers := months.With("shopify", workbook(t, months["shopify"].(string))).With("bank", page(months["bank"].(string))).With("reports", []Body{
			reports[0].With("courier", workbook(t, text(0))), reports[1].With("courier", page(text(1))), weekly,
		})
		asJSON := s.Customer(t).Reconcile(t, months.With("reports", []Body{reports[0], reports[1], weekly}))
		asForm := s.Customer(t).SendForm(t, inOthers.Form(t))
		require.Equal(t, http.StatusOK, asJSON.Status, string(asJSON.Body))
		require.Equal(t, string(asJSON.Body), string(asForm.Body))
	})
	t.Run("a workbook with several sheets asks for one", func(t *testing.T) {
		c := s.Customer(t)
		report := Small()["courier"].(string)
		body := Small().With("courier", workbook(t, report, "Notes\n", report))
		asked := c.SendForm(t, body.Form(t))
		asked.Refused(t, 400, "courier file (report): has several sheets that could be meant")
		require.Contains(t, asked.Message(), "field sheet")
		require.Len(t, c.SendForm(t, body.With("sheet", "Sheet3").Form(t)).Run(t).Results, 1)
		c.SendForm(t, body.With("sheet", "March").Form(t)).Refused(t, 400, `courier file (report): has no sheet of the name "March"`)
		c.Reconcile(t, body).Refused(t, 400, "courier file (courier)")
	})
	t.Run("messages name the parts", func(t *testing.T) {
		c := s.Customer(t)
		for beginning, body := range map[string]Body{
			"courier file (report), line 1: no column was found":                   badFile(),
			"storefront file (orders), line 1: no column Name":                     Small().With("shopify", "neither\nnor\n"),
			"courier file 2 (report)":                                              Months().With("reports", []Body{{"courier": Small()["courier"]}, {"courier": "neither\nnor\n"}}),
			"bank statement (bank)":                                                Small().With("bank", "neither\nnor\n"),
			"courierName of report 2 must be one of":                               Months().With("reports", []Body{{"courier": "x"}, {"courier": "x", "courierName": "pigeon"}}),
			"columns of report 1 is accepted only with":                            Months().With("reports", []Body{{"courier": "x", "columns": Body{"awb": "x"}}, {"courier": "x"}}),
			"report is missing: send the courier's remittance report as a file in": Small().Without("courier"),
		} {
			c.SendForm(t, body.Form(t)).Refused(t, 400, beginning)
			s.Clock.Advance(7 * time.Second)
		}
	})
}

// TestIncluded holds what is asked for besides the contract's fields against the
// description, which Do does, and against the totals: two reports tie out, with themselves and with the bank.
func TestIncluded(t *testing.T) {
	t.Parallel()
	got := fields(t, Start(t, Options{}).Customer(t).Reconcile(t, Months()).Body)
	requireJSON(t, `[
		{"report":1,"courier":"delhivery","rows":2,"data_through":"2026-10-17","read":{"lines":2,"remitted":1380},"matched":{"lines":2,"remitted":1380},"unclaimed":{"lines":0,"remitted":0},"repeated":{"lines":0,"remitted":0},"unidentified":{"lines":0,"remitted":0}},
		{"report":2,"courier":"custom","rows":2,"data_through":"2026-10-11","read":{"lines":2,"remitted":1100},"matched":{"lines":1,"remitted":650},"unclaimed":{"lines":1,"remitted":450},"repeated":{"lines":0,"remitted":0},"unidentified":{"lines":0,"remitted":0}}]`, got["reports"])
	requireJSON(t, `[
		{"report":1,"courier":"delhivery","utr":"UTIBH26101000001","remitted_on":"2026-10-10","lines":1,"collected":900,"deducted":20,"paid":880},
		{"report":1,"courier":"delhivery","utr":"UTIBH26101700002","remitted_on":"2026-10-17","lines":1,"collected":500,"deducted":0,"paid":500},
		{"report":2,"courier":"custom","remitted_on":"2026-10-11","lines":2,"collected":1100,"deducted":null,"paid":1100}]`, got["payouts"])
	requireJSON(t, `[{"report":2,"line":3,"awb":"STRAY1","cod_amount":450,"remitted":450,"remitted_on":"2026-10-11"}]`, got["unclaimed"])
	requireJSON(t, `{"from":"2026-10-10","to":"2026-10-18","other_credits":[],"payouts":[
		{"report":1,"courier":"delhivery","utr":"UTIBH26101000001","remitted_on":"2026-10-10","paid":880,"state":"credited","received":880,"credit":{"line":2,"date":"2026-10-10","amount":880,"narration":"NEFT UTIBH26101000001 DELHIVERY","courier":"delhivery"}},
		{"report":1,"courier":"delhivery","utr":"UTIBH26101700002","remitted_on":"2026-10-17","paid":500,"state":"credited_other_amount","received":499,"credit":{"line":3,"date":"2026-10-18","amount":499,"narration":"NEFT UTIBH26101700002 DELHIVERY","courier":"delhivery"}},
		{"report":2,"courier":"custom","remitted_on":"2026-10-11","paid":1100,"state":"not_in_statement"}]}`, got["bank"])
}

func requireJSON(t *testing.T, want string, got any) {
	t.Helper()
	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, want, string(bytes.TrimSpace(text)))
}
