package razorpay

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"milaan/domain"
)

// The notes of a subscription that name its account, and the attempt to make it.
const (
	accountNote = "milaan_account"
	attemptNote = "milaan_attempt"
)

// entity is a subscription as Razorpay writes it. Times are seconds since 1970.
type entity struct {
	ID           string          `json:"id"`
	PlanID       string          `json:"plan_id"`
	Status       string          `json:"status"`
	CurrentStart *int64          `json:"current_start"`
	CurrentEnd   *int64          `json:"current_end"`
	EndedAt      *int64          `json:"ended_at"`
	CreatedAt    *int64          `json:"created_at"`
	StartAt      *int64          `json:"start_at"`
	PaidCount    *int            `json:"paid_count"`
	Method       string          `json:"payment_method"` // how its customer has agreed to pay, where it is told
	ShortURL     string          `json:"short_url"`
	Notes        json.RawMessage `json:"notes"` // an object, or an empty list
}

// read reads a subscription. id is that which was asked for; blank: any.
func (c *Client) read(text []byte, id string) (domain.BilledSubscription, error) {
	var e entity
	if err := json.Unmarshal(text, &e); err != nil || !isID(e.ID) || id != "" && e.ID != id || e.Status == "" || e.CreatedAt == nil {
		return domain.BilledSubscription{}, domain.ErrBilling.Caused(errAnswer)
	}
	s := domain.BilledSubscription{ID: e.ID, PlanID: domain.Shortened(e.PlanID), Plan: c.PlanOf(e.PlanID),
		Status: domain.BilledStatus(domain.Shortened(e.Status)), AccountID: note(e.Notes, accountNote), URL: c.page(e.ShortURL),
		Charges: -1, Method: domain.Shortened(e.Method), Fixed: e.Method != "" && e.Method != domain.BilledByCard}
	if e.PaidCount != nil {
		s.Charges = *e.PaidCount
	}
	for _, t := range []struct {
		seconds *int64
		into    *time.Time
	}{{e.CreatedAt, &s.CreatedAt}, {e.EndedAt, &s.EndedAt}, {e.StartAt, &s.BeginsAt}} {
		if t.seconds == nil || *t.seconds == 0 {
			continue
		}
		if !goodTime(*t.seconds) {
			return domain.BilledSubscription{}, domain.ErrBilling.Caused(errAnswer)
		}
		*t.into = time.Unix(*t.seconds, 0).UTC()
	}
	if !s.BeginsAt.After(s.CreatedAt) { // it was not asked for
		s.BeginsAt = time.Time{}
	}
	if e.CurrentStart == nil || e.CurrentEnd == nil || *e.CurrentStart == 0 || *e.CurrentEnd == 0 {
		return s, nil
	}
	if !goodTime(*e.CurrentStart) || !goodTime(*e.CurrentEnd) {
		return domain.BilledSubscription{}, domain.ErrBilling.Caused(errAnswer)
	}
	s.PeriodStart, s.PeriodEnd = domain.DayOf(time.Unix(*e.CurrentStart, 0)), domain.DayOf(time.Unix(*e.CurrentEnd, 0))
	s.PaidUntil = time.Unix(*e.CurrentEnd, 0).UTC()
	return s, nil
}

// goodTime says whether a number of seconds is between the years 2000 and 2200.
func goodTime(seconds int64) bool { return seconds > 946_684_800 && seconds < 7_258_118_400 }

// note returns one of the notes; blank: there is none.
func note(notes json.RawMessage, name string) string {
	var all map[string]any
	if json.Unmarshal(notes, &all) != nil {
		return ""
	}
	text, _ := all[name].(string)
	return domain.Shortened(strings.TrimSpace(text))
}

// noteOf returns a note of a subscription as Razorpay writes it.
func noteOf(text []byte, name string) string {
	var e entity
	if json.Unmarshal(text, &e) != nil {
		return ""
	}
	return note(e.Notes, name)
}

func (c *Client) PlanOf(id string) domain.Plan {
	for _, p := range c.settings.Plans {
		if p.ID == id {
			return p.Plan
		}
	}
	return ""
}

// page returns the address of a page to which people are sent; blank, if they cannot be sent
// there.
func (c *Client) page(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || len(address) > 500 || u.Scheme != "https" && !strings.HasPrefix(address, c.settings.URL+"/") {
		return ""
	}
	return address
}
