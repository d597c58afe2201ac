package connecting_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/adapters/storefront/shops"
	"milaan/adapters/wording"
)

// Every setting that a person can be asked for has a label and a hint, in every language.
func TestEverySettingHasWords(t *testing.T) {
	catalogue := registry(func(p *sources.Params) { p.Settings.Folder = t.TempDir() }).Catalogue()
	require.GreaterOrEqual(t, len(catalogue), 6)
	shops := shops.New(shops.Settings{AllowLoopback: true}, outbound.New(outbound.Settings{})).Catalogue()
	languages := wording.NewLanguages()
	english := languages.Settings("en")
	for _, language := range languages.All() {
		words := languages.Settings(language.Code)
		for _, connector := range append(catalogue, shops...) {
			require.NotEqual(t, string(connector.ID), words.Connector(connector.ID))
			for _, s := range connector.Settings {
				label, hint := words.Setting(connector.ID, s.Name)
				require.NotEqual(t, s.Name, label, "%s of %s in %s has no label", s.Name, connector.ID, language.Code)
				require.NotEmpty(t, hint, "%s of %s in %s has no hint", s.Name, connector.ID, language.Code)
				_, own := english.Setting(connector.ID, s.Name)
				require.True(t, language.Code == "en" || hint != own, "the hint of %s of %s is not translated", s.Name, connector.ID)
			}
		}
	}
}
