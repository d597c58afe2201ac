package couriers

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// contracts are the couriers of the contract, and custom: what these tests say
// of a header stays true when a courier is added.
func contracts() []Profile {
	return slices.DeleteFunc(slices.Clone(registered), func(p Profile) bool {
		return !slices.Contains([]string{"delhivery", "shiprocket", "xpressbees", "ecom_express", "dtdc", "shadowfax", domain.CustomCourier}, p.ID)
	})
}

// detect reads a header as a run would, with the given profiles.
func detect(profiles []Profile, words ...string) (domain.Mapping, []proposal, error) {
	cells := make([][]byte, len(words))
	for i, word := range words {
		cells[i] = []byte(word)
	}
	h := newHeader(cells)
	proposals := newRegistry(nil, profiles).ask(h, noColumns())
	if len(proposals) == 0 {
		return domain.Mapping{}, nil, h.noCourier(1, noColumns())
	}
	c, err := h.agree(proposals, noColumns())
	return h.mapping(c), proposals, err
}

func ids(proposals []proposal) []string {
	var all []string
	for _, p := range proposals {
		all = append(all, p.courier.info.ID)
	}
	return all
}

// mapping makes a mapping of pairs of role and header.
func mapping(t *testing.T, pairs ...string) domain.Mapping {
	t.Helper()
	var m domain.Mapping
	for i := 0; i < len(pairs); i += 2 {
		role, known := domain.ParseRole(pairs[i])
		require.True(t, known, pairs[i])
		m[role] = pairs[i+1]
	}
	return m
}

