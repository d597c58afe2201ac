package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestColoursThatCanBeRead holds the contrast with white at the colours on either side of 4.5
// to 1, as a calculator of WCAG 2 gives it.
func TestColoursThatCanBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"#1A4F8B": "#1A4F8B", " #1a4f8b ": "#1A4F8B", "#767676": "#767676", "#0000FF": "#0000FF", "#008000": "#008000", "#E60000": "#E60000", "#FF0000": "",
		"#EE0000": "#EE0000", "#F00000": "", "#777777": "", "#008A00": "#008A00", "#008B00": "", "#00FF00": "", "#FFFFFF": "", "#FFEE00": "", "#B35900": "#B35900", "#BF6000": "",
		"#000000": "#010101", "#00000B": "#00000B",
	} {
		c, fault := domain.ParseColour(text)
		if want == "" {
			require.Equal(t, domain.Fault{Field: domain.FieldBrandingColour, Rule: domain.RuleContrast, Value: text}, fault, text)
			continue
		}
		require.Empty(t, fault.Rule, text)
		require.Equal(t, want, c.String())
	}
	for _, text := range []string{"", "#", "1A4F8B", "#12345", "#1234567", "#GGGGGG", "#-12345", "#+12345", "red", "#1A4F8B00", "#1_2_34"} {
		_, fault := domain.ParseColour(text)
		require.Equal(t, domain.Fault{Field: domain.FieldBrandingColour, Rule: domain.RuleColour}, fault, text)
	}
}

func TestBrandingsAreChecked(t *testing.T) {
	require.Empty(t, domain.CheckBranding(domain.Branding{}))
	require.Empty(t, domain.CheckBranding(domain.Branding{Name: "आशा एजेंसी", Footer: strings.Repeat("श", 200)}))
	require.Equal(t, domain.Faults{
		{Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: 100}, {Field: domain.FieldBrandingFooter, Rule: domain.RuleLine, Max: 200},
	}, domain.CheckBranding(domain.Branding{Name: "a\tb", Footer: strings.Repeat("श", 201)}))
	for _, footer := range []string{"a\nb", "a\rb", "a\u2028b", "a\x00", "a\u202eb"} {
		require.Len(t, domain.CheckBranding(domain.Branding{Footer: footer}), 1, "%q", footer)
	}
	require.True(t, domain.Branding{}.IsEmpty())
	for _, b := range []domain.Branding{{Name: "a"}, {Logo: []byte{1}}, {Colour: domain.Colour{1, 1, 1}}, {Footer: "a"}} {
		require.False(t, b.IsEmpty())
	}
	for plan, may := range map[domain.Plan]bool{domain.Solo: false, domain.Pro: true, domain.Enterprise: true} {
		require.Equal(t, may, domain.Account{Plan: plan}.HasBranding())
	}
}
