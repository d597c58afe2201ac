package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestEveryFlagHasAColour(t *testing.T) {
	require.Len(t, flagColours, len(domain.Flags()))
	for _, f := range domain.Flags() {
		require.NotEmpty(t, flagColours[f.String()], f)
		if f != domain.Overpaid {
			require.NotEqual(t, flagColours[f.String()], flagColours[domain.Overpaid.String()], "%v: money too much is like no lack of it", f)
		}
	}
}

// TestColours holds what is coloured: flags in both tables, and nothing else but
// the word of a warning. Without the colours the text is the same.
func TestColours(t *testing.T) {
	p := &previews{build: someOrders}
	plain := p.reconcile(t).stdout
	coloured := p.reconcile(t, "--color", "always").stdout
	require.Contains(t, coloured, "\n\x1b[31mMISSING\x1b[0m     1 ")
	require.Contains(t, coloured, "\n\x1b[31mMISSING\x1b[0m     #1003 ")
	require.Contains(t, coloured, "\n\x1b[32mRECONCILED\x1b[0m  #1001 ")
	require.Equal(t, plain, regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured, ""))
	require.Equal(t, 2*(4+4+len(p.told)), strings.Count(coloured, "\x1b"))
	require.Equal(t, plain, p.reconcile(t, "--color=never").stdout)

	got := p.reconcile(t, "--color", "maybe")
	got.refused(t, ExitUsage, `milaan: --color is "maybe": must be auto, always or never`)
}
