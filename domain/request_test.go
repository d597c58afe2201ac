package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestLabels(t *testing.T) {
	for label, good := range map[string]bool{
		"": true, "कपड़ा — No. 1": true, strings.Repeat("ñ", 100): true,
		strings.Repeat("ñ", 101): false, "a\tb": false, "a\u0085b": false,
		"Asha \u202eelitxeT": false, "\u2067Asha\u2069": false, "क्\u200dष": true,
	} {
		require.Equal(t, good, domain.GoodLabel(label), "%q", label)
	}
}

func TestBoundsOfARequest(t *testing.T) {
	for days, good := range map[int]bool{0: false, 1: true, 30: true, 31: false} {
		require.Equal(t, good, len(domain.CheckTerms(&days, nil, "")) == 0, days)
	}
	for rupees, good := range map[int]bool{-1: false, 0: true, 10: true, 11: false} {
		require.Equal(t, good, len(domain.CheckTerms(nil, &rupees, "")) == 0, rupees)
	}
	bad := 99
	require.Equal(t, domain.Faults{{Field: domain.FieldOverdueDays, Rule: domain.RuleWhole, Min: 1, Max: 30},
		{Field: domain.FieldMinorGap, Rule: domain.RuleWhole, Min: 0, Max: 10},
		{Field: domain.FieldCharges, Rule: domain.RuleOneOf, Options: []string{"accept", "flag"}}}, domain.CheckTerms(&bad, &bad, "Accept"))
	require.Empty(t, domain.CheckTerms(nil, nil, "accept"))
	require.Empty(t, domain.CheckTerms(nil, nil, "flag"))
}

func TestWhoChoosesWhatChargesAre(t *testing.T) {
	for _, c := range []struct {
		request, connection, account domain.Charges
		accepted                     bool
	}{
		{"", "", "", false},
		{"", "", "accept", true},
		{"", "flag", "accept", false},
		{"accept", "flag", "flag", true},
		{"flag", "accept", "accept", false},
		{"", "accept", "", true},
	} {
		require.Equal(t, c.accepted, domain.TermsFor(nil, 0, nil, c.request, c.connection, c.account).AcceptCharges, c)
	}
	require.False(t, domain.TermsFor(nil, 0, nil).AcceptCharges)
}

func TestRoleNames(t *testing.T) {
	require.Equal(t, "awb, order_id, cod_amount, remitted_amount, remittance_date, delivered_date, status, remittance_status, utr, charges", domain.RoleNames())
}
