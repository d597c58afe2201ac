package domain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestResultsBearTheirDates(t *testing.T) {
	march := func(day int) Day { return DayFromDate(2026, time.March, day) }
	var orders Orders
	var lines Remittances
	var r Reconciliation
	orders.Reset()
	for _, name := range []string{"dated", "undated"} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal = 100_00, true
	}
	dated, _ := orders.FindOrAdd([]byte("dated"))
	dated.CreatedOn, dated.FulfilledOn = march(1), march(3)
	require.NoError(t, r.Decide(&orders, &lines, TermsFor(nil, 0, nil)))
	require.Equal(t, march(1), r.Result(0).OrderedOn)
	require.Equal(t, march(10), r.Result(0).DueBy, "seven days after it was sent")
	require.Equal(t, NoDay, r.Result(1).OrderedOn)
	require.Equal(t, NoDay, r.Result(1).DueBy)
}