func TestDetection(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		best   string // the courier that knows it best
		want   []string
	}{
		{
			"an exact signature beats the names of another courier",
			[]string{"AWB No", "Waybill Number", "COD Amount", "COD Collected", "Remittance Date"},
			"delhivery", []string{"awb", "AWB No", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			"a signature is compared on letters and digits alone",
			[]string{"awb_code *", "TOTAL AMOUNT", "payment-date"},
			"shiprocket", []string{"awb", "awb_code *", "cod_amount", "TOTAL AMOUNT", "remittance_date", "payment-date"},
		},
		{
			"an exact signature beats better names of the vocabulary",
			[]string{"AWB Code", "COD Amount", "Total Amount", "Payment Date", "Remitted Date"},
			"shiprocket", []string{"awb", "AWB Code", "cod_amount", "Total Amount", "remittance_date", "Payment Date"},
		},
		{
			"the vocabulary beats a courier's last resort",
			[]string{"AWB", "Order Value", "COD Amount", "Remittance Date"},
			"shiprocket", []string{"awb", "AWB", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			"DATE is a date of Delhivery's, if there is no better",
			[]string{"Waybill Number", "COD Amount", "DATE"},
			"delhivery", []string{"awb", "Waybill Number", "cod_amount", "COD Amount", "remittance_date", "DATE"},
		},
		{
			"a better date than DATE",
			[]string{"Waybill Number", "COD Amount", "DATE", "Remittance Date"},
			"delhivery", []string{"awb", "Waybill Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			"a net amount proves payment without a date",
			[]string{"Waybill Number", "Amount Payable"},
			"delhivery", []string{"awb", "Waybill Number", "remitted_amount", "Amount Payable"},
		},
		{
			"net and gross beside each other keep apart",
			[]string{"Tracking ID", "Net Amount", "Gross Amount", "Amount", "Paid On"},
			"custom", []string{"awb", "Tracking ID", "cod_amount", "Gross Amount", "remitted_amount", "Net Amount", "remittance_date", "Paid On"},
		},
		{
			"the sum of a batch is no parcel's amount",
			[]string{"TRACKING_ID", "TOTAL_AMOUNT_OF_BATCH", "COD_AMOUNT", "DUE_DATE_OF_REMITTANCE", "ACTUAL_DATE_OF_REMITTANCE"},
			"custom", []string{"awb", "TRACKING_ID", "cod_amount", "COD_AMOUNT", "remittance_date", "ACTUAL_DATE_OF_REMITTANCE"},
		},
		{
			"the day of a return is no delivery",
			[]string{"Order ID", "Collectable Amount", "AWB", "Shipment Status", "RTO Delivered Date", "Remitted Date"},
			"custom", []string{"awb", "AWB", "order_id", "Order ID", "cod_amount", "Collectable Amount", "remittance_date", "Remitted Date", "status", "Shipment Status"},
		},
		{
			"an order id will do where there is no AWB",
			[]string{"Order No", "Settled Amount"},
			"custom", []string{"order_id", "Order No", "remitted_amount", "Settled Amount"},
		},
		{
			"the shop's own order name comes before other ids",
			[]string{"Order ID", "Channel Order ID", "AWB Number", "COD Amount", "Remittance Date", "Ref No"},
			"ecom_express", []string{"awb", "AWB Number", "order_id", "Channel Order ID", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			"optional roles in which couriers would not differ do not matter",
			[]string{"AWB Number", "COD Amount (INR)", "Remittance Date", "UTR No", "UTR", "Status", "Delivery Status", "Order ID", "Reference No"},
			"dtdc", []string{"awb", "AWB Number", "order_id", "Order ID", "cod_amount", "COD Amount (INR)", "remittance_date", "Remittance Date", "status", "Delivery Status", "utr", "UTR"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, proposals, err := detect(contracts(), c.header...)
			require.NoError(t, err)
			require.Equal(t, mapping(t, c.want...), got)
			require.Equal(t, c.best, ids(proposals)[0])
		})
	}
}

func TestCouriersThatAgreeAreOneReading(t *testing.T) {
	_, proposals, err := detect(contracts(), "AWB Number", "COD Amount (INR)", "Remittance Date")
	require.NoError(t, err)
	require.Equal(t, []string{"dtdc", "shadowfax"}, ids(proposals)[:2])
}

func TestAmbiguousHeaders(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		says   []string
	}{
		{
			"two signatures with different amounts",
			[]string{"AWB Number", "COD Amount", "COD Amount (INR)", "Remittance Date"},
			[]string{`cod_amount is "COD Amount" (ecom_express) or "COD Amount (INR)" (dtdc, shadowfax)`, `columns {"cod_amount": "COD Amount"}`},
		},
		{
			"two signatures with different AWBs",
			[]string{"AWB No", "AWB Number", "COD Amount", "Remittance Date"},
			[]string{`awb is "AWB No" (delhivery) or "AWB Number" (ecom_express)`},
		},
		{
			"two signatures that differ in every role",
			[]string{"AWB Code", "Total Amount", "Payment Date", "Waybill Number", "COD Collected", "Settlement Date"},
			[]string{
				`awb is "AWB Code" (shiprocket) or "Waybill Number" (xpressbees)`,
				`cod_amount is "Total Amount" (shiprocket) or "COD Collected" (xpressbees)`,
				`remittance_date is "Payment Date" (shiprocket) or "Settlement Date" (xpressbees)`,
			},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			require.ErrorIs(t, err, domain.ErrFile)
			for _, words := range c.says {
				require.ErrorContains(t, err, words)
			}
		})
	}
}

// Two couriers that are known by the same names.
func rivals(ownA, ownB Names) []Profile {
	signature := Signature{AWB: "Parcel", CODAmount: "Cash", RemittanceDate: "Paid"}
	return []Profile{
		{ID: "first", Name: "First", Signature: signature, Own: ownA},
		{ID: "second", Name: "Second", Signature: signature, Own: ownB},
	}
}

func TestRivalsOverOneHeader(t *testing.T) {
	header := []string{"Parcel", "Cash", "Paid", "Where", "Ref A", "Ref B", "Order ID"}
	for _, c := range []struct {
		what     string
		profiles []Profile
		role     domain.Role
		want     string
		fails    string
	}{
		{what: "one knows more", role: domain.RoleStatus, want: "Where",
			profiles: rivals(Names{domain.RoleStatus: {"Where"}}, nil)},
		{what: "a reference of the bank decides no money: the header's order does", role: domain.RoleUTR, want: "Ref A",
			profiles: rivals(Names{domain.RoleUTR: {"Ref B"}}, Names{domain.RoleUTR: {"Ref A"}})},
		{what: "the order id alone: the better name, until the export decides", role: domain.RoleOrderID, want: "Order ID",
			profiles: rivals(Names{domain.RoleOrderID: {"Ref A"}}, nil)},
		{what: "the order id among others", fails: `order_id is "Ref A" (first) or "Order ID" (second); remitted_amount is "Where" (first) or "Ref B" (second)`,
			profiles: rivals(Names{domain.RoleOrderID: {"Ref A"}, domain.RoleRemittedAmount: {"Where"}}, Names{domain.RoleRemittedAmount: {"Ref B"}})},
		{what: "the net amount decides", fails: `remitted_amount is "Ref A" (second) or "Ref B" (first)`,
			profiles: rivals(Names{domain.RoleRemittedAmount: {"Ref B"}}, Names{domain.RoleRemittedAmount: {"Ref A"}})},
		{what: "the money's status decides", fails: `remittance_status is "Where" (first) or "Ref A" (second)`,
			profiles: rivals(Names{domain.RoleRemittanceStatus: {"Where"}}, Names{domain.RoleRemittanceStatus: {"Ref A"}})},
		{what: "one column for two roles", fails: "would be both",
			profiles: rivals(Names{domain.RoleStatus: {"Where"}}, Names{domain.RoleUTR: {"Where"}})},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, _, err := detect(c.profiles, header...)
			if c.fails != "" {
				require.ErrorIs(t, err, domain.ErrFile)
				require.ErrorContains(t, err, c.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got[c.role])
		})
	}
}

