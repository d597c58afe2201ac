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

type exportedWebhook struct {
	Endpoint  *string      `json:"endpoint"`
	SetAt     view.Instant `json:"set_at"`
	RotatedAt view.Instant `json:"rotated_at"`
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

type exportedPart struct {
	Connector string            `json:"connector"`
	Settings  map[string]string `json:"settings"` // without those that are secret
}

type exportedSource struct {
	exportedPart
	ID      string         `json:"id"`
	Pattern string         `json:"pattern"`
	Courier string         `json:"courier"`
	Columns domain.Columns `json:"columns"`
	Since   view.Instant   `json:"since"`
}

type exportedPass struct {
	ID        string            `json:"id"`
	Slot      view.Instant      `json:"slot"`
	Asked     bool              `json:"asked"`
	DueAt     view.Instant      `json:"due_at"`
	StartedAt view.Instant      `json:"started_at"`
	EndedAt   view.Instant      `json:"ended_at"`
	Outcome   string            `json:"outcome"`
	Failure   *string           `json:"failure"`
	RunID     *string           `json:"run_id"`
	Orders    int               `json:"orders"`
	Sources   []any             `json:"sources"`
	Left      view.OrderSum     `json:"left"`
	Warnings  []exportedWarning `json:"warnings"`
}

type exportedSourceResult struct {
	SourceID string   `json:"source_id"`
	Couriers []string `json:"couriers"`
	Files    int      `json:"files"`
	Lines    int      `json:"lines"`
	Through  *string  `json:"through"`
	Behind   bool     `json:"behind"`
	LeftOut  []any    `json:"left_out"` // of exportedLeftOut
	// RefusedFrom is the day from which the source is refused, because its settings are of an
	// earlier version.
	RefusedFrom *string `json:"refused_from"`
}

// exportedLeftOut is a mail with reports that was not taken.
type exportedLeftOut struct {
	At     view.Instant `json:"at"`
	Rule   string       `json:"rule"`
	Reason *string      `json:"reason"`
}

type exportedWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type exportedFile struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	SourceID string       `json:"source_id"`
	At       view.Instant `json:"at"`
	Bytes    int64        `json:"bytes"`
	Content  []byte       `json:"content"` // in Base64
}

type exportedLabels struct {
	Position    int    `json:"position"` // from 0
	Brand       string `json:"brand"`
	CourierName string `json:"courierName"`
}

type exportedDelivery struct {
	ID        string            `json:"id"`
	EventID   string            `json:"event_id"`
	Kind      string            `json:"kind"`
	RunID     *string           `json:"run_id"`
	BatchID   *string           `json:"batch_id"`
	State     string            `json:"state"`
	CreatedAt view.Instant      `json:"created_at"`
	Attempts  []exportedAttempt `json:"attempts"`
}

type exportedAttempt struct {
	Number  int          `json:"number"`
	At      view.Instant `json:"at"`
	TookMS  int64        `json:"took_ms"`
	Outcome string       `json:"outcome"`
	Status  int          `json:"status"` // 0: no answer came
	Failure string       `json:"failure"`
}

func exportedDeliveryOf(d domain.Delivery) exportedDelivery {
	v := exportedDelivery{d.ID, d.EventID, string(d.Kind), view.OrNone(d.RunID), view.OrNone(d.BatchID), string(d.State), view.Instant(d.CreatedAt), []exportedAttempt{}}
	for _, a := range d.Attempts {
		v.Attempts = append(v.Attempts, exportedAttempt{a.Number, view.Instant(a.At), a.Took.Milliseconds(), string(a.Outcome), a.Status, a.Failure})
	}
	return v
}
