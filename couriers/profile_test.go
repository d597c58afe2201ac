package couriers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestProfilesAreValid(t *testing.T) {
	for _, p := range registered {
		require.NoError(t, p.validate(), p.ID)
	}
}

func TestFaultyProfiles(t *testing.T) {
	sound := func() Profile {
		return Profile{ID: "new_courier", Name: "New Courier", Signature: Signature{AWB: "Docket", CODAmount: "Cash", RemittanceDate: "Paid"}}
	}
	require.NoError(t, sound().validate())
	for _, c := range []struct {
		what  string
		spoil func(*Profile)
		fails string
	}{
		{"an id in capitals", func(p *Profile) { p.ID = "NewCourier" }, `ID "NewCourier"`},
		{"an id with a hyphen", func(p *Profile) { p.ID = "new-courier" }, `ID "new-courier"`},
		{"no id", func(p *Profile) { p.ID = "" }, `ID ""`},
		{"no name", func(p *Profile) { p.Name = "" }, "Name is blank"},
		{"half a signature", func(p *Profile) { p.Signature.CODAmount = "" }, "all three"},
		{"nothing at all", func(p *Profile) { p.Signature = Signature{} }, "no name is given for any of [awb order_id]"},
		{"no proof of payment", func(p *Profile) {
			p.Signature = Signature{}
			p.Own = Names{domain.RoleAWB: {"Docket"}, domain.RoleCODAmount: {"Cash"}}
		}, "no name is given for any of [remittance_date]"},
		{"one name for two roles", func(p *Profile) { p.Own = Names{domain.RoleRemittedAmount: {"CASH"}} }, `"CASH" is listed twice, for cod_amount and for remitted_amount`},
		{"one name twice", func(p *Profile) { p.LastResort = Names{domain.RoleUTR: {"Ref.", "ref"}} }, `"ref" is listed twice`},
		{"a name of signs", func(p *Profile) { p.Own = Names{domain.RoleUTR: {"#"}} }, `"#", a name for utr`},
		{"an unknown role", func(p *Profile) { p.Own = Names{domain.RoleCount: {"x"}} }, "there is no role"},
		{"the vocabulary contradicted too late", func(p *Profile) { p.LastResort = Names{domain.RoleRemittedAmount: {"COD Value"}} }, "put the name into Own"},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := sound()
			c.spoil(&p)
			require.ErrorContains(t, p.validate(), c.fails)
			require.PanicsWithValue(t, "couriers: the profile of \""+p.ID+"\": "+p.validate().Error(), func() { register(p) })
		})
	}
}

func TestOneCourierRegistersOnce(t *testing.T) {
	require.Panics(t, func() {
		register(Profile{ID: "ecomexpress", Name: "Twin", Signature: Signature{AWB: "Docket", CODAmount: "Cash", RemittanceDate: "Paid"}})
	})
}

// A name of two roles would make the vocabulary depend on the roles' order.
func TestVocabularyGivesEachNameOneRole(t *testing.T) {
	seen := map[string]string{}
	for _, role := range domain.Roles() {
		require.NotEmpty(t, vocabulary[role], "%s has no name", role)
		for _, name := range vocabulary[role] {
			key := domain.HeaderKey(name)
			require.Empty(t, seen[key], "%q is %s and %s", name, role, seen[key])
			seen[key] = role.String()
		}
	}
}

func TestIdentify(t *testing.T) {
	r := New(nil)
	for name, want := range map[string]string{
		"delhivery": "delhivery", "DELHIVERY": "delhivery", " Ship-Rocket ": "shiprocket", "ecom_express": "ecom_express",
		"Ecom Express": "ecom_express", "ecom-express": "ecom_express", "EcomExpress": "ecom_express",
		"Xpress Bees": "xpressbees", "D_T_D_C": "dtdc", "Shadowfax": "shadowfax", "Custom": "custom",
	} {
		got, known := r.Identify(name)
		require.True(t, known, name)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"", "  ", "nobody", "delhivery.", "delhivery2"} {
		_, known := r.Identify(name)
		require.False(t, known, name)
	}
}
