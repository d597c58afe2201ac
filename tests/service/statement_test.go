package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// bankBody is two orders that two payouts pay for, and a third payout that the statement
// does not have.
func bankBody() Body {
	return Body{
		"shopify": Export(Order{Name: "#1", Total: "1000.00", AWB: "A1"}, Order{Name: "#2", Total: "500.00", AWB: "A2"}, Order{Name: "#3", Total: "300.00", AWB: "A3"}),
		"courier": "AWB No,COD Amount,Remitted Amount,Remittance Date,UTR\nA1,1000,1000,2026-10-10,HDFCN520261010\nA2,500,500,2026-10-12,\nA3,300,300,2026-11-12,HDFCN520261112\n",
		"bank":    "Date,Narration,Withdrawal Amt.,Deposit Amt.\n10/10/2026,NEFT CR-HDFCN520261010-SECRETNAME,,990.00\n13/10/2026,IMPS,,500.00\n14/10/2026,RENT,99,\n20/10/2026,NEFT-BIGFOOTRETAIL,,7\n",
	}
}

const bankFindings = `{"from":"2026-10-10","to":"2026-10-20","payouts":[
	{"report":1,"courier":"delhivery","utr":"HDFCN520261010","remitted_on":"2026-10-10","paid":1000,"state":"credited_other_amount","received":990,
	 "credit":{"line":2,"date":"2026-10-10","amount":990,"narration":"NEFT CR-HDFCN520261010-SECRETNAME"}},
	{"report":1,"courier":"delhivery","remitted_on":"2026-10-12","paid":500,"state":"credited","received":500,"credit":{"line":3,"date":"2026-10-13","amount":500,"narration":"IMPS"}},
	{"report":1,"courier":"delhivery","utr":"HDFCN520261112","remitted_on":"2026-11-12","paid":300,"state":"not_in_statement","absence":"outside_statement"}],
	"other_credits":[{"line":5,"date":"2026-10-20","amount":7,"courier":"shiprocket","narration":"NEFT-BIGFOOTRETAIL"}]}`

// TestStatements holds what a run says of a bank statement, and that nothing of it is stored.
func TestStatements(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	found := func(t *testing.T, answer []byte) string {
		t.Helper()
		run := decoded[struct{ Bank json.RawMessage }](t, answer)
		return string(run.Bank)
	}
	t.Run("each payout is looked for in the statement", func(t *testing.T) {
		require.JSONEq(t, bankFindings, found(t, c.Reconcile(t, bankBody()).Body))
	})
	t.Run("a transfer that was returned was not received, and another courier's credit is not taken", func(t *testing.T) {
		body := Body{
			"shopify": Export(Order{Name: "#1", Total: "1000.00", AWB: "A1"}, Order{Name: "#2", Total: "500.00", AWB: "A2"}),
			"courier": "AWB No,COD Amount,Remitted Amount,Remittance Date,UTR\nA1,1000,1000,2026-10-10,HDFCN520261010\nA2,500,500,2026-10-12,\n",
			"bank":    "Date,Narration,Withdrawal Amt.,Deposit Amt.\n10/10/2026,NEFT HDFCN520261010 DELHIVERY,,1000\n12/10/2026,RETURN HDFCN520261010,1000,\n13/10/2026,NEFT SHADOWFAX TECH,,500\n20/10/2026,UPI,,1\n",
		}
		require.JSONEq(t, `{"from":"2026-10-10","to":"2026-10-20","payouts":[
			{"report":1,"courier":"delhivery","utr":"HDFCN520261010","remitted_on":"2026-10-10","paid":1000,"state":"reversed","received":0,
			 "credit":{"line":2,"date":"2026-10-10","amount":1000,"courier":"delhivery","narration":"NEFT HDFCN520261010 DELHIVERY"},
			 "debits":[{"line":3,"date":"2026-10-12","amount":1000,"narration":"RETURN HDFCN520261010"}]},
			{"report":1,"courier":"delhivery","remitted_on":"2026-10-12","paid":500,"state":"not_in_statement"}],
			"other_credits":[{"line":4,"date":"2026-10-13","amount":500,"courier":"shadowfax","narration":"NEFT SHADOWFAX TECH"}]}`, found(t, c.Reconcile(t, body).Body))
	})
	t.Run("batches too", func(t *testing.T) {
		id := c.Submit(t, Body{"jobs": []Body{bankBody().With("brand", "x")}}).BatchID
		c.Await(t, id, domain.BatchComplete)
		report := decoded[struct{ Results []json.RawMessage }](t, c.Status(t, id).Body)
		require.JSONEq(t, bankFindings, found(t, report.Results[0]))
	})
	t.Run("a statement that cannot be read is refused", func(t *testing.T) {
		bad := strings.ReplaceAll(bankBody()["bank"].(string), "990.00", "990.0.0")
		c.Reconcile(t, bankBody().With("bank", bad)).Refused(t, 400, `bank statement (bank), line 2, column "Deposit Amt.": "990.0.0" is not an amount; write it like 1299.50`)
		c.Reconcile(t, bankBody().With("bank", "")).Refused(t, 400, "bank statement (bank): is empty")
	})
	t.Run("nothing of it is logged", func(t *testing.T) {
		require.NotContains(t, s.Log.String(), "SECRETNAME")
	})
}
