package quarter

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// TestAMarkIsOfOneOrder holds that what is noted on one of two orders of one name and day is not the other's, and that nothing
// is asked for an order that is written off.
func TestAMarkIsOfOneOrder(t *testing.T) {
	m := Month{reports: [][]string{{"555,,1,1,2026-01-31,Z,"}}}
	for i, at := range []string{"09", "15"} {
		m.orders = append(m.orders, order{name: "#5001", awb: []string{"19040760868931", "19040760868932"}[i], courier: "delhivery", total: "900", financial: "pending",
			fulfilment: "fulfilled", created: "2026-01-03 " + at + ":00:00 +0530"})
	}
	m.orders = append(m.orders, order{name: "#9999", total: "1", financial: "pending", fulfilment: "fulfilled", created: "2026-01-30 10:00:00 +0530"})
	r := reconciling()
	book := only.Value(excelize.OpenReader(bytes.NewReader(asWorkbook(t)(reconcile(t, r, request(m))))))(t)
	rows := only.Value(book.GetRows("Open items"))(t)
	require.Equal(t, "19040760868932", rows[2][1])
	require.NoError(t, book.SetCellStr("Open items", "M3", domain.WrittenOff.String()))
	require.Equal(t, "State", rows[0][12])
	marked := only.Value(book.WriteToBuffer())(t)
	req := request(m)
	req.Previous = marked.Bytes()
	run := reconcile(t, r, req)
	asked := func(run *ports.FinishedRun) (sum domain.Paise) {
		for i := range run.Len() {
			sum += run.Asked(i)
		}
		return sum
	}
	require.Equal(t, domain.Paise(900_00), asked(run))
	_, all := run.Movements()
	require.Equal(t, domain.Paise(900_00), all.WrittenOff.Amount)
	require.Equal(t, domain.Paise(900_00), all.Now.Amount)
}
