package answer

import (
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// The members of an export. Times are ISO 8601 in UTC, amounts are in rupees, and null is
// none.

type exportedMember struct {
	ID      string       `json:"id"`
	Email   string       `json:"email"`
	Role    string       `json:"role"`
	AddedAt view.Instant `json:"added_at"`
}

type exportedInvitation struct {
	ID     string       `json:"id"`
	Email  string       `json:"email"`
	Role   string       `json:"role"`
	MadeAt view.Instant `json:"made_at"`
	Until  view.Instant `json:"until"`
}

type exportedSubscription struct {
	ID          string       `json:"id"` // the billing provider's
	PlanID      string       `json:"plan_id"`
	Plan        *string      `json:"plan"`   // null: the service does not know plan_id
	Status      string       `json:"status"` // in the billing provider's words
	CreatedAt   view.Instant `json:"created_at"`
	PeriodStart *string      `json:"period_start"`
	PeriodEnd   *string      `json:"period_end"` // the first day after the billed period
	EndsAt      view.Instant `json:"ends_at"`
}

func exportedSubscriptionOf(s domain.BilledSubscription) any {
	return exportedSubscription{s.ID, s.PlanID, view.OrNone(string(s.Plan)), string(s.Status), view.Instant(s.CreatedAt),
		view.OrNone(s.PeriodStart.String()), view.OrNone(s.PeriodEnd.String()), view.Instant(s.EndsAt())}
}

type exportedKey struct {
	Kind      string       `json:"kind"`
	Prefix    string       `json:"prefix"`
	IssuedAt  view.Instant `json:"issued_at"`
	UsedAt    view.Instant `json:"used_at"`
	RevokedAt view.Instant `json:"revoked_at"`
}

func exportedKeyOf(k ports.IssuedKeyRecord) any {
	return exportedKey{string(k.Kind), k.Prefix, view.Instant(k.IssuedAt), view.Instant(k.UsedAt), view.Instant(k.RevokedAt)}
}

type exportedDay struct {
	Day  string `json:"day"`
	Runs int    `json:"runs"`
}

type exportedSession struct {
	CreatedAt view.Instant `json:"created_at"`
	UsedAt    view.Instant `json:"used_at"`
}

type exportedMapping struct {
	Courier string         `json:"courier"`
	Columns domain.Columns `json:"columns"` // by the name of the role
	SavedAt view.Instant   `json:"saved_at"`
}

func exportedMappingOf(m ports.StoredMapping) any {
	return exportedMapping{m.CourierName, m.Mapping.ByRole(), view.Instant(m.SavedAt)}
}

type exportedBranding struct {
	Name   string  `json:"name"`
	Footer string  `json:"footer"`
	Colour *string `json:"colour"`
	Logo   []byte  `json:"logo"` // PNG, in Base64
}

func exportedBrandingOf(b domain.Branding) exportedBranding {
	v := exportedBranding{Name: b.Name, Footer: b.Footer, Logo: b.Logo}
	if b.Colour != (domain.Colour{}) {
		v.Colour = new(b.Colour.String())
	}
	return v
}

type exportedMails struct {
	Digest bool `json:"digest"`
	Alerts bool `json:"alerts"`
}

type exportedMail struct {
	Kind         string       `json:"kind"`
	ConnectionID string       `json:"connection_id"`
	Period       string       `json:"period"`
	CreatedAt    view.Instant `json:"created_at"`
	SentAt       view.Instant `json:"sent_at"`
}

type exportedLabels struct {
	Position    int    `json:"position"` // from 0
	Brand       string `json:"brand"`
	CourierName string `json:"courierName"`
}
