package service

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

const asJSON = "application/json"

// The bodies that fall at the last checks.
var (
	noJSON  = []byte("{")
	tooLong = bytes.Repeat([]byte(" "), 25<<20+1)
)

func badFile() Body { return Small().With("courier", "neither\nnor\n") }

// TestOrderOfChecks sends POST /reconcile that two neighbouring checks refuse,
// and gets the earlier answer (guide: limits 2). Up to the JSON, the order is
// that of POST /reconcile/batch and POST /report as well, and of POST /reconcile/files and POST /inspect, whose
// bodies are forms.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	refused := func(t *testing.T, key, media string, body []byte, status int, beginning string) {
		t.Helper()
		for _, path := range []string{"/reconcile", "/reconcile/batch", "/report", "/reconcile/files", "/inspect"} {
			sent := media
			if (path == "/reconcile/files" || path == "/inspect") && media == asJSON {
				sent = FormMedia
			}
			s.Post(t, path, key, body, "Content-Type", sent).Refused(t, status, beginning)
		}
	}
	const plain = "text/plain"
	unverified := func(a *domain.Account) { a.PhoneVerified = false }
	ended := func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded }
	solo := func(a *domain.Account) { a.Plan = domain.Solo }

	t.Run("the media type comes before the key", func(t *testing.T) {
		refused(t, "no key", plain, tooLong, 415, "Content-Type")
		s.Post(t, "/generate-api-key", "no session", nil, "Content-Type", plain).Refused(t, 415, "Content-Type")
		s.Post(t, "/reconcile", "no key", tooLong, "Content-Encoding", "br").Refused(t, 415, "Content-Encoding may be gzip or zstd")
		refused(t, "no key", asJSON, tooLong, 401, "API key")
	})
	t.Run("the key comes before the phone", func(t *testing.T) {
		c := s.Customer(t)
		old := c.Key
		c.Rotate(t)
		c.Change(t, unverified)
		refused(t, old, asJSON, nil, 401, "API key")
		refused(t, c.Key, asJSON, nil, 403, "phone_not_verified: ")
	})
	t.Run("the phone comes before the subscription and the plan", func(t *testing.T) {
		for _, change := range []func(*domain.Account){ended, solo} {
			c := s.Customer(t)
			c.Change(t, change)
			c.Change(t, unverified)
			refused(t, c.Key, asJSON, tooLong, 403, "phone_not_verified: ")
		}
	})
	t.Run("the subscription comes before the plan", func(t *testing.T) {
		c := s.Customer(t)
		c.Change(t, ended)
		c.Change(t, solo)
		refused(t, c.Key, asJSON, tooLong, 403, "the account's subscription has ended")
	})
	t.Run("subscription and plan come before the rate", func(t *testing.T) {
		for beginning, change := range map[string]func(*domain.Account){
			"the account's subscription has ended": ended, "the account's plan has no API access": solo,
		} {
			c := s.Customer(t)
			blockedBy(t, c)
			c.Change(t, change)
			refused(t, c.Key, asJSON, tooLong, 403, beginning)
		}
	})
	t.Run("the rate comes before the size", func(t *testing.T) {
		c := s.Customer(t)
		refused(t, c.Key, asJSON, tooLong, 413, "request body larger than 25 MB")
		blockedBy(t, c)
		refused(t, c.Key, asJSON, tooLong, 429, "Rate limit exceeded")
	})
	t.Run("the size comes before the JSON", func(t *testing.T) {
		c := s.Customer(t)
		refused(t, c.Key, asJSON, append(bytes.Clone(tooLong), '{'), 413, "request body larger than 25 MB")
		for _, path := range []string{"/reconcile", "/reconcile/batch"} {
			s.Post(t, path, c.Key, noJSON).Refused(t, 400, "the request body")
		}
		c.SendForm(t, noJSON).Refused(t, 400, "the form does not begin")
	})
	t.Run("the form and its fields come before the Idempotency-Key, the run cap and the files", func(t *testing.T) {
		c := s.Customer(t, Capped(0))
		form := Small().Form(t)
		c.SendForm(t, form[:len(form)-5], "Idempotency-Key", "").Refused(t, 400, "the form does not end")
		c.SendForm(t, form[:len(form)-5]).Refused(t, 400, "the form does not end")
		c.SendForm(t, Small().Without("courier").Form(t)).Refused(t, 400, "report is missing")
		c.SendForm(t, Small().With("minor_gap_threshold", 11).Form(t)).Refused(t, 400, "minor_gap_threshold")
		c.SendForm(t, Small().With("courierName", "pigeon").Form(t)).Refused(t, 400, "courierName")
		c.SendForm(t, badFile().Form(t)).Refused(t, 429, "Run limit of 0/month reached")
		s.Customer(t).SendForm(t, badFile().Form(t)).Refused(t, 400, "courier file (report)")
	})
	t.Run("JSON and fields come before the run cap", func(t *testing.T) {
		c := s.Customer(t, Capped(0))
		s.Post(t, "/reconcile", c.Key, noJSON).Refused(t, 400, "the request body")
		c.Reconcile(t, Small().Without("courier")).Refused(t, 400, "courier is missing")
		c.Reconcile(t, Small().With("minor_gap_threshold", 11)).Refused(t, 400, "minor_gap_threshold")
		c.Reconcile(t, Small().With("courierName", "pigeon")).Refused(t, 400, "courierName")
		c.Reconcile(t, Small().With("columns", Body{"awb": "AWB No"})).Refused(t, 400, "columns")
		c.Reconcile(t, Small()).Refused(t, 429, "Run limit of 0/month reached")
	})
	t.Run("JSON and fields come before the Idempotency-Key", func(t *testing.T) {
		c := s.Customer(t)
		require.Equal(t, http.StatusOK, c.Keyed(t, "/reconcile", "k", Small()).Status)
		c.KeyedText(t, "/reconcile", "k", noJSON).Refused(t, 400, "the request body")
		c.KeyedText(t, "/reconcile", "", noJSON).Refused(t, 400, "the request body")
		c.KeyedText(t, "/reconcile", "k", tooLong).Refused(t, 413, "request body larger than 25 MB")
		c.Keyed(t, "/reconcile", "k", Small().With("minor_gap_threshold", 11)).Refused(t, 400, "minor_gap_threshold")
		c.Keyed(t, "/reconcile", "", Small().With("courierName", "pigeon")).Refused(t, 400, "courierName")
		c.Keyed(t, "/reconcile/batch", "k", Jobs(Small())).Refused(t, 400, "jobs[0].brand")
		c.Keyed(t, "/reconcile/batch", "k", Jobs(Named("b"))).Refused(t, 409, keyReused)
	})
	t.Run("the Idempotency-Key comes before the run cap and the files", func(t *testing.T) {
		c := s.Customer(t, Capped(1))
		first := c.Keyed(t, "/reconcile", "k", Small())
		s.Clock.Advance(time.Hour)
		c.Keyed(t, "/reconcile", "k", badFile()).Refused(t, 409, keyReused)
		c.Keyed(t, "/reconcile", "another", badFile()).Refused(t, 429, "Run limit of 1/month reached")
		c.Keyed(t, "/reconcile", "k", Small()).Repeats(t, first)
		c.Reconcile(t, Small()).Refused(t, 429, "Run limit of 1/month reached")
	})
	t.Run("the run cap comes before the files", func(t *testing.T) {
		c := s.Customer(t, Capped(0))
		c.Reconcile(t, badFile()).Refused(t, 429, "Run limit of 0/month reached")
		c.Document(t, asPDF(badFile())).Refused(t, 429, "Run limit of 0/month reached")
		c.Reconcile(t, Small().With("shopify", "neither\nnor\n")).Refused(t, 429, "Run limit of 0/month reached")
		s.Customer(t).Reconcile(t, badFile()).Refused(t, 400, "courier file (courier)")
	})
}

// blockedBy uses up the rate of a customer's key.
func blockedBy(t *testing.T, c *Customer) {
	t.Helper()
	for range 11 {
		if a := c.service.Post(t, "/reconcile", c.Key, noJSON); a.Status == http.StatusTooManyRequests {
			return
		}
	}
	t.Fatal("eleven requests did not block the key")
}
