package couriers

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
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
		best   string // the couriers that know it best
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
			"couriers that agree are one reading, and optional roles do not matter",
			[]string{"AWB Number", "COD Amount (INR)", "Remittance Date", "UTR No", "UTR", "Status", "Delivery Status", "Order ID", "Reference No"},
			"dtdc shadowfax", []string{"awb", "AWB Number", "order_id", "Order ID", "cod_amount", "COD Amount (INR)", "remittance_date", "Remittance Date", "status", "Delivery Status", "utr", "UTR"},
		},
		{
			"names that fewer reports have",
			[]string{"Waybill", "Customer Order Number", "Collectable Value", "Remittable Amount", "NEFT Date", "Bank Transaction ID", "Del Date", "Settlement Status"},
			"custom", []string{"awb", "Waybill", "order_id", "Customer Order Number", "cod_amount", "Collectable Value", "remitted_amount", "Remittable Amount",
				"remittance_date", "NEFT Date", "delivered_date", "Del Date", "remittance_status", "Settlement Status", "utr", "Bank Transaction ID"},
		},
		{
			"they take no column from better ones",
			[]string{"Collectable Value", "Amount", "Remittable Amount", "Net Payable", "UTR Date", "Paid On", "Bank Ref", "UTR", "Order Reference", "Ref No", "AWB", "Payout Status", "COD Status"},
			"custom", []string{"awb", "AWB", "order_id", "Ref No", "cod_amount", "Amount", "remitted_amount", "Net Payable", "remittance_date", "Paid On",
				"remittance_status", "COD Status", "utr", "UTR"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, proposals := only.Both(detect(contracts(), c.header...))(t)
			require.Equal(t, mapping(t, c.want...), got)
			require.Equal(t, strings.Fields(c.best), ids(best(proposals)))
		})
	}
}

// The words of charges take no column from another role.
func TestNamesOfOtherRolesAreNoCharges(t *testing.T) {
	all := []Names{vocabulary}
	for _, p := range registered {
		all = append(all, p.Own, p.LastResort, p.Signature.names())
	}
	for _, names := range all {
		for role, words := range names {
			for _, name := range words {
				if name != "Tax" {
					require.Equal(t, role == domain.RoleCharges, readChargeName(name).is, name)
				}
			}
		}
	}
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
			[]string{"cod_amount 2 COD Amount [ecom_express]", "cod_amount 3 COD Amount (INR) [dtdc shadowfax]"},
		},
		{
			"two signatures with different AWBs",
			[]string{"AWB No", "AWB Number", "COD Amount", "Remittance Date"},
			[]string{"awb 1 AWB No [delhivery]", "awb 2 AWB Number [ecom_express]"},
		},
		{
			"two signatures that differ in every role",
			[]string{"AWB Code", "Total Amount", "Payment Date", "Waybill Number", "COD Collected", "Settlement Date"},
			[]string{
				"awb 1 AWB Code [shiprocket]", "awb 4 Waybill Number [xpressbees]",
				"cod_amount 2 Total Amount [shiprocket]", "cod_amount 5 COD Collected [xpressbees]",
				"remittance_date 3 Payment Date [shiprocket]", "remittance_date 6 Settlement Date [xpressbees]",
			},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			require.Equal(t, c.says, claims(t, err))
		})
	}
}

// claims are the columns between which an ambiguous header leaves the choice.
func claims(t *testing.T, err error) (all []string) {
	t.Helper()
	e := faultOf(t, err)
	require.Equal(t, domain.RuleAmbiguous, e.Rule)
	for _, c := range e.Candidates {
		all = append(all, fmt.Sprint(c.Role, " ", c.Place, " ", c.Column, " ", c.Couriers))
	}
	return all
}

