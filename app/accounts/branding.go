package accounts

import (
	"context"
	"strings"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// Branding manages the branding of accounts.
type Branding struct {
	fx.In

	Brandings ports.Brandings
	Clean     ports.CleanLogo
	Clock     ports.Clock
}

// SetBranding decodes the logo before it asks the database for the branding, because that may
// take longer than a transaction should.
func (m *Branding) SetBranding(
	ctx context.Context, a domain.Account, by domain.Actor, change ports.BrandingChange,
) (domain.Branding, error) {
	if !a.HasBranding() {
		return domain.Branding{}, domain.ErrBrandingPlan
	}
	given, faults, err := m.read(change)
	if err != nil {
		return domain.Branding{}, err
	}
	if err := faults.Sorted().Err(); err != nil {
		return domain.Branding{}, err
	}
	return m.Brandings.Update(ctx, a.ID, m.event(by), func(b *domain.Branding) error {
		if change.Name != nil {
			b.Name = given.Name
		}
		if change.Footer != nil {
			b.Footer = given.Footer
		}
		if change.Colour != nil {
			b.Colour = given.Colour
		}
		if change.Logo != nil || change.NoLogo {
			b.Logo = given.Logo
		}
		return nil
	})
}

// read returns the parts of a change as they are stored, and their faults. A part that is
// not changed is empty.
func (m *Branding) read(change ports.BrandingChange) (given domain.Branding, faults domain.Faults, err error) {
	if change.Name != nil {
		given.Name = strings.TrimSpace(*change.Name)
	}
	if change.Footer != nil {
		given.Footer = strings.TrimSpace(*change.Footer)
	}
	faults = domain.CheckBranding(given)
	if change.Colour != nil && strings.TrimSpace(*change.Colour) != "" {
		colour, fault := domain.ParseColour(*change.Colour)
		given.Colour = colour
		faults.Add(fault.Rule != "", fault)
	}
	if change.Logo == nil {
		return given, faults, nil
	}
	given.Logo, err = m.Clean(change.Logo)
	return given, append(faults, domain.FaultsOf(err)...), unlessFault(err)
}

// unlessFault returns an error that is not one of a field.
func unlessFault(err error) error {
	if len(domain.FaultsOf(err)) > 0 {
		return nil
	}
	return err
}

func (m *Branding) ShowBranding(ctx context.Context, accountID string) (domain.Branding, error) {
	return m.Brandings.Of(ctx, accountID)
}

func (m *Branding) RemoveBranding(ctx context.Context, accountID string, by domain.Actor) error {
	_, err := m.Brandings.Update(ctx, accountID, m.event(by), func(b *domain.Branding) error {
		if b.IsEmpty() {
			return domain.ErrNoBranding
		}
		*b = domain.Branding{}
		return nil
	})
	return err
}

func (m *Branding) event(by domain.Actor) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{At: m.Clock(), Kind: domain.SecurityBranding, By: by})
}