func TestOwnNamesOverruleTheVocabulary(t *testing.T) {
	odd := Profile{ID: "odd", Name: "Odd", Signature: Signature{AWB: "AWB", CODAmount: "COD Value", RemittanceDate: "Paid On"},
		Own: Names{domain.RoleRemittedAmount: {"Amount"}}}
	require.NoError(t, odd.validate())
	for _, header := range [][]string{
		{"AWB", "Amount", "COD Value", "Paid On"},
		{"AWB", "Amount", "Paid On"},
	} {
		got, proposals, err := detect(append(contracts(), odd), header...)
		require.NoError(t, err)
		require.Equal(t, "odd", ids(proposals)[0])
		require.Equal(t, "Amount", got[domain.RoleRemittedAmount])
	}
}

func TestHeadersThatNobodyKnows(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		says   []string
	}{
		{"no parcel", []string{"COD Amount", "Remittance Date"}, []string{"awb or order_id", "AWB Number", "Shopify Order Name", "the header found is: COD Amount, Remittance Date"}},
		{"no amount", []string{"AWB Number", "Remittance Date"}, []string{"cod_amount or remitted_amount", "COD Amount (INR)", "Remitted Amount"}},
		{"no proof of payment", []string{"AWB Number", "COD Amount", "Date"}, []string{"remittance_date", "Actual Date of Remittance", "columns"}},
		{"a long header is cut", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"}, []string{"k, l and 2 more"}},
		{"a blank one is said to be", []string{"", ""}, []string{"(blank)"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			require.ErrorIs(t, err, domain.ErrFile)
			for _, words := range c.says {
				require.ErrorContains(t, err, words)
			}
		})
	}
}

func TestNamesThatStandTwice(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		fails  string
	}{
		{"the AWB", []string{"AWB Number", "awb number", "COD Amount", "Remittance Date"}, `would be awb: columns 1 ("AWB Number") and 2 ("awb number")`},
		{"the amount", []string{"AWB Number", "COD Amount", "Remittance Date", "COD_AMOUNT"}, `would be cod_amount: columns 2 ("COD Amount") and 4 ("COD_AMOUNT")`},
		{"the status", []string{"AWB Number", "COD Amount", "Remittance Date", "Status", "Status"}, `would be status: columns 4`},
		{"a name that plays no role", []string{"AWB Number", "COD Amount", "Remittance Date", "Remarks", "Remarks"}, ""},
		{"a lesser name of a role that is filled", []string{"AWB Number", "COD Amount", "Remittance Date", "UTR", "UTR No", "UTR No"}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			if c.fails == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, domain.ErrFile)
			require.ErrorContains(t, err, c.fails)
			require.ErrorContains(t, err, "rename")
		})
	}
}

// Which file of the package is compiled first must not matter.
func TestDetectionDoesNotDependOnOrder(t *testing.T) {
	headers := [][]string{
		{"AWB Number", "COD Amount (INR)", "Remittance Date", "Status", "Order Status"},
		{"AWB Number", "COD Amount", "COD Amount (INR)", "Remittance Date"},
		{"Waybill Number", "COD Amount", "DATE", "Net Payment", "Transaction Date"},
		{"AWB", "Order Value", "Remittance Date", "Amount Payable", "Waybill Number", "COD Amount"},
		{"Parcel", "Cash", "Paid", "Ref A", "Ref B", "Where"},
	}
	profiles := append(contracts(), rivals(
		Names{domain.RoleUTR: {"Ref B"}, domain.RoleStatus: {"Where"}},
		Names{domain.RoleUTR: {"Ref A"}},
	)...)
	random := rand.New(rand.NewPCG(1, 2))
	for _, header := range headers {
		wantMapping, wantProposals, wantErr := detect(profiles, header...)
		wantCatalogue := newRegistry(nil, profiles).Catalogue()
		for range 50 {
			random.Shuffle(len(profiles), func(i, j int) { profiles[i], profiles[j] = profiles[j], profiles[i] })
			got, proposals, err := detect(profiles, header...)
			require.Equal(t, wantMapping, got)
			require.Equal(t, ids(wantProposals), ids(proposals))
			require.Equal(t, wantErr, err)
			require.Equal(t, wantCatalogue, newRegistry(nil, profiles).Catalogue())
		}
	}
}

// A courier that contributes no column to a header does not know it, even if
// all that a file needs is given.
func TestGivenColumnsMakeNobodyKnowAHeader(t *testing.T) {
	h := newHeader([][]byte{[]byte("Docket"), []byte("Cash"), []byte("Paid"), []byte("UTR")})
	given := noColumns()
	given[domain.RoleAWB], given[domain.RoleCODAmount], given[domain.RoleRemittanceDate] = 0, 1, 2
	proposals := newRegistry(nil, contracts()).ask(h, given)
	require.Equal(t, []string{domain.CustomCourier}, ids(proposals))

	given[domain.RoleRemittanceDate] = absent
	require.Empty(t, newRegistry(nil, contracts()).ask(h, given))
}
