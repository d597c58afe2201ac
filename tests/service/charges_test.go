package service

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

var (
	chargesFlagged  = []string{"SHORT_PAID", "SHORT_PAID"}
	chargesAccepted = []string{"RECONCILED", "SHORT_PAID"}
)

// TestCharges holds what the field charges does in each request that has it.
func TestCharges(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	const bad = "charges must be accept or flag"
	t.Run("of a run", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, chargesFlagged, c.Run(t, Charged()).flags())
		require.Equal(t, chargesFlagged, c.Run(t, Charged().With("charges", "flag")).flags())
		require.Equal(t, chargesFlagged, c.Run(t, Charged().With("charges", nil)).flags())
		run := c.Run(t, Charged().With("charges", "accept"))
		require.Equal(t, chargesAccepted, run.flags())
		require.Equal(t, json.Number("929.2"), run.Results[0].Remitted)
		require.Equal(t, json.Number("0"), run.Results[0].Shortfall)
		d := s.Customer(t)
		for _, other := range []any{"Accept", "", "yes", true, 1, []string{"accept"}, Body{}} {
			d.Reconcile(t, Charged().With("charges", other)).Refused(t, 400, bad)
		}
	})
	t.Run("of a form", func(t *testing.T) {
		c := s.Customer(t)
		require.Equal(t, chargesAccepted, c.SendForm(t, Charged().With("charges", "accept").Form(t)).Run(t).flags())
		require.Equal(t, chargesFlagged, c.SendForm(t, Charged().Form(t)).Run(t).flags())
		c.SendForm(t, Charged().With("charges", "accepted").Form(t)).Refused(t, 400, bad)
	})
	t.Run("of a batch's jobs", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		report := c.Complete(t, Jobs(Charged().With("brand", "a").With("charges", "accept"), Charged().With("brand", "b")))
		require.Equal(t, chargesAccepted, report.Results[0].flags())
		require.Equal(t, chargesFlagged, report.Results[1].flags())
		c.Batch(t, Jobs(Charged().With("brand", "a"), Charged().With("brand", "b").With("charges", "no"))).Refused(t, 400, "jobs[1]."+bad)
	})
	t.Run("of a document", func(t *testing.T) {
		c := s.Customer(t, Capped(2))
		accepting := Charged().With("format", "csv").With("charges", "accept")
		first := c.Document(t, accepting)
		require.Equal(t, http.StatusOK, first.Status)
		require.NotEmpty(t, first.Header.Get("X-Run-Id"))
		require.Empty(t, c.Document(t, accepting).Header.Get("X-Run-Id"), "the run was made before")
		require.NotEmpty(t, c.Document(t, Charged().With("format", "csv")).Header.Get("X-Run-Id"), "this is another run")
		c.Document(t, accepting.With("charges", "x")).Refused(t, 400, bad)
	})
	t.Run("the account says what they are where the request does not", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		b := c.SignIn(t)
		patch := func(body Body) Answer { return b.Send(t, http.MethodPatch, "/app/api/account", body) }
		for _, wrong := range []any{"", "Accept"} {
			patch(Body{"charges": wrong}).RefusedPage(t, 400, "field_invalid", "charges")
		}
		patch(Body{"charges": true}).RefusedPage(t, 400, "body_invalid", "")
		require.Equal(t, http.StatusOK, patch(Body{"overdue_days": 9}).Status)
		require.Equal(t, chargesFlagged, c.Run(t, Charged()).flags())
		account := answered[map[string]any](t, patch(Body{"charges": "accept"}))
		require.Equal(t, "accept", account["charges"])
		require.InDelta(t, 9, account["overdue_days"], 0, "what is not sent stays")
		require.Equal(t, "account_changed charges dashboard", b.securityLog(t)[0])
		require.Equal(t, chargesAccepted, c.Run(t, Charged().With("brand", "b")).flags())
		require.Equal(t, chargesFlagged, c.Run(t, Charged().With("charges", "flag")).flags())
		report := c.Complete(t, Jobs(Charged().With("brand", "c"), Charged().With("brand", "d").With("charges", "flag")))
		require.Equal(t, chargesAccepted, report.Results[0].flags())
		require.Equal(t, chargesFlagged, report.Results[1].flags())
	})
	t.Run("what is accepted is answered, so that the sums add up", func(t *testing.T) {
		c := s.Customer(t)
		var answer struct {
			Accepted json.Number `json:"accepted_charges"`
			Results  []struct {
				Accepted json.Number `json:"accepted_charges"`
			}
			Reports []struct{ Charges json.Number }
		}
		a := c.Reconcile(t, Charged().With("charges", "accept").With("include", []string{"orders", "payouts"}))
		require.NoError(t, json.Unmarshal(a.Body, &answer))
		require.Equal(t, json.Number("70.8"), answer.Accepted)
		require.Equal(t, json.Number("70.8"), answer.Results[0].Accepted)
		require.Empty(t, answer.Results[1].Accepted, "nothing is accepted")
		require.Equal(t, json.Number("82.6"), answer.Reports[0].Charges, "all that the report states")
		require.NotContains(t, string(c.Reconcile(t, Charged().With("include", []string{"orders", "payouts"})).Body), "accepted_charges")
	})
	t.Run("does not decide what a duplicate is", func(t *testing.T) {
		c := s.Customer(t)
		first := c.Reconcile(t, EightFlags())
		again := c.Reconcile(t, EightFlags().With("charges", "accept")).Run(t)
		require.Equal(t, first.Header.Get("X-Run-Id"), *again.RunID)
	})
}
