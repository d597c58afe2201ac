package wording

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/bank"
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
			// By the courier's list, what was paid may be all that was collected.
			require.NotContains(t, label.Ask, "than was collected", f)
		}
	}
	for s := range bank.CreditStates {
		require.NotEmpty(t, Credit(bank.CreditState(s)))
		names[Credit(bank.CreditState(s))] = true
	}
	require.Len(t, names, len(domain.Flags())+bank.CreditStates, "each has its own")
	require.Len(t, theLabels().Flags, len(domain.Flags()), "english.json has a flag that there is not")
	require.Len(t, theLabels().Credits, bank.CreditStates)
}
