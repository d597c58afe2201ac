package storage

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// An instance reads what an earlier version has stored of a pass: no field of the domain that
// stands in it may get another name.
func TestStoredPassesStayReadable(t *testing.T) {
	stored := `{"Orders":3,"Left":{"Orders":1,"Amount":49900},"Leaving":{"Orders":2,"Amount":100},"Warnings":[{"Code":"payout_gap","Count":1,"Amount":2,
		"HasAmount":true,"Report":3,"Reports":4,"Of":5,"File":1,"Column":"a","DayFirst":true,"OtherColumn":"b","Gap":{"After":6,"Before":7,"Every":8,"Courier":"c"},
		"Kind":1,"Each":9,"Share":10,"Unexplained":11,"Stated":12,"StatedCount":13,"Line":14,"Named":15,"Examples":["d"]}],"OpenItems":[{"Courier":"","Orders":16,"Amount":17},{"Courier":"e","Orders":18,"Amount":19}]}`
	strict := json.NewDecoder(strings.NewReader(stored))
	strict.DisallowUnknownFields()
	require.NoError(t, strict.Decode(&sealedDetails{}))
	p := detailsIn(t, []byte(stored))
	require.Equal(t, domain.OrderSum{Orders: 1, Amount: 49900}, p.Left)
	require.Equal(t, domain.OrderSum{Orders: 2, Amount: 100}, p.Leaving)
	require.Equal(t, []domain.Warning{{Code: domain.WarnPayoutGap, Count: 1, Amount: 2, HasAmount: true, Report: 3, Reports: 4, Of: 5, File: 1, Column: "a", DayFirst: true,
		OtherColumn: "b", Gap: domain.Gap{After: 6, Before: 7, Every: 8, Courier: "c"}, Kind: 1, Each: 9, Share: 10, Unexplained: 11, Stated: 12, StatedCount: 13,
		Line: 14, Named: 15, Examples: []string{"d"}}}, p.Warnings)
	require.Equal(t, []domain.CourierSum{{OrderSum: domain.OrderSum{Orders: 16, Amount: 17}}, {Courier: "e", OrderSum: domain.OrderSum{Orders: 18, Amount: 19}}}, p.OpenItems)
	state, err := decodeText[sealedState]([]byte(`{"Unpaid":{"20000":{"Orders":4,"Amount":5}}}`))
	require.NoError(t, err)
	require.Equal(t, map[domain.Day]domain.OrderSum{20000: {Orders: 4, Amount: 5}}, state.state().Unpaid)
}

func detailsIn(t *testing.T, text []byte) (p domain.PassResult) {
	t.Helper()
	details, err := decodeText[sealedDetails](text)
	require.NoError(t, err)
	details.fill(&p)
	return p
}

// A connection that keeps its open items and has none is another one than one that keeps none, as all had before there were any.
func TestNoOpenItemsAreNotThoseOfNobody(t *testing.T) {
	for _, items := range [][]domain.CourierSum{nil, {}, {{Courier: "delhivery", OrderSum: domain.OrderSum{Orders: 12, Amount: 8_420_00}}, {OrderSum: domain.OrderSum{Orders: 1, Amount: 1}}}} {
		require.Equal(t, items, detailsIn(t, detailsOf(domain.PassResult{OpenItems: items})).OpenItems)
	}
	require.Nil(t, detailsIn(t, []byte(`{"Orders":3}`)).OpenItems)
}

// What is sealed for an account can be opened for no other.
func TestSealsAreOfOneAccount(t *testing.T) {
	for name, of := range map[string]func(accountID string) []string{
		"job":        func(a string) []string { return jobPlace("orders", a, domain.BatchJob{BatchID: "b", Position: 1}) },
		"batch URL":  func(a string) []string { return batchURLPlace(a, "b") },
		"billed":     func(a string) []string { return billedPlace(a, "s") },
		"connection": func(a string) []string { return connectionPlace("settings", a, "c") },
		"failure":    func(a string) []string { return failurePlace(a, "d", 1) },
		"file name":  func(a string) []string { return fileNamePlace(a, "f") },
		"content":    func(a string) []string { return fileContentPlace(a, "f") },
		"pass":       func(a string) []string { return passPlace("orders", a, "p") },
		"state":      func(a string) []string { return statePlace(a, "c") },
		"phone":      func(a string) []string { return phonePlace("phones", a) },
		"webhook":    func(a string) []string { return webhookPlace("url", a) },
	} {
		require.NotEqual(t, of("one"), of("another"), name)
	}
}
