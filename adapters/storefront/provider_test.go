package storefront

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// cart is a storefront that nobody has.
func cart() Provider {
	return Provider{ID: "cart", Name: "Cart", Export: "Sales, Download", Columns: Names{name: {"Order"}, total: {"Grand Total"}, paidAt: {"Paid on"}, tracking: {"Parcel"}}}
}

func TestProvidersAreValid(t *testing.T) {
	for _, p := range registered {
		require.NoError(t, p.validate(), p.ID)
	}
}

func TestFaultyProviders(t *testing.T) {
	require.NoError(t, cart().validate())
	for what, c := range map[string]struct {
		spoil func(*Provider)
		fails string
	}{
		"an id in capitals": {func(p *Provider) { p.ID = "Cart" }, `ID "Cart" must be small letters`},
		"no name":           {func(p *Provider) { p.Name = "" }, "Name and Export must be there"},
		"no way to it":      {func(p *Provider) { p.Export = "" }, "Name and Export must be there"},
		"no total":          {func(p *Provider) { delete(p.Columns, total) }, "Columns must name the order's name, its total and a date"},
		"no date":           {func(p *Provider) { p.Columns[paidAt] = nil }, "Columns must name the order's name, its total and a date"},
		"a name twice":      {func(p *Provider) { p.Columns[tracking] = []string{"ORDER"} }, `"ORDER" is listed twice`},
		"a name of signs":   {func(p *Provider) { p.Columns[tracking] = []string{"#"} }, `"#" is listed twice, or has no letter`},
		"a word in capitals": {func(p *Provider) { p.Fulfilments = map[string]domain.Fulfilment{"Done": domain.Fulfilled} },
			`Fulfilments: "Done" must be in small letters`},
		"a method in capitals":          {func(p *Provider) { p.Prepaid = []string{"CartPay"} }, `"CartPay", a financial status or a payment method, must be small letters and digits`},
		"a financial status with signs": {func(p *Provider) { p.Financials = map[string]domain.Financial{"part-paid": domain.FinancialPartlyPaid} }, `"part-paid", a financial status`},
		"an id that is taken":           {func(p *Provider) { p.ID = "shopify" }, "the ID is taken"},
	} {
		t.Run(what, func(t *testing.T) {
			p := cart()
			c.spoil(&p)
			defer func() { require.ErrorContains(t, recover().(error), c.fails) }()
			register(p)
		})
	}
}

// TestTheStorefrontThatKnowsMostIsTaken has headers that two storefronts know.
func TestTheStorefrontThatKnowsMostIsTaken(t *testing.T) {
	basket := cart()
	basket.ID, basket.Name, basket.Columns = "basket", "Basket", Names{name: {"Order"}, total: {"Grand Total"}, createdAt: {"Paid on"}, currency: {"Money"}}
	registry := newRegistry(nil, append([]Provider{basket, cart()}, registered...))
	for _, c := range []struct {
		header []string
		who    string
		says   string
	}{
		{[]string{"Order", "Grand Total", "Paid on", "Money"}, "basket", ""},
		{[]string{"Order", "Grand Total", "Paid on", "Parcel", "PARCEL", "Money"}, "cart", ""},
		{[]string{"Order", "Grand Total", "Paid on", "Parcel", "Name", "Total", "Created at"}, "cart", ""},
		{[]string{"Name", "Total", "Paid at", "Order", "Money"}, "shopify", ""},
		{[]string{"Order", "Grand Total", "Paid on"}, "", "storefront file (shopify): the header could be that of an export of Basket or of Cart; export the orders again with all columns"},
		{[]string{"Order", "Grand Total", "Paid on", "Money", "grand total"}, "", `column "Grand Total": stands twice in the header, as columns 2 and 5`},
		{[]string{"Order", "Paid on", "Money", "Name"}, "", ""},
	} {
		cells := make([][]byte, len(c.header))
		for i, word := range c.header {
			cells[i] = []byte(word)
		}
		at, found, err := registry.recognise(cells)
		require.Equal(t, c.who != "" || c.says != "", found || err != nil, "%q", c.header)
		if c.says != "" {
			require.ErrorContains(t, err, c.says)
		} else if found {
			require.Equal(t, c.who, at.provider.ID)
		} else {
			require.ErrorContains(t, registry.noHeader(1, cells), "no column Grand Total was found; the header found is: Order, Paid on, Money, Name; send the orders export as Basket writes it (Sales, Download)")
		}
	}
	require.ErrorContains(t, newRegistry(nil, []Provider{cart()}).noHeader(1, [][]byte{[]byte("order"), []byte("grand total")}), "no column Paid on was found")
}
