package browser_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestSeveralPeopleWorkForAnAccount invites an accountant, who accepts in a browser of their
// own, makes a run, gets another role, and is removed.
func TestSeveralPeopleWorkForAnAccount(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	owner, guest := browser.Open(t, s.URL), browser.Open(t, s.URL)
	owner.SignIn(s, c, "/app/people")
	owner.See("1 person", c.Email)
	owner.Fill("E-mail address", "nobody").Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	owner.Wait(focused("E-mail address")).Axe()
	owner.Fill("E-mail address", "CA@books.example").Press("\r").See("It is shown this once.")
	link := owner.Value("Invitation link")
	owner.Click("I have copied it").See("1 open invitation", "ca@books.example", "Accountant").Axe()

	path := strings.TrimPrefix(link, s.URL)
	guest.Go(path).See(c.Email+" invites you", "ca@books.example")
	require.Equal(t, "/app/invitation", browser.Eval[string](guest, address), "the token is in the address")
	guest.Axe()
	guest.Click("Accept").At("/app").See("ca@books.example")
	require.NotContains(t, guest.Requested(), path[strings.Index(path, "=")+1:], "the token is in an address")
	guest.Drop("h1", export, report).Wait(settled)
	guest.Wait(`location.pathname === "/app/results" || document.querySelector(".start")?.getAttribute("aria-disabled") === null`)
	if browser.Eval[bool](guest, `location.pathname === "/app"`) {
		guest.ClickOn(".start")
	}
	guest.At("/app/results")
	guest.Go("/app/people").See("Your role does not include this", "You are an accountant of this account").Axe()
	again := browser.Open(t, s.URL).Go(path)
	again.See("This invitation cannot be accepted")

	owner.Go("/app/people").See("2 people")
	owner.Click("Change the role of ca@books.example").See("The role of ca@books.example")
	owner.Click("Read-only")
	owner.ClickOn("dialog [type=submit]").See("Saved. It holds from now on.")
	guest.Go("/app").At("/app/history").See("21 Nov 2026")
	guest.Gone("Reconcile")

	guest.Tolerate()
	require.Equal(t, 403, browser.Eval[int](guest, `fetch("/app/api/security").then((answer) => answer.status)`))

	owner.Click("Remove ca@books.example").See("Remove ca@books.example?")
	owner.Fill("To confirm, type", "ca@books.example").Press("\r")
	owner.See("ca@books.example is removed, and is signed out.", "1 person")
	guest.Go("/app/history").See("You need an account for this")
	owner.Go("/app/security")
	owner.See("Somebody was invited", "An invitation was accepted", "The role of a person was changed", "A person was removed, or has left", "Somebody with the invitation of ca@books.example")
}
