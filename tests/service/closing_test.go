package service

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// The person of a closed account is still a member of others, and the people of the closed
// account still have their own.
func TestPeopleOfAClosedAccount(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	closing, other := s.Account(t), s.Account(t)
	s.skipMinutes()
	b := s.Browser()
	require.Equal(t, http.StatusOK, b.accept(t, other.invited(t, closing.Email, "accountant")).Status)
	s.skipMinutes()
	colleague := s.Browser()
	require.Equal(t, http.StatusOK, colleague.accept(t, closing.invited(t, other.Email, "reader")).Status)
	require.Equal(t, closing.Email, colleague.works(t).Account.Email)
	s.skipMinutes()
	closing.own(t, http.MethodDelete, "/account", Body{"confirm": other.Email}).Refused(t, 400, "confirm must be")
	require.Equal(t, http.StatusNoContent, closing.own(t, http.MethodDelete, "/account", Body{"confirm": closing.Email}).Status)

	colleague.Get(t, "/app/api/runs").RefusedPage(t, http.StatusUnauthorized, "session", "")
	require.Equal(t, []string{other.Email + " owner", closing.Email + " accountant"}, other.people(t))
	w := b.works(t)
	require.Equal(t, other.Email, w.Account.Email)
	require.Equal(t, "accountant", w.Role)
	s.skipMinutes()
	require.Equal(t, other.Email, other.SignIn(t).works(t).Account.Email)
}

// A session token is for the accounts that there were when it was issued: who had the address
// before has no part in an account that is made anew with it.
func TestTokensEndWithTheirAccount(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		c, other := s.Account(t), s.Account(t)
		token := c.Session(t)
		again := func(t *testing.T) {
			require.Equal(t, http.StatusNoContent, c.own(t, http.MethodDelete, "/account", Body{"confirm": c.Email}).Status)
			s.Account(t, func(a *domain.Account) { a.Email = c.Email })
		}
		require.Equal(t, http.StatusOK, s.IssueKey(t, token).Status)
		again(t) // at the same moment, for the clock of the service stands still
		s.IssueKey(t, token).Refused(t, 401, "session token missing, malformed or expired")
		s.skipMinutes()
		s.Do(t, s.Request(t, http.MethodGet, "/account/people", nil, "Authorization", "Bearer "+token, "X-Account", c.Email)).Refused(t, 401, "session token")
		require.Equal(t, http.StatusOK, s.IssueKey(t, c.Session(t)).Status)

		// A person who gets an account of their own later on must ask for a new token too: the
		// former one would mean another account by now, without its program's knowledge.
		member := &Customer{Email: "member@people.example", service: s}
		s.skipMinutes()
		require.Equal(t, http.StatusOK, s.Browser().accept(t, other.invited(t, member.Email, "owner")).Status)
		member.SignIn(t)
		token = member.Session(t)
		require.Equal(t, http.StatusOK, s.IssueKey(t, token).Status)
		s.Account(t, func(a *domain.Account) { a.Email = member.Email })
		s.IssueKey(t, token).Refused(t, 401, "session token")
		require.Equal(t, http.StatusOK, s.Do(t, s.Request(t, http.MethodGet, "/account/people", nil, "Authorization", "Bearer "+token, "X-Account", other.Email)).Status)
	})
}

// Whoever closes an account again, because no answer has come, need not wait for the first
// attempt: one of them closes it, with its subscription, and the others find it gone.
func TestClosingAgainAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s, billing := selling(t, db, &Clock{now: Morning})
		c := s.Account(t)
		require.Equal(t, http.StatusOK, c.own(t, http.MethodPost, "/account/subscription", Body{"plan": "pro"}).Status)
		session, confirmed := "Bearer "+c.Session(t), encoded(t, Body{"confirm": c.Email})
		got := statuses(sendAtOnce(5, func(int) Answer {
			return s.Do(t, s.Request(t, http.MethodDelete, "/account", bytes.NewReader(confirmed), "Content-Type", "application/json", "Authorization", session))
		}))
		require.Equal(t, 1, got[http.StatusNoContent], "%v", got)
		require.Equal(t, 5, got[http.StatusNoContent]+got[http.StatusUnauthorized]+got[http.StatusForbidden], "%v", got)
		require.Equal(t, "cancelled", billing.All()[0].Status)
		require.Empty(t, s.Query(t, "SELECT id FROM accounts WHERE email = '"+c.Email+"'"))
	})
}

// TestAccountsAreExported holds that an export has every part of what is stored, and no secret.
func TestAccountsAreExported(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		clock := &Clock{now: time.Date(2026, time.October, 31, 10, 0, 0, 0, domain.Kolkata)}
		s, _ := selling(t, db, clock)
		c := s.Account(t)
		c.Rotate(t)
		c.Run(t, Body{"shopify": Export(Order{Name: "#1", Total: "100", AWB: "A1"}), "courier": "AWB,COD Amount,Remittance Date\nA1,100,2026-10-30\n", "courierName": "delhivery"})
		c.member(t, domain.Accountant)
		token := c.invited(t, "guest@people.example", "reader")
		require.Equal(t, http.StatusOK, c.own(t, http.MethodPost, "/account/subscription", Body{"plan": "pro"}).Status)

		a := c.own(t, http.MethodGet, "/account/export", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var told struct {
			Account              struct{ ID, Email string }
			Members, Invitations []struct{ Email, Role string }
			Subscriptions        []struct{ Plan, Status string }
			Keys                 []struct{ Kind, Prefix string }
			Runs                 []struct {
				ID string `json:"run_id"`
			}
			SecurityLog []struct{ Kind string } `json:"security_log"`
			Sessions    []struct {
				CreatedAt string `json:"created_at"`
			}
		}
		require.NoError(t, json.Unmarshal(a.Body, &told), string(a.Body))
		require.Equal(t, c.Email, told.Account.Email)
		require.Len(t, told.Members, 1)
		require.Equal(t, "accountant", told.Members[0].Role)
		require.Len(t, told.Invitations, 1)
		require.Equal(t, "guest@people.example", told.Invitations[0].Email)
		require.Len(t, told.Subscriptions, 1)
		require.Equal(t, "pro", told.Subscriptions[0].Plan)
		require.Equal(t, "created", told.Subscriptions[0].Status)
		require.Len(t, told.Runs, 1)
		require.NotEmpty(t, told.Runs[0].ID)
		require.NotEmpty(t, told.Keys)
		require.Equal(t, "account_exported", told.SecurityLog[len(told.SecurityLog)-1].Kind, "the export itself")
		require.NotEmpty(t, told.Sessions)
		for _, secret := range []string{token, c.Key} {
			require.NotContains(t, string(a.Body), secret)
		}
	})
}
