package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestNamesOfTheAPI holds how sentences name what a client of the API can send.
func TestNamesOfTheAPI(t *testing.T) {
	require.Equal(t, `courier file (courier), line 3: no column was found for awb (looked for AWB); the header found is: a; `+
		`rename the column, or send courierName "custom" with columns {"awb": "its name"}`, said(&domain.FileError{
		File: domain.CourierFile, Rule: domain.RuleNoColumn, Line: 3, Roles: []domain.Role{domain.RoleAWB}, LookedFor: [][]string{{"AWB"}}, Found: []string{"a"},
	}))
	require.Contains(t, said(&domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Line: 2, Column: "Total", Value: "12x"}),
		`storefront file (shopify), line 2, column "Total": "12x" is not an amount`)
	require.Contains(t, said(&domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerOrders, Limit: 50000}), "ledger (previous): has more than 50000 orders")
	require.Equal(t, "previous", Names{}.Field(&domain.Fault{Field: domain.FieldPrevious}))
}
