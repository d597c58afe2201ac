package storefront_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An export may name the carrier in several columns, of which one app fills in what
// another leaves blank. The first cell of an order that is not blank holds.
func TestCarriersOfAnExport(t *testing.T) {
	const dated = ",2026-03-01 10:00:00 +0530,100,"
	for _, column := range []string{"Tracking Company", "Shipping Carrier", "Courier", "Courier Name", "Fulfillment: Tracking Company"} {
		orders := mustRead(t, "Name,Created at,Total,"+column+"\n#1"+dated+"Delhivery\n#2"+dated+"\n#2,,,DTDC\n#2,,,Delhivery\n#3"+dated+"N/A\n")
		require.Equal(t, "Delhivery", string(orders.Text(orders.At(0).Carrier)), column)
		require.Equal(t, "DTDC", string(orders.Text(orders.At(1).Carrier)), column)
		require.Zero(t, orders.At(2).Carrier, column)
	}
	orders := mustRead(t, "Name,Created at,Total,Courier,Tracking Company\n#1"+dated+",Delhivery\n#2"+dated+"DTDC,Delhivery\n")
	require.Equal(t, "Delhivery", string(orders.Text(orders.At(0).Carrier)))
	require.Equal(t, "DTDC", string(orders.Text(orders.At(1).Carrier)))
}

// The carriers of many orders are one text.
func TestCarriersAreSharedTexts(t *testing.T) {
	orders := mustRead(t, "Name,Created at,Total,Courier\n#1,2026-03-01,100,Delhivery\n#2,2026-03-01,100,Delhivery\n")
	require.Equal(t, orders.At(0).Carrier, orders.At(1).Carrier)
}
