package view

import (
	"milaan/domain"
	"milaan/ports"
	"slices"
)

// SecurityEvent is an event of the security log.
type SecurityEvent struct {
	At      Instant             `json:"at" ts:"string"`
	Kind    domain.SecurityKind `json:"kind"`
	Detail  string              `json:"detail"`
	Way     domain.Way          `json:"via"`
	Actor   *string             `json:"actor"`   // e-mail address, or the prefix of a key; null: nobody is named
	Whom    *string             `json:"whom"`    // e-mail address of the person whom it is about
	Address *string             `json:"address"` // of the client
}

// NewSecurityEvent returns an event as it is shown, exported or printed.
func NewSecurityEvent(e *domain.SecurityEvent) SecurityEvent {
	return SecurityEvent{Instant(e.At), e.Kind, e.Detail, e.By.Way, OrNone(e.By.Name), OrNone(e.Whom), OrNone(e.By.Address)}
}

// OrderSum is a number of orders and what is due for them.
type OrderSum struct {
	Orders int    `json:"orders"`
	Amount Rupees `json:"amount"`
}

// NewOrderSum returns a sum as it is shown, exported or printed.
func NewOrderSum(s domain.OrderSum) OrderSum { return OrderSum{s.Orders, Rupees(s.Amount)} }

// Key is what may be shown of an API key.
type Key struct {
	Prefix   string  `json:"prefix"`
	IssuedAt Instant `json:"issued_at" ts:"string"`
	UsedAt   Instant `json:"last_used_at"` // null: never
}

// NewKey is a key that was just made.
type NewKey struct {
	Key    string `json:"key"` // this once
	Prefix string `json:"prefix"`
}

// ExportedKey is a key in the export of an account.
type ExportedKey struct {
	Kind      domain.KeyKind `json:"kind"`
	Prefix    string         `json:"prefix"`
	IssuedAt  Instant        `json:"issued_at"`
	UsedAt    Instant        `json:"used_at"`
	RevokedAt Instant        `json:"revoked_at"`
}

// NewExportedKey returns a key as the export of its account has it.
func NewExportedKey(k *ports.IssuedKeyRecord) ExportedKey {
	return ExportedKey{k.Kind, k.Prefix, Instant(k.IssuedAt), Instant(k.UsedAt), Instant(k.RevokedAt)}
}

// SavedMapping is a saved mapping as the pages show it.
type SavedMapping struct {
	Courier string         `json:"courier"` // id
	Name    string         `json:"name"`
	Columns domain.Columns `json:"columns"`  // by role
	SavedAt Instant        `json:"saved_at"` // null: an earlier version has saved it
}

// NamedMapping is a mapping that a person has saved, as the pages show it.
type NamedMapping struct {
	Name    string         `json:"name"`
	Columns domain.Columns `json:"columns"` // by role
	SavedAt Instant        `json:"saved_at" ts:"string"`
}

// NewNamedMapping returns a mapping that a person has saved, as the pages show it.
func NewNamedMapping(m *domain.NamedMapping) NamedMapping {
	return NamedMapping{m.Name, m.Mapping.ByRole(), Instant(m.SavedAt)}
}

// ListedMapping is a saved mapping as it is exported or printed. It has a courier, or else a name.
type ListedMapping[T Instant | Second] struct {
	Courier string         `json:"courier,omitempty"`
	Name    string         `json:"name,omitempty"`
	Columns domain.Columns `json:"columns"` // by role
	SavedAt T              `json:"saved_at"`
}

// NewListedMappings returns saved mappings as they are exported or printed, those with names last.
func NewListedMappings[T Instant | Second](saved []ports.StoredMapping, named []domain.NamedMapping) []ListedMapping[T] {
	return OrEmpty(slices.Concat(Each(saved, func(m *ports.StoredMapping) ListedMapping[T] {
		return ListedMapping[T]{Courier: m.CourierName, Columns: m.Mapping.ByRole(), SavedAt: T(m.SavedAt)}
	}), Each(named, func(m *domain.NamedMapping) ListedMapping[T] {
		return ListedMapping[T]{Name: m.Name, Columns: m.Mapping.ByRole(), SavedAt: T(m.SavedAt)}
	})))
}

