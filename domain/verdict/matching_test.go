package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestNamedByAClone tests section 1 on ids: the id of a cloned order means the
// order itself if no order of the export has that id.
func TestNamedByAClone(t *testing.T) {
	clone, order := priced("#1001-C", "", rupees(400)), priced("#1001", "", rupees(600))
	r := pair{orders: []export{clone, order}, lines: []verdict.Remittance{paidOn("", "1001-C", rupees(400)), paidOn("", "1001", rupees(600))}}.reconcile()
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(r))
	r = pair{orders: []export{order, clone}, lines: []verdict.Remittance{paidOn("", "1001", rupees(600)), paidOn("", "1001-C", rupees(400))}}.reconcile()
	require.Equal(t, []string{"RECONCILED", "RECONCILED"}, flagsOf(r))
}

// TestWhoAContradictionSpeaksOf: of several other orders, the reason names the
// first of the export, whatever the order of the lines is.
func TestWhoAContradictionSpeaksOf(t *testing.T) {
	orders := []export{priced("#1", "", rupees(100)), priced("#2", "A2", rupees(200)), priced("#3", "A3", rupees(300)), priced("#4", "", rupees(400))}
	for _, lines := range [][]verdict.Remittance{
		{paidOn("A2", "1", rupees(200)), paidOn("A2", "4", 5), paidOn("A3", "1", rupees(300)), paidOn("A3", "4", 5)},
		{paidOn("A3", "4", 5), paidOn("A3", "1", rupees(300)), paidOn("A2", "4", 5), paidOn("A2", "1", rupees(200))},
	} {
		r := pair{orders: orders, lines: lines}.reconcile()
		for i, other := range []string{"#2", "#1", "#1", "#2"} {
			require.Equal(t, other, string(r.Reason(i).Other), "order %d", i+1)
		}
		require.True(t, r.Reason(0).Notes.Has(domain.NoteNamedOnOther))
		require.True(t, r.Reason(1).Notes.Has(domain.NoteContradiction))
	}
}

// namesakes reconciles two orders of one name, the second created later.
func namesakes(first, second export, lines ...verdict.Remittance) *verdict.Reconciliation {
	return mustDecide(domain.Terms{}, func(orders *verdict.Orders, remittances *verdict.Remittances) {
		a, _ := orders.FindOrAdd([]byte("#1001"))
		a.Total, a.HasTotal, a.CreatedOn = first.Total, first.HasTotal, ago(40)
		if len(first.awbs) > 0 {
			orders.Track(a, first.awbs)
		}
		b := orders.FindOrAddNamesake(a, domain.Moment{Day: ago(30)})
		b.Total, b.HasTotal = second.Total, second.HasTotal
		for _, l := range lines {
			remittances.Add(l)
		}
	})
}

// TestWhichNamesake tests section 1 on two orders with one name: a line belongs to
// the only one whose total it equals, else to the first, and the others count as
// listed.
func TestWhichNamesake(t *testing.T) {
	line := func(listed, stated, collected domain.Paise) verdict.Remittance {
		return verdict.Remittance{OrderID: []byte("1001"), Listed: listed, Stated: stated, Collected: collected, Remitted: stated, RemittedOn: ago(9)}
	}
	for _, c := range []struct {
		name          string
		first, second domain.Paise
		line          verdict.Remittance
		at            int
	}{
		{"what is listed, not what was paid", rupees(1000), rupees(500), line(rupees(500), rupees(1000), rupees(500)), 1},
		{"what was paid where nothing is listed", rupees(1000), rupees(500), line(0, rupees(500), 7), 1},
		{"a paisa listed", rupees(1000), 1, line(1, rupees(1000), 1), 1},
		{"a paisa paid", rupees(1000), 1, line(0, 1, rupees(1000)), 1},
		{"neither", rupees(1000), rupees(500), line(rupees(700), rupees(700), rupees(700)), 0},
		{"both", rupees(500), rupees(500), line(rupees(500), rupees(500), rupees(500)), 0},
		{"all that the line says", rupees(1000), rupees(500), paidOn("", "1001", rupees(500)), 1},
	} {
		r := namesakes(priced("", "", c.first), priced("", "", c.second), c.line)
		require.Equal(t, c.line.Remitted, r.Result(c.at).Remitted, c.name)
		require.Zero(t, r.Result(1-c.at).Remitted, c.name)
		other := r.Reason(1 - c.at)
		require.Equal(t, domain.CauseListedByOther, other.Cause, c.name)
		require.True(t, other.Notes.Has(domain.NoteNamesake), c.name)
		require.Contains(t, r.Warnings(), domain.Warning{Code: domain.WarnOneNameTwoOrders, Count: 1, Examples: []string{"#1001"}}, c.name)
	}
	// One that was matched by its AWB gets such a line as it gets others beside those by AWB, and else they are the other's.
	found := paidOn("A1", "", rupees(1000))
	for name, c := range map[string]struct {
		first  verdict.Remittance // with the AWB of the first order, whose total is ₹1,000
		amount domain.Paise       // of the line with the name
		want   [2]domain.Paise
	}{
		"listed by its AWB, paid by its name": {verdict.Remittance{AWB: []byte("A1")}, rupees(1000), [2]domain.Paise{rupees(1000), 0}},
		"paid by its AWB":                     {found, rupees(1000), [2]domain.Paise{rupees(1000), 0}},
		"with the total of the other":         {found, rupees(500), [2]domain.Paise{rupees(1000), rupees(500)}},
		"with the total of none":              {found, rupees(450), [2]domain.Paise{rupees(1000), rupees(450)}},
	} {
		r := namesakes(priced("", "A1", rupees(1000)), priced("", "", rupees(500)), c.first, paidOn("", "1001", c.amount))
		require.Equal(t, c.want, [2]domain.Paise{r.Result(0).Remitted, r.Result(1).Remitted}, name)
		require.False(t, r.Reason(0).Notes.Has(domain.NoteNamesake), name)
		require.True(t, r.Reason(1).Notes.Has(domain.NoteNamesake), name)
	}
}
