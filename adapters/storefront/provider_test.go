package storefront

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// cart is a storefront that nobody has.
func cart() Provider {
	return Provider{ID: "cart", Name: "Cart", Export: "Sales, Download", Columns: Names{name: {"Order"}, total: {"Grand Total"}, paidAt: {"Paid on"}, tracking: {"Parcel"}}}
}

// TestProvidersAreSound checks what the compiler cannot.
func TestProvidersAreSound(t *testing.T) {
	ids := map[string]bool{}
	for _, p := range slices.Concat(registered, unexported) {
		require.Regexp(t, `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, p.ID, "small letters and digits, words joined by _")
		require.False(t, ids[p.ID], "%s is registered twice", p.ID)
		ids[p.ID] = true
		require.NotEmpty(t, p.Name, "messages to people name %s", p.ID)
		if !slices.ContainsFunc(unexported, func(u Provider) bool { return u.ID == p.ID }) {
			require.NotEmpty(t, p.Export, "messages say where people click in %s", p.Name)
		}
		require.NotEmpty(t, p.Columns[name], "%s has no column of the orders' names", p.Name)
		require.NotEmpty(t, p.Columns[total], "%s has no column of totals", p.Name)
		require.NotEmpty(t, slices.Concat(p.Columns[createdAt], p.Columns[paidAt], p.Columns[fulfilledAt]), "%s has no column of dates", p.Name)
		keys := map[string]bool{"": true}
		for _, n := range slices.Concat(slices.Collect(maps.Values(p.Columns))...) {
			require.False(t, keys[domain.HeaderKey(n)], "%s: %q stands twice in Columns, or has no letter or digit to compare", p.Name, n)
			keys[domain.HeaderKey(n)] = true
		}
		require.True(t, len(p.Columns[cancelledAt]) > 0 ||
			slices.Contains(slices.Collect(maps.Values(p.Financials)), domain.FinancialVoided) ||
			slices.Contains(slices.Collect(maps.Values(p.Fulfilments)), verdict.Restocked), "couriers would be asked for the cancelled orders of %s", p.Name)
		for word := range p.Fulfilments {
			require.Equal(t, strings.ToLower(word), word, "a fulfilment status is given in small letters")
		}
		for _, word := range slices.AppendSeq(slices.Clone(p.Prepaid), maps.Keys(p.Financials)) {
			require.NotEmpty(t, word)
			require.Equal(t, domain.HeaderKey(word), word, "a financial status and a payment method are given as small letters and digits")
		}
	}
}

// TestTheStorefrontThatKnowsMostIsTaken has headers that two storefronts know.
func TestTheStorefrontThatKnowsMostIsTaken(t *testing.T) {
	basket := cart()
	basket.ID, basket.Name, basket.Columns = "basket", "Basket", Names{name: {"Order"}, total: {"Grand Total"}, createdAt: {"Paid on"}, currency: {"Money"}}
	ofBasket, ofCart := domain.Exporter{Storefront: "Basket", Steps: basket.Export}, domain.Exporter{Storefront: "Cart", Steps: cart().Export}
	registry := newRegistry(nil, append([]Provider{basket, cart()}, registered...))
	for _, c := range []struct {
		header []string
		who    string
		fault  *domain.FileError
	}{
		{[]string{"Order", "Grand Total", "Paid on", "Money"}, "basket", nil},
		{[]string{"Order", "Grand Total", "Paid on", "Parcel", "PARCEL", "Money"}, "cart", nil},
		{[]string{"Order", "Grand Total", "Paid on", "Parcel", "Name", "Total", "Created at"}, "cart", nil},
		{[]string{"Name", "Total", "Paid at", "Order", "Money"}, "shopify", nil},
		{[]string{"Order", "Grand Total", "Paid on"}, "", &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleTwoExports, Exporters: []domain.Exporter{ofBasket, ofCart}}},
		{[]string{"Order", "Grand Total", "Paid on", "Money", "grand total"}, "", &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleColumnTwice, Column: "Grand Total", Candidates: []domain.Candidate{{Place: 2}, {Place: 5}}}},
		{[]string{"Order", "Paid on", "Money", "Name"}, "", nil},
	} {
		cells := make([][]byte, len(c.header))
		for i, word := range c.header {
			cells[i] = []byte(word)
		}
		at, found, err := registry.recognise(cells)
		require.Equal(t, c.who != "" || c.fault != nil, found || err != nil, "%q", c.header)
		if c.fault != nil {
			require.Equal(t, c.fault, err)
		} else if found {
			require.Equal(t, c.who, at.provider.ID)
		} else {
			require.Equal(t, &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoColumn, Line: 1, NoHeader: true,
				LookedFor: [][]string{{"Grand Total"}}, Found: c.header, Exporters: []domain.Exporter{ofBasket}}, registry.explainNoHeader(1, cells))
		}
	}
	nobodys, _ := errors.AsType[*domain.FileError](registry.explainNoHeader(1, [][]byte{[]byte("a")}))
	require.Equal(t, "Shopify", nobodys.Exporters[0].Storefront)
	undated, _ := errors.AsType[*domain.FileError](newRegistry(nil, []Provider{cart()}).explainNoHeader(1, [][]byte{[]byte("order"), []byte("grand total")}))
	require.Equal(t, [][]string{{"Paid on"}}, undated.LookedFor)
}