// Branding is how an account's documents are marked, as the pages show it. What is blank is
// Milaan's.
type Branding struct {
	Name    string `json:"name"`
	Colour  string `json:"colour"` // #1A4F8B
	Footer  string `json:"footer"`
	HasLogo bool   `json:"has_logo"`
}

// NewBranding returns a branding as the pages show it.
func NewBranding(b *domain.Branding) Branding {
	return Branding{b.Name, colour(b), b.Footer, len(b.Logo) > 0}
}

// colour returns the colour of a branding; blank if it has none.
func colour(b *domain.Branding) string {
	if b.Colour == (domain.Colour{}) {
		return ""
	}
	return b.Colour.String()
}

// ExportedBranding is a branding in the export of an account.
type ExportedBranding struct {
	Name   string  `json:"name"`
	Footer string  `json:"footer"`
	Colour *string `json:"colour"`
	Logo   []byte  `json:"logo"` // PNG, in Base64
}

// NewExportedBranding returns a branding as the export of its account has it.
func NewExportedBranding(b *domain.Branding) ExportedBranding {
	return ExportedBranding{b.Name, b.Footer, OrNone(colour(b)), b.Logo}
}

// ListedBranding is a branding as the commands print it.
type ListedBranding struct {
	Email  string      `json:"email"`
	Name   *string     `json:"name"`
	Logo   *ListedLogo `json:"logo"`
	Colour *string     `json:"colour"`
	Footer *string     `json:"footer"`
}

// ListedLogo is a logo as the commands print it.
type ListedLogo struct {
	Bytes  int `json:"bytes"`
	Width  int `json:"width"` // pixels
	Height int `json:"height"`
}

// NewListedBranding returns the branding of an account as the commands print it, with a logo
// unless that is nil.
func NewListedBranding(email string, b *domain.Branding, logo *ListedLogo) ListedBranding {
	return ListedBranding{email, OrNone(b.Name), logo, OrNone(colour(b)), OrNone(b.Footer)}
}

// Phone is what is known of an account's phone number.
type Phone[T Instant | Second] struct {
	Verified  bool    `json:"verified"`
	Number    *string `json:"number"` // such as +91 ••••• ••210; null: not known here
	CanSend   bool    `json:"can_send"`
	OpenUntil T       `json:"code_open_until"` // null: no code is open
	NextAt    T       `json:"next_send_at"`    // null: a code can be sent now
}

// NewPhone returns what is known of a phone number as it is shown or printed.
func NewPhone[T Instant | Second](s *ports.PhoneState) Phone[T] {
	return Phone[T]{s.Verified, OrNone(s.Number.Masked()), s.CanSend, T(s.OpenUntil), T(s.NextAt)}
}

// SentCode is a phone code that was sent.
type SentCode[T Instant | Second] struct {
	Until  T `json:"until" ts:"string"`
	NextAt T `json:"next_send_at" ts:"string"`
}

// NewSentCode returns a phone code that was sent as it is shown or printed.
func NewSentCode[T Instant | Second](c *ports.PhoneCodeSent) SentCode[T] {
	return SentCode[T]{T(c.Until), T(c.NextAt)}
}

// MailChoice is which mails an account gets.
type MailChoice struct {
	ExportedMailChoice
	Enabled bool `json:"enabled"` // the service sends mails
}

// NewMailChoice returns which mails an account gets as it is shown or printed.
func NewMailChoice(c domain.MailChoice, enabled bool) MailChoice {
	return MailChoice{NewExportedMailChoice(c), enabled}
}

// ExportedMailChoice is which mails an account gets in its export.
type ExportedMailChoice struct {
	Digest bool `json:"digest"`
	Alerts bool `json:"alerts"`
}

// NewExportedMailChoice returns which mails an account gets as its export has it.
func NewExportedMailChoice(c domain.MailChoice) ExportedMailChoice {
	return ExportedMailChoice{!c.NoDigest, !c.NoAlerts}
}
