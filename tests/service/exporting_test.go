package service

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

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
