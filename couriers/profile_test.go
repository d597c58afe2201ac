package couriers

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestProfilesAreSound checks what the compiler cannot, of the vocabulary as well: a
// name of two roles would make it depend on the roles' order.
func TestProfilesAreSound(t *testing.T) {
	vocabularyRole := map[string]domain.Role{}
	for role, keys := range vocabularyKeys {
		require.NotEmpty(t, keys, "the vocabulary has no name for %s", domain.Role(role))
		for _, key := range keys {
			require.NotContains(t, vocabularyRole, key, "the vocabulary has a name twice")
			vocabularyRole[key] = domain.Role(role)
		}
	}
	ids := map[string]bool{}
	payers := map[string]string{} // the courier with a name in statements
	for _, p := range registered {
		for _, name := range p.InStatements {
			key := domain.HeaderKey(name)
			require.GreaterOrEqual(t, len(key), 4, "%s: %q is too short, and would be found in other texts", p.ID, name)
			require.NotContains(t, payers, key, "%q is the name of two couriers", name)
			payers[key] = p.ID
		}
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

func TestIdentify(t *testing.T) {
	r := New(nil)
	for name, want := range map[string]string{
		"delhivery": "delhivery", "DELHIVERY": "delhivery", " Ship-Rocket ": "shiprocket", "ecom_express": "ecom_express",
		"Ecom Express": "ecom_express", "ecom-express": "ecom_express", "EcomExpress": "ecom_express",
		"Xpress Bees": "xpressbees", "D_T_D_C": "dtdc", "Shadowfax": "shadowfax", "Custom": "custom",
		"": "", "  ": "", "nobody": "", "delhivery.": "", "delhivery2": "",
	} {
		got, known := r.Identify(name)
		require.Equal(t, want != "", known, name)
		require.Equal(t, want, got, name)
	}
}

// TestTheDescriptionHasTheVocabulary holds that people find in the description of the API each name by which columns are found,
// and which of them state what is to be collected or paid.
func TestTheDescriptionHasTheVocabulary(t *testing.T) {
	text, err := os.ReadFile("../adapters/httpapi/pages/openapi.json")
	require.NoError(t, err)
	var described struct {
		Tags []struct{ Description string }
	}
	require.NoError(t, json.Unmarshal(text, &described))
	namesBetween := func(from, to string) (keys []string) {
		_, rest, found := strings.Cut(described.Tags[0].Description, from)
		require.True(t, found, from)
		names, _, _ := strings.Cut(rest, to)
		for i, part := range strings.Split(names, "`") {
			if i%2 == 1 {
				keys = append(keys, domain.HeaderKey(part))
			}
		}
		return keys
	}
	for role, names := range vocabulary {
		if role != domain.RoleCharges {
			var keys []string
			for _, name := range names {
				keys = append(keys, domain.HeaderKey(name))
			}
			require.Equal(t, keys, namesBetween("- `"+role.String()+"`", "\n"))
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(payable)), namesBetween("any amount is 0 in ", " where the report"))
	require.ElementsMatch(t, slices.Collect(maps.Keys(toBeCollected)), namesBetween("where there is none. ", " state what was to be"))
}