// faultOf is what is wrong with a report.
func faultOf(t *testing.T, err error) *domain.FileError {
	t.Helper()
	e, ok := errors.AsType[*domain.FileError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, domain.CourierFile, e.File)
	return e
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
		fails    []string
	}{
		{what: "one knows more", role: domain.RoleStatus, want: "Where",
			profiles: rivals(Names{domain.RoleStatus: {"Where"}}, nil)},
		{what: "a reference of the bank decides no money: the header's order does", role: domain.RoleUTR, want: "Ref A",
			profiles: rivals(Names{domain.RoleUTR: {"Ref B"}}, Names{domain.RoleUTR: {"Ref A"}})},
		{what: "the order id alone: the better name, until the export decides", role: domain.RoleOrderID, want: "Order ID",
			profiles: rivals(Names{domain.RoleOrderID: {"Ref A"}}, nil)},
		{what: "the order id among others", fails: []string{"order_id 5 Ref A [first]", "order_id 7 Order ID [second]", "remitted_amount 4 Where [first]", "remitted_amount 6 Ref B [second]"},
			profiles: rivals(Names{domain.RoleOrderID: {"Ref A"}, domain.RoleRemittedAmount: {"Where"}}, Names{domain.RoleRemittedAmount: {"Ref B"}})},
		{what: "the net amount decides", fails: []string{"remitted_amount 5 Ref A [second]", "remitted_amount 6 Ref B [first]"},
			profiles: rivals(Names{domain.RoleRemittedAmount: {"Ref B"}}, Names{domain.RoleRemittedAmount: {"Ref A"}})},
		{what: "the money's status decides", fails: []string{"remittance_status 4 Where [first]", "remittance_status 5 Ref A [second]"},
			profiles: rivals(Names{domain.RoleRemittanceStatus: {"Where"}}, Names{domain.RoleRemittanceStatus: {"Ref A"}})},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, _, err := detect(c.profiles, header...)
			if c.fails != nil {
				require.Equal(t, c.fails, claims(t, err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got[c.role])
		})
	}
	_, _, err := detect(rivals(Names{domain.RoleStatus: {"Where"}}, Names{domain.RoleUTR: {"Where"}}), header...)
	require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleTwoRoles, Column: "Where", Roles: []domain.Role{domain.RoleStatus, domain.RoleUTR}}, err)
}

// TestRivalsOverASavedMapping holds that a saved mapping is used whatever couriers differ in: the
// roles in doubt have no column, and the others are detected.
func TestRivalsOverASavedMapping(t *testing.T) {
	h := func() *header {
		return newHeader(bytes.Split([]byte("Parcel,Cash,Paid,Where,Ref A,Ref B,Order ID"), []byte(",")))
	}
	saved := domain.NamedMapping{Mapping: mapping(t, "awb", "Parcel", "cod_amount", "Cash", "remittance_date", "Paid")}
	for what, c := range map[string]struct {
		profiles []Profile
		also     []string
	}{
		"one column in two roles": {rivals(Names{domain.RoleStatus: {"Where"}}, Names{domain.RoleUTR: {"Where"}}), []string{"order_id", "Order ID"}},
		"an amount, and not which column names the order": {
			rivals(Names{domain.RoleOrderID: {"Ref A"}, domain.RoleRemittedAmount: {"Where"}}, Names{domain.RoleRemittedAmount: {"Ref B"}}),
			[]string{"order_id", "Order ID"}},
		"what decides no money": {rivals(Names{domain.RoleUTR: {"Ref B"}}, Names{domain.RoleUTR: {"Ref A"}}), []string{"order_id", "Order ID", "utr", "Ref A"}},
		"what is saved":         {rivals(Names{domain.RoleCODAmount: {"Where"}}, Names{domain.RoleAWB: {"Ref A"}}), []string{"order_id", "Order ID"}},
	} {
		found, fits := only.Both(newRegistry(nil, c.profiles).readSaved(h(), &saved))(t)
		require.True(t, fits, what)
		require.Equal(t, saved.Mapping, found.remembered)
		require.Equal(t, mapping(t, append(c.also, "awb", "Parcel", "cod_amount", "Cash", "remittance_date", "Paid")...), found.mapping(), what)
	}
}

