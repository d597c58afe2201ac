package couriers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestProfilesAreSound checks what the compiler cannot.
func TestProfilesAreSound(t *testing.T) {
	vocabularyRole := map[string]domain.Role{}
	for role, keys := range vocabularyKeys {
		for _, key := range keys {
			vocabularyRole[key] = domain.Role(role)
		}
	}
	ids := map[string]bool{}
	for _, p := range registered {
		require.Regexp(t, `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, p.ID, "small letters and digits, words joined by _")
		require.False(t, ids[plainID(p.ID)], "%s is the courierName of two couriers", p.ID)
		ids[plainID(p.ID)] = true
		require.NotEmpty(t, p.Name, "messages to people name %s", p.ID)
		if p.Signature != (Signature{}) {
			require.NotContains(t, p.Signature.columns(), "", "the signature of %s names all three columns, or none", p.ID)
		}
		var known domain.Mapping
		keys := map[string]bool{"": true}
		for part, names := range map[string]Names{"Signature": p.Signature.names(), "Own": p.Own, "LastResort": p.LastResort} {
			for role, all := range names {
				require.Less(t, role, domain.RoleCount, "%s of %s has an unknown role", part, p.ID)
				for _, name := range all {
					key := domain.HeaderKey(name)
					require.False(t, keys[key], "%s: %q stands twice, or has no letter or digit to compare", p.ID, name)
					keys[key], known[role] = true, name
					if other, shared := vocabularyRole[key]; shared && part == "LastResort" {
						require.Equal(t, other, role, "%s: the vocabulary has another role for %q; Own overrules it", p.ID, name)
					}
				}
			}
		}
		require.Empty(t, known.MissingRoles(), "no header could ever be that of %s: it has no name for these roles", p.ID)
	}
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
