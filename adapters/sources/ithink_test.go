package sources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestIThinkReport holds what becomes of the answers of iThink.
func TestIThinkReport(t *testing.T) {
	day := domain.DayFromDate(2026, time.January, 6)
	const header = "Order No.,AWB NO.,Price,Remittance Date,Delivered Date\n"
	for name, c := range map[string]struct {
		answer string
		want   string // the report; blank: an empty day
		fault  domain.ConnectorRule
	}{
		"lines":                  {`{"status":"success","status_code":200,"data":[{"airway_bill_no":"2","order_no":"#2, a","price":"1,299.50","delivered_date":"2026-01-01"},{"airway_bill_no":"1","order_no":"#1","price":"-10","delivered_date":""}]}`, header + "#1,1,-10,06-Jan-2026,\n\"#2, a\",2,\"1,299.50\",06-Jan-2026,2026-01-01\n", ""},
		"numbers and no date":    {`{"status_code":"200","data":[{"airway_bill_no":10011901001,"order_no":7,"price":399.00,"delivered_date":"0000-00-00 00:00:00"}]}`, header + "7,10011901001,399.00,06-Jan-2026,\n", ""},
		"nulls and more fields":  {`{"status_code":200,"new":{},"data":[{"airway_bill_no":"1","order_no":null,"price":"5","delivered_date":null,"new":[1]}]}`, header + ",1,5,06-Jan-2026,\n", ""},
		"an empty day":           {`{"status":"success","status_code":200,"data":[]}`, "", ""},
		"no data":                {`{"status":"success","status_code":200}`, "", domain.ConnAnswer},
		"null":                   {`{"status_code":200,"data":null}`, "", domain.ConnAnswer},
		"a text":                 {`{"status_code":200,"data":"no records"}`, "", domain.ConnAnswer},
		"a line that is no line": {`{"status_code":200,"data":[1]}`, "", domain.ConnAnswer},
		"a line of nobody":       {`{"status_code":200,"data":[{"price":"5"}]}`, "", domain.ConnAnswer},
		"a line without price":   {`{"status_code":200,"data":[{"airway_bill_no":"1"}]}`, "", domain.ConnAnswer},
		"an error in a price":    {`{"status_code":200,"data":[{"airway_bill_no":"1","price":{}}]}`, "", domain.ConnAnswer},
		"refused":                {`{"status":"error","status_code":400,"html_message":"Invalid Access Token."}`, "", domain.ConnRefused},
		"refused by status":      {`{"status":"error","status_code":401}`, "", domain.ConnRefused},
		"another error":          {`{"status":"error","status_code":400,"html_message":"Something went wrong"}`, "", domain.ConnAnswer},
		"no status":              {`{"data":[]}`, "", domain.ConnAnswer},
		"broken":                 {`{"status_code":200,"data":[`, "", domain.ConnAnswer},
		"a page":                 {`<html>`, "", domain.ConnAnswer},
		"nothing":                {``, "", domain.ConnAnswer},
		"a list":                 {`[]`, "", domain.ConnAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ithinkReport([]byte(c.answer), day)
			if c.fault != "" {
				var failure *domain.ConnectorError
				require.ErrorAs(t, err, &failure)
				require.Equal(t, c.fault, failure.Rule)
				require.Empty(t, failure.Setting, "it may be the token or the key")
				require.Nil(t, got)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// FuzzIThinkReport holds that no answer makes anything panic.
func FuzzIThinkReport(f *testing.F) {
	f.Add([]byte(`{"status_code":200,"data":[{"airway_bill_no":"1","order_no":"2","price":"3","delivered_date":"x"}]}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if report, err := ithinkReport(answer, 20000); err != nil && report != nil {
			t.Fatal("an error and a report")
		}
	})
}
