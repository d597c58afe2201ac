package wording

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

func TestEveryFlagAndCreditHasItsLabel(t *testing.T) {
	names := map[string]bool{}
	for _, f := range domain.Flags() {
		label := Flag(f)
		require.NotEmpty(t, label.Name, f)
		names[label.Name] = true
		if f.IsFlagged() {
			require.Regexp(t, `^[A-Z][^{}\[\]]+\.$`, label.Meaning, f)
			require.Regexp(t, `^[A-Z][^{}\[\]]+\.$`, label.Todo, f)
			require.Regexp(t, `^(You|Your|Nothing) [^{}\[\]]+\.$`, label.Ask, f)
		}
	}
	for s := range verdict.CreditStates {
		require.NotEmpty(t, Credit(verdict.CreditState(s)))
		names[Credit(verdict.CreditState(s))] = true
	}
	require.Len(t, names, len(domain.Flags())+verdict.CreditStates, "each has its own")
	require.Len(t, theLabels().Flags, len(domain.Flags()), "english.json has a flag that there is not")
	require.Len(t, theLabels().Credits, verdict.CreditStates)
}
