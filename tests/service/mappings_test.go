package service

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// Reports of one payment whose columns tell which mapping was used. Detection
// takes COD Amount before Order Value.
const (
	byOrderValue = "AWB No,Order Value,Remittance Date\nAWB1001,500,2026-10-10\n"
	byCODAmount  = "AWB No,COD Amount,Remittance Date\nAWB1001,400,2026-10-10\n"
	byBoth       = "AWB No,COD Amount,Order Value,Remittance Date\nAWB1001,400,500,2026-10-10\n"
)

// paid is what a report says was paid, sent with a courierName.
func paid(t *testing.T, c *Customer, report string) string {
	t.Helper()
	return remittedAs(t, c, Body{"courierName": "delhivery", "courier": report})
}

func remittedAs(t *testing.T, c *Customer, fields Body) string {
	t.Helper()
	body := Small()
	maps.Copy(body, fields)
	return c.Run(t, body).Results[0].Remitted.String()
}

// TestMappings holds how columns are found (sections 2.1 and 4.5; guide:
// verdict 1).
func TestMappings(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("on Enterprise a mapping is saved and used again with its courierName", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, "400", paid(t, s.Customer(t, OnPlan(domain.Enterprise)), byBoth), "what detection chooses")
		require.Equal(t, "500", paid(t, c, byOrderValue))
		require.Equal(t, "500", paid(t, c, byBoth))
		require.Equal(t, "400", remittedAs(t, c, Body{"courierName": "dtdc", "courier": byBoth}), "saved for another courierName")
		require.Equal(t, "400", remittedAs(t, c, Body{"courier": byBoth}), "no courierName, no saved mapping")
		require.Equal(t, "500", remittedAs(t, c, Body{"courierName": "DELHIVERY ", "courier": byBoth, "brand": "b"}), "by the id, however it is written")
	})
	t.Run("what was collected alone is warned of if a person has chosen it, now or when the mapping was saved", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		asCustom := Small().With("courierName", "custom").With("courier", "Docket,Amt,Paid\nAWB1001,300,2026-10-10\n")
		for _, body := range []Body{asCustom.With("columns", Body{"awb": "Docket", "cod_amount": "Amt", "remittance_date": "Paid"}), asCustom} {
			require.Contains(t, c.Run(t, body).codes(), "collected_only")
			s.Clock.Advance(time.Minute)
		}
		for range 2 { // detected, and then saved as it was detected
			require.NotContains(t, c.Run(t, Small().With("courierName", "delhivery").With("courier", byCODAmount)).codes(), "collected_only")
			s.Clock.Advance(time.Minute)
		}
	})
	t.Run("a column that a later report has besides is found and saved too", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, "400", paid(t, c, byCODAmount))
		s.Clock.Advance(time.Minute)
		require.Equal(t, "0", paid(t, c, "AWB No,COD Amount,Remittance Date,Remittance Status\nAWB1001,400,2026-10-10,Pending\n"))
		s.Clock.Advance(time.Minute)
		require.Equal(t, "350", paid(t, c, "AWB No,COD Amount,Remitted Amount,Remittance Date\nAWB1001,400,350,2026-10-10\n"))
	})
	t.Run("the column of the order is found for each brand, unless a person has named it", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		for _, head := range []string{"AWB No,Order ID,Reference No,COD Amount,Remittance Date\nAWB99,", "Order ID,Reference No,COD Amount,Remittance Date\n"} {
			require.Equal(t, "400", paid(t, c, head+"77,#1001,400,2026-10-10\n"))
			s.Clock.Advance(time.Minute)
			require.Equal(t, "400", paid(t, c, head+"#1001,77,400,2026-10-10\n"))
			s.Clock.Advance(time.Minute)
		}
		const byReference = "Order ID,Reference No,COD Amount,Remittance Date\n#1001,77,400,2026-10-10\n"
		named := Body{"courierName": "custom", "courier": byReference}
		require.Equal(t, "0", remittedAs(t, c, Body{"courierName": "custom", "courier": byReference, "columns": Body{"order_id": "Reference No"}}))
		require.Equal(t, "0", remittedAs(t, c, named.With("brand", "b")))
	})
	t.Run("what a person has named is saved no more when the header has been detected afresh", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		asCustom := func(report string) Body { return Body{"courierName": "custom", "courier": report} }
		first := asCustom("Order ID,Reference No,COD Amount,Remittance Date\n77,#1001,400,2026-10-10\n")
		require.Equal(t, "400", remittedAs(t, c, first.With("columns", Body{"order_id": "Reference No"})))
		require.Equal(t, "500", remittedAs(t, c, asCustom("Order ID,Order Value,Remittance Date\n#1001,500,2026-10-10\n")))
		require.Equal(t, "500", remittedAs(t, c, asCustom("Order ID,Order Value,COD Amount,Remittance Date\n#1001,500,400,2026-10-10\n")))
	})
	t.Run("a run that fails saves no mapping", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		c.Reconcile(t, Small().With("courierName", "delhivery").With("courier", byOrderValue+"A2,x,2026-10-10\n")).Refused(t, 400, "courier file (courier), line 3")
		require.Equal(t, "400", paid(t, c, byBoth))
	})
	t.Run("on Pro courierName has no effect on the mapping", func(t *testing.T) {
		c := s.Customer(t)
		require.Equal(t, "500", paid(t, c, byOrderValue))
		require.Equal(t, "400", paid(t, c, byBoth))
		c.Change(t, OnPlan(domain.Enterprise))
		require.Equal(t, "400", remittedAs(t, c, Body{"courierName": "delhivery", "courier": byBoth, "brand": "b"}), "nothing was saved")
	})
}
