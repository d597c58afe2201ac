package domain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARoleMayDoWhatLesserOnesMay(t *testing.T) {
	for _, c := range []struct {
		role, least MemberRole
		may         bool
	}{
		{Owner, Owner, true}, {Owner, Accountant, true}, {Owner, Reader, true},
		{Accountant, Owner, false}, {Accountant, Accountant, true}, {Accountant, Reader, true},
		{Reader, Owner, false}, {Reader, Accountant, false}, {Reader, Reader, true},
		{"", Reader, false}, {"admin", Reader, false}, {Owner, "", false}, {"", "", false},
	} {
		require.Equal(t, c.may, c.role.May(c.least), "%q for %q", c.role, c.least)
	}
}
