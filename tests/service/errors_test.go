package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMisplacedFiles sends files in each other's place: the message says so, and
// what to do.
func TestMisplacedFiles(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	export, report := Export(Order{Name: "#1", Total: "100"}), Report(Line{AWB: "A1", Remitted: "100"})
	long := report + strings.Repeat("A2,,1,1,,\n", 40_000) // read beside the export, not after it
	const swapped = "storefront file (shopify): is a courier's report, and the courier file is the orders export: the two are swapped"
	for what, c := range map[string]struct{ shopify, courier, says string }{
		"swapped":                     {report, export, "storefront file (shopify): is a courier's report, and the courier file is the orders export: the two are swapped; send each in the other's place"},
		"swapped, and large":          {long, export + strings.Repeat("#2,,,,,,,,\n", 40_000), swapped},
		"swapped, with a fault":       {strings.ReplaceAll(report, "100", "1O0"), strings.ReplaceAll(export, "100", "1O0"), swapped},
		"the report twice":            {report, report, "storefront file (shopify): is a courier's report: the report was given twice; give the shop's orders export here"},
		"two reports":                 {report, long, "storefront file (shopify): is a courier's report and not the shop's orders export; give the orders export here"},
		"a report and something else": {report, "a,b\n1,2\n", "storefront file (shopify): is a courier's report and not the shop's orders export"},
		"two exports":                 {export, Export(Order{Name: "#2", Total: "1"}), "courier file (courier): is an orders export and not a courier's report; give the courier's"},
		"neither":                     {"a,b\n1,2\n", export, "storefront file (shopify), line 1: no column Name was found"},
		"no report":                   {export, "a,b\n1,2\n", "courier file (courier), line 1: no column was found for awb or order_id"},
		"a report further down":       {export, strings.Repeat("Notes\n", 120) + report, "courier file (courier), line 121: is the header"},
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
