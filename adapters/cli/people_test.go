package cli

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// colleagues are the people of one account.
type colleagues struct {
	ports.ManagingPeople

	of    ports.PeopleOf
	asked []string
}

func (c *colleagues) People(context.Context, string) (ports.PeopleOf, error) { return c.of, nil }

func (c *colleagues) Invite(_ context.Context, a domain.Account, email, role string, by domain.Actor) (ports.NewInvitation, error) {
	c.asked = append(c.asked, "invite "+a.Email+" "+email+" "+role+" "+string(by.Way))
	return ports.NewInvitation{Token: "the-token", Mailed: true}, nil
}

func (c *colleagues) ChangeRole(_ context.Context, _, id, role string, by domain.Actor) error {
	c.asked = append(c.asked, "change "+id+" "+role+" "+string(by.Way))
	return nil
}

func (c *colleagues) Remove(_ context.Context, _, id string, by domain.Actor) error {
	c.asked = append(c.asked, "remove "+id+" "+string(by.Way))
	return nil
}

func TestPeopleCommands(t *testing.T) {
	start := time.Date(2026, time.November, 22, 10, 0, 0, 0, time.UTC)
	m := newManaged()
	m.accounts[asha] = domain.Account{ID: "1", Email: asha, CreatedAt: start}
	c := &colleagues{of: ports.PeopleOf{
		Members:     []domain.Member{{ID: "m", Email: "ca@books.example", Role: domain.Accountant, AddedAt: start}},
		Invitations: []domain.Invitation{{ID: "i", Email: "new@books.example", Role: domain.Reader, MadeAt: start, Until: start}},
	}}
	deps := m.deps(as[ports.ManagingPeople](c))
	got := run(deps, "people", "list", "--email", asha)
	require.Equal(t, ExitDone, got.code, got.stderr)
	for _, text := range []string{"PERSON", asha, "own", "ca@books.example", "accountant", "member", "new@books.example", "invited", "2026-11-22 15:30 IST"} {
		require.Contains(t, got.stdout, text)
	}
	got = run(deps, "people", "invite", "--email", asha, "--person", "x@books.example", "--role", "owner")
	require.Equal(t, "https://milaan.example/app/invitation#token=the-token\n", got.stdout)
	require.Equal(t, "The link is mailed to the person too.\n", got.stderr)
	require.Equal(t, ExitDone, run(deps, "people", "set", "--email", asha, "--person", "CA@books.example", "--role", "reader").code)
	require.Equal(t, ExitDone, run(deps, "people", "remove", "--email", asha, "--person", "new@books.example").code)
	require.Equal(t, []string{"invite " + asha + " x@books.example owner command_line", "change m reader command_line", "remove i command_line"}, c.asked)
	got = run(m.depsAt("", nil, as[ports.ManagingPeople](c)), "people", "invite", "--email", asha, "--person", "x@books.example", "--role", "owner")
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + errNoBase.Error() + "\n"}, got)
	require.Len(t, c.asked, 3, "nobody is invited by a link that leads nowhere")
	for _, command := range []string{"invite", "set"} {
		got = run(deps, "people", command, "--email", asha, "--person", "ravi", "--role", "owner")
		require.Contains(t, got.stderr, "--person must be an e-mail address such as ca@books.example")
		require.Equal(t, ExitUsage, got.code)
	}
	require.Equal(t, ExitFailed, run(deps, "people", "remove", "--email", asha, "--person", "nobody@books.example").code)
	require.Equal(t, ExitFailed, run(deps, "people", "remove", "--email", asha, "--person", asha).code)
	for _, args := range [][]string{{"people"}, {"people", "invite", "--email", asha, "--person", "x@b.example"}, {"people", "set", "--email", asha, "--role", "reader"}, {"people", "remove", "--email", asha}, {"people", "list"}} {
		require.Equal(t, ExitUsage, run(deps, args...).code, args)
	}
}