func TestOwnNamesOverruleTheVocabulary(t *testing.T) {
	odd := Profile{ID: "odd", Name: "Odd", Signature: Signature{AWB: "AWB", CODAmount: "COD Value", RemittanceDate: "Paid On"},
		Own: Names{domain.RoleRemittedAmount: {"Amount"}}}
	for _, header := range [][]string{
		{"AWB", "Amount", "COD Value", "Paid On"},
		{"AWB", "Amount", "Paid On"},
	} {
		got, proposals := only.Both(detect(append(contracts(), odd), header...))(t)
		require.Equal(t, "odd", ids(proposals)[0])
		require.Equal(t, "Amount", got[domain.RoleRemittedAmount])
	}
}

func TestHeadersThatNobodyKnows(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		roles  []domain.Role
		names  []string
		found  []string
	}{
		{"no parcel", []string{"COD Amount", "", "Remittance Date"}, []domain.Role{domain.RoleAWB, domain.RoleOrderID}, []string{"AWB Number", "Shopify Order Name"}, []string{"COD Amount", "", "Remittance Date"}},
		{"no amount", []string{"AWB Number", "Remittance Date"}, []domain.Role{domain.RoleCODAmount, domain.RoleRemittedAmount}, []string{"COD Amount (INR)", "Remitted Amount"}, []string{"AWB Number", "Remittance Date"}},
		{"no proof of payment", []string{"AWB Number", "COD Amount", "Date"}, []domain.Role{domain.RoleRemittanceDate}, []string{"Actual Date of Remittance"}, []string{"AWB Number", "COD Amount", "Date"}},
		{"a bank's statement", []string{"Transaction Date", "Reference Number", "Amount"}, []domain.Role{domain.RoleAWB, domain.RoleOrderID}, []string{"AWB Number", "Shopify Order Name"}, []string{"Transaction Date", "Reference Number", "Amount"}},
		{"no names", []string{"", ""}, []domain.Role{domain.RoleAWB, domain.RoleOrderID}, []string{"AWB Number", "Shopify Order Name"}, []string{"", ""}},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			e := faultOf(t, err)
			require.Equal(t, domain.RuleNoColumn, e.Rule)
			require.True(t, e.NoHeader)
			require.Equal(t, c.roles, e.Roles)
			require.Equal(t, c.found, e.Found)
			for i, name := range c.names {
				require.Equal(t, name, e.LookedFor[i][0])
			}
		})
	}
}

func TestNamesThatStandTwice(t *testing.T) {
	for _, c := range []struct {
		what   string
		header []string
		twice  []domain.Candidate
	}{
		{"the AWB", []string{"AWB Number", "awb number", "COD Amount", "Remittance Date"}, []domain.Candidate{{Role: domain.RoleAWB, Column: "AWB Number", Place: 1}, {Role: domain.RoleAWB, Column: "awb number", Place: 2}}},
		{"the amount", []string{"AWB Number", "COD Amount", "Remittance Date", "COD_AMOUNT"}, []domain.Candidate{{Role: domain.RoleCODAmount, Column: "COD Amount", Place: 2}, {Role: domain.RoleCODAmount, Column: "COD_AMOUNT", Place: 4}}},
		{"the status", []string{"AWB Number", "COD Amount", "Remittance Date", "Status", "Status"}, []domain.Candidate{{Role: domain.RoleStatus, Column: "Status", Place: 4}, {Role: domain.RoleStatus, Column: "Status", Place: 5}}},
		{"a name that plays no role", []string{"AWB Number", "COD Amount", "Remittance Date", "Remarks", "Remarks"}, nil},
		{"a lesser name of a role that is filled", []string{"AWB Number", "COD Amount", "Remittance Date", "UTR", "UTR No", "UTR No"}, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, _, err := detect(contracts(), c.header...)
			if c.twice == nil {
				require.NoError(t, err)
				return
			}
			require.Equal(t, &domain.FileError{File: domain.CourierFile, Rule: domain.RuleColumnTwice, Column: c.twice[0].Column,
				Roles: []domain.Role{c.twice[0].Role}, Candidates: c.twice}, err)
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
