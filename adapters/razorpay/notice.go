package razorpay

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"milaan/domain"
)

// notice is what is read of a notice. It has the subscription itself, or an invoice of one.
type notice struct {
	Event   string `json:"event"`
	Payload struct {
		Subscription struct {
			Entity struct {
				ID     string `json:"id"`
				PlanID string `json:"plan_id"`
			} `json:"entity"`
		} `json:"subscription"`
		Invoice struct {
			Entity struct {
				SubscriptionID string `json:"subscription_id"`
			} `json:"entity"`
		} `json:"invoice"`
	} `json:"payload"`
}

func (c *Client) Read(body []byte, signature string) (domain.BillingNotice, error) {
	if !c.Enabled() {
		return domain.BillingNotice{}, domain.ErrNoBilling
	}
	if !c.signed(body, signature) {
		return domain.BillingNotice{}, domain.ErrNotice
	}
	var n notice
	if err := json.Unmarshal(body, &n); err != nil || n.Event == "" {
		return domain.BillingNotice{}, domain.ErrBody(domain.DetailNotice, "")
	}
	of := n.Payload.Subscription.Entity
	read := domain.BillingNotice{Subscription: cmp.Or(of.ID, n.Payload.Invoice.Entity.SubscriptionID), PlanID: of.PlanID}
	if !isID(read.Subscription) {
		return domain.BillingNotice{}, nil // about something else
	}
	if !isID(read.PlanID) {
		read.PlanID = ""
	}
	return read, nil
}

// signed says whether one of the secrets has signed a body. Each is tried, so that the time
// that it takes says nothing.
func (c *Client) signed(body []byte, signature string) bool {
	given, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	good := false
	for _, secret := range c.settings.WebhookSecrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = mac.Write(body) // never fails
		good = hmac.Equal(mac.Sum(nil), given) || good
	}
	return good
}
