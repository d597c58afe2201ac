package couriers_test

import (
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// choose makes the columns of a request of pairs of role and header.
func choose(t *testing.T, pairs ...string) map[domain.Role]string {
	t.Helper()
	named := map[domain.Role]string{}
	for i := 0; i < len(pairs); i += 2 {
		role, known := domain.ParseRole(pairs[i])
		require.True(t, known, pairs[i])
		named[role] = pairs[i+1]
	}
	return named
}

func mapped(t *testing.T, pairs ...string) domain.Mapping {
	var m domain.Mapping
	for role, name := range choose(t, pairs...) {
		m[role] = name
	}
	return m
}

func TestColumnsOfTheRequest(t *testing.T) {
	amounts := []domain.Role{domain.RoleCODAmount, domain.RoleRemittedAmount}
	for _, c := range []struct {
		what    string
		file    string
		columns []string
		want    []string
		fails   *domain.FileError
	}{
		{
			what:    "all that is needed is named",
			file:    "Parcel,Cash,Paid\nP1,10,2026-02-03\n",
			columns: []string{"awb", "Parcel", "cod_amount", "cash", "remittance_date", "PAID"},
			want:    []string{"awb", "Parcel", "cod_amount", "Cash", "remittance_date", "Paid"},
		},
		{
			what:    "the rest is detected",
			file:    "Parcel,COD Amount,Remittance Date,UTR\nP1,10,2026-02-03,U1\n",
			columns: []string{"awb", "Parcel"},
			want:    []string{"awb", "Parcel", "cod_amount", "COD Amount", "remittance_date", "Remittance Date", "utr", "UTR"},
		},
		{
			what:    "a named column plays no other role",
			file:    "AWB Number,COD Amount,Amount,Remittance Date\nP1,10,9,2026-02-03\n",
			columns: []string{"remitted_amount", "COD Amount"},
			want:    []string{"awb", "AWB Number", "cod_amount", "Amount", "remitted_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			what:    "an ambiguity is settled by naming the column",
			file:    "AWB Number,COD Amount,COD Amount (INR),Remittance Date\nP1,10,9,2026-02-03\n",
			columns: []string{"cod_amount", "COD Amount (INR)"},
			want:    []string{"awb", "AWB Number", "cod_amount", "COD Amount (INR)", "remittance_date", "Remittance Date"},
		},
		{
			what:    "two spellings are told apart by the exact text",
			file:    "AWB,awb,COD Amount,Remittance Date\nP1,P2,10,2026-02-03\n",
			columns: []string{"awb", "awb"},
			want:    []string{"awb", "awb", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
		},
		{
			what:    "a header in another script",
			file:    "पार्सल,राशि,Remittance Date\nP1,10,2026-02-03\n",
			columns: []string{"awb", "पार्सल", "cod_amount", " राशि "},
			want:    []string{"awb", "पार्सल", "cod_amount", "राशि", "remittance_date", "Remittance Date"},
		},
		{
			what:    "the header is the first line with all named columns",
			file:    "AWB Number;COD Amount;Remittance Date\nAWB Number;Cash;Remittance Date\nP1;10;2026-02-03\n",
			columns: []string{"cod_amount", "Cash"},
			want:    []string{"awb", "AWB Number", "cod_amount", "Cash", "remittance_date", "Remittance Date"},
		},
		{
			what:    "a column that is not there",
			file:    "AWB Number,COD Amount,Remittance Date\nP1,10,2026-02-03\n",
			columns: []string{"awb", "Docket"},
			fails: &domain.FileError{Rule: domain.RuleNotThere, Line: 1, NoHeader: true, Value: "Docket", Roles: []domain.Role{domain.RoleAWB},
				Found: []string{"AWB Number", "COD Amount", "Remittance Date"}},
		},
		{
			what:    "a blank name fits no column",
			file:    "AWB Number,COD Amount,,Remittance Date\nP1,10,,2026-02-03\n",
			columns: []string{"utr", ""},
			fails: &domain.FileError{Rule: domain.RuleNotThere, Line: 1, NoHeader: true, Roles: []domain.Role{domain.RoleUTR},
				Found: []string{"AWB Number", "COD Amount", "", "Remittance Date"}},
		},
		{
			what:    "a name of two columns",
			file:    "Docket,DOCKET,COD Amount,Remittance Date\nP1,P2,10,2026-02-03\n",
			columns: []string{"awb", "docket"},
			fails: &domain.FileError{Rule: domain.RuleColumnTwice, Column: "Docket", Roles: []domain.Role{domain.RoleAWB},
				Candidates: []domain.Candidate{{Role: domain.RoleAWB, Column: "Docket", Place: 1}, {Role: domain.RoleAWB, Column: "DOCKET", Place: 2}}},
		},
		{
			what:    "one of two columns of a name is chosen, so the other is for no role",
			file:    "AWB Number,Amount %,Amount ₹,Remittance Date\nP1,90,450,2026-02-03\n",
			columns: []string{"remitted_amount", "Amount ₹"},
			want:    []string{"awb", "AWB Number", "remitted_amount", "Amount ₹", "remittance_date", "Remittance Date"},
		},
		{
			what:    "one column for two roles",
			file:    "Docket,Cash,Paid\nP1,10,2026-02-03\n",
			columns: []string{"awb", "Docket", "cod_amount", "Cash", "remitted_amount", "cash"},
			fails:   &domain.FileError{Rule: domain.RuleTwoRoles, Column: "Cash", Roles: amounts},
		},
		{
			what:    "the rest is not to be found",
			file:    "Docket,Cash,Paid\nP1,10,2026-02-03\n",
			columns: []string{"awb", "Docket"},
			fails:   &domain.FileError{Rule: domain.RuleNoColumn, NoHeader: true, Roles: amounts, Found: []string{"Docket", "Cash", "Paid"}},
		},
		{
			what:    "the line with the named columns is shown, not a wider one",
			file:    "Report,of,all,parcels,paid\nDocket,Cash,Paid\nP1,10,2026-02-03\n",
			columns: []string{"awb", "Docket"},
			fails:   &domain.FileError{Rule: domain.RuleNoColumn, NoHeader: true, Roles: amounts, Found: []string{"Docket", "Cash", "Paid"}},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			// A saved mapping does not matter where the request names columns.
			saved := mapped(t, "awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date")
			lines, got, err := readAs(ports.MappingChoice{Columns: choose(t, c.columns...), Saved: &saved}, c.file, noOrders)
			if c.fails != nil {
				e, _ := errors.AsType[*domain.FileError](err)
				require.NotNil(t, e, "%v", err)
				c.fails.File, e.LookedFor = domain.CourierFile, nil
				require.Equal(t, c.fails, e)
				return
			}
			require.NoError(t, err)
			require.Equal(t, mapped(t, c.want...), got)
			require.Equal(t, 1, lines.Len())
		})
	}
}

func TestSavedMappings(t *testing.T) {
	const detected = "AWB Number,COD Amount,Remittance Date,Docket,Cash\nP1,10,2026-02-03,D1,7\n"
	for _, c := range []struct {
		what  string
		file  string
		saved []string
		want  []string
		awb   string
		doubt []string // columns
	}{
		{
			what: "goes before what detection would choose, which finds the roles that it lacks", file: detected,
			saved: []string{"awb", "Docket", "remitted_amount", "Cash"},
			want:  []string{"awb", "Docket", "cod_amount", "COD Amount", "remitted_amount", "Cash", "remittance_date", "Remittance Date"}, awb: "D1",
		},
		{
			what: "finds its header below a line that detection would take", file: "AWB Number,COD Amount,Remittance Date\nDocket,Cash,x\nD2,7,\n",
			saved: []string{"awb", "docket", "remitted_amount", "CASH"},
			want:  []string{"awb", "Docket", "remitted_amount", "Cash"}, awb: "D2",
		},
		{
			what: "is left aside if a header is gone", file: detected,
			saved: []string{"awb", "Docket", "remitted_amount", "Cash", "utr", "Bank Ref"},
			want:  []string{"awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"}, awb: "P1",
		},
		{
			what: "may lack required roles", file: "Remarks\n" + detected,
			saved: []string{"awb", "Docket"},
			want:  []string{"awb", "Docket", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"}, awb: "D1",
		},
		{
			what: "may lack all roles", file: "Remarks\n" + detected,
			want: []string{"awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"}, awb: "P1",
		},
		{
			what: "is left aside if a name of it stands twice", file: "AWB Number,COD Amount,Remittance Date,Docket,Docket,Cash\nP1,10,2026-02-03,D1,D2,7\n",
			saved: []string{"awb", "Docket", "remitted_amount", "Cash"},
			want:  []string{"awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"}, awb: "P1",
		},
		{
			what: "leaves out a role that it lacks and whose names stand twice, and no other",
			file: "Docket,Cash,UTR,UTR,Status,Status,Remittance Status,Remittance Status,Order ID,Order ID,COD Amount,COD Amount,Remittance Date\n" +
				"D1,7,u1,u2,,,,,o1,o2,10,11,2026-02-03\n",
			saved: []string{"awb", "Docket", "remitted_amount", "Cash"},
			want:  []string{"awb", "Docket", "remitted_amount", "Cash", "remittance_date", "Remittance Date"}, awb: "D1",
			doubt: []string{"Order ID", "COD Amount", "Status", "Remittance Status", "UTR"},
		},
		{
			what:  "leaves out a role that it lacks and that couriers read from different columns",
			file:  "Docket,Cash,COD Amount,COD Amount (INR),AWB Number,Remittance Date\nD1,7,10,11,P1,2026-02-03\n",
			saved: []string{"awb", "Docket", "remitted_amount", "Cash"},
			want:  []string{"awb", "Docket", "remitted_amount", "Cash", "remittance_date", "Remittance Date"}, awb: "D1",
			doubt: []string{"COD Amount", "COD Amount (INR)"},
		},
		{
			what:  "is used beside usual names that stand twice",
			file:  "AWB Number,COD Amount,Remittance Date,Status,UTR,UTR\nP1,10,2026-02-03,,u1,u2\n",
			saved: []string{"awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date"},
			want:  []string{"awb", "AWB Number", "cod_amount", "COD Amount", "remittance_date", "Remittance Date", "status", "Status"}, awb: "P1",
			doubt: []string{"UTR"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			saved := mapped(t, c.saved...)
			lines, got := only.Both(readAs(ports.MappingChoice{Saved: &saved}, c.file, noOrders))(t)
			require.Equal(t, mapped(t, c.want...), got)
			require.Equal(t, c.awb, string(lines.At(0).AWB))
			var warned []string
			for _, w := range lines.Warnings {
				if w.Code == domain.WarnColumnsInDoubt {
					warned = w.Examples
				}
			}
			require.Equal(t, c.doubt, warned)
		})
	}
}

// TestARequiredRoleInDoubtBesideASavedMapping holds that the columns between which a person must choose are named, and none that
// the mapping has chosen.
func TestARequiredRoleInDoubtBesideASavedMapping(t *testing.T) {
	for what, c := range map[string]struct {
		file  string
		saved []string
		role  domain.Role
		names string
	}{
		"a date that stands twice, beside an amount that is chosen": {
			"AWB Number,COD Amount,COD Amount (INR),UTR,UTR,Remittance Date,Remittance Date\nP1,10,11,u1,u2,2026-02-03,2026-02-04\n",
			[]string{"awb", "AWB Number", "cod_amount", "COD Amount"}, domain.RoleRemittanceDate, "Remittance Date"},
		"an amount paid out in place of a date": {
			"AWB Number,COD Amount,COD Amount (INR),Remitted Amount,Remitted Amount\nP1,10,11,9,9\n",
			[]string{"awb", "AWB Number", "cod_amount", "COD Amount"}, domain.RoleRemittedAmount, "Remitted Amount"},
		"the order's id, beside an amount and a date that are chosen": {
			"Order ID,Order ID,COD Amount,COD Amount (INR),Remittance Date\n1,2,10,11,2026-02-03\n",
			[]string{"cod_amount", "COD Amount", "remittance_date", "Remittance Date"}, domain.RoleOrderID, "Order ID"},
	} {
		saved := domain.NamedMapping{Name: "ours", Mapping: mapped(t, c.saved...)}
		for _, choice := range []ports.MappingChoice{{Saved: &saved.Mapping}, {Asked: &saved}} {
			_, _, err := readAs(choice, c.file, noOrders)
			e, _ := errors.AsType[*domain.FileError](err)
			require.NotNil(t, e, what)
			require.Equal(t, []any{domain.RuleColumnTwice, []domain.Role{c.role}, c.names}, []any{e.Rule, e.Roles, e.Column}, what)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	saved := mapped(t, "awb", "Docket", "remitted_amount", "Cash")
	for _, choice := range []ports.MappingChoice{{}, {Saved: &saved}} {
		for file, want := range map[string]domain.FileError{
			"":                         {Rule: domain.RuleEmpty},
			"PK\x03\x04 and so on":     {Rule: domain.RuleWorkbook},
			"a,b\n1,2\n":               {Rule: domain.RuleNoColumn, Line: 1},
			"Title\n\nAWB,Date\n1,2\n": {Rule: domain.RuleNoColumn, Line: 3},
			"AWB Number,COD Amount,COD Amount (INR),Remittance Date\n": {Rule: domain.RuleAmbiguous},
		} {
			_, _, err := readAs(choice, file, noOrders)
			e, _ := errors.AsType[*domain.FileError](err)
			require.NotNil(t, e, "%q: %v", file, err)
			require.Equal(t, []any{domain.CourierFile, want.Rule, want.Line}, []any{e.File, e.Rule, e.Line})
		}
	}
}

// noOrders is for reports that say by themselves how they are to be read.
func noOrders() *verdict.Orders { return nil }

func TestRecognise(t *testing.T) {
	registry := couriers.New(table.New())

	recognitions, mapping := only.Both(registry.Recognise(ports.Content{Bytes: []byte("AWB Number,COD Amount,Remittance Date\n")}))(t)
	require.Contains(t, best(recognitions), "ecom_express")
	require.True(t, recognitions[0].Exact)
	require.Equal(t, mapping, recognitions[0].Mapping)
	require.Equal(t, custom, recognitions[len(recognitions)-1].Courier.ID)
	require.False(t, recognitions[len(recognitions)-1].Exact)

	recognitions, mapping, err := registry.Recognise(ports.Content{Bytes: []byte("AWB Number,COD Amount,COD Amount (INR),Remittance Date\n")})
	e, _ := errors.AsType[*domain.FileError](err)
	require.NotNil(t, e)
	require.Equal(t, domain.RuleAmbiguous, e.Rule)
	require.Subset(t, best(recognitions), []string{"dtdc", "ecom_express", "shadowfax"}, "who disagrees is shown")
	require.Zero(t, mapping)

	recognitions, _, err = registry.Recognise(ports.Content{Bytes: []byte("a,b\n")})
	require.ErrorIs(t, err, domain.ErrFile)
	require.Empty(t, recognitions)
}

// Mappings were saved with hashes of headers as they are written, before letters with a dot below became two characters.
func TestAMappingThatWasSavedBeforeLettersBecameTwo(t *testing.T) {
	formerly := domain.HeaderHash(sha256.Sum256([]byte("bank\x1fremitteddate\x1fजो\u095c\x1f")))
	mapping := domain.Mapping{domain.RoleAWB: "जो\u095c", domain.RoleRemittedAmount: "Bank"}
	for _, docket := range []string{"जो\u095c", "जो\u0921\u093c"} {
		header := docket + ",Bank,Remitted Date\nAWB1001,450,2026-10-10\n"
		for name, choice := range map[string]ports.MappingChoice{
			"by its header": {Named: []domain.NamedMapping{{Name: "ours", Header: formerly, Mapping: mapping}}},
			"by its name":   {Asked: &domain.NamedMapping{Name: "ours", Header: formerly, Mapping: mapping}},
		} {
			_, read, err := readAs(choice, header, noOrders)
			require.NoError(t, err, name)
			require.Equal(t, docket, read[domain.RoleAWB], name)
			require.Empty(t, read[domain.RoleRemittanceDate], "a person has left it out")
		}
	}
}
