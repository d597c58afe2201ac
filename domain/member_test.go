package domain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
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

func TestParseMemberRole(t *testing.T) {
	for _, role := range MemberRoles {
		require.Equal(t, role, only.Value(ParseMemberRole(string(role)))(t))
	}
	for _, odd := range []string{"", "Owner", "admin", "owner "} {
		_, err := ParseMemberRole(odd)
		require.Equal(t, Faults{{Field: FieldMemberRole, Rule: RuleOneOf, Options: []string{"owner", "accountant", "reader"}}}.Err(), err)
	}
}

func TestHashInvitationHashesTokensAlone(t *testing.T) {
	token := strings.Repeat("A", 43)
	hash := only.Value(HashInvitation(token))(t)
	require.True(t, SameHash(hash, only.Value(HashInvitation(token))(t)))
	for _, odd := range []string{"", "x", token + "A", token[1:], token[:42] + "!", token[:42] + "\n", token[:42] + "B", strings.Repeat("A", 1<<20)} {
		require.ErrorIs(t, only.Err(HashInvitation(odd)), ErrInvitation)
	}
}

func TestAnInvitationIsOpenUntilItsEnd(t *testing.T) {
	end := time.Date(2026, time.November, 29, 10, 0, 0, 0, time.UTC)
	i := Invitation{Until: end}
	require.True(t, i.Open(end.Add(-time.Nanosecond)))
	require.False(t, i.Open(end))
}

func TestANewAccountIsIncomplete(t *testing.T) {
	a := NewAccount("1", "new@shop.example", time.Date(2026, time.August, 31, 20, 0, 0, 0, time.UTC))
	require.NoError(t, a.Validate(a.SubscribedOn))
	require.Equal(t, "2026-09-01", a.SubscribedOn.String(), "today is India's")
	require.Equal(t, 1, a.BillingDay)
	require.False(t, a.PhoneVerified)
	a.PhoneVerified = true
	require.ErrorIs(t, a.MayReconcile(a.CreatedAt), ErrSetup)
}
