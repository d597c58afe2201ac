package accounts

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// SetBranding decodes the logo before it asks the database for the branding, because that may
// take longer than a transaction should.
func (m *Managing) SetBranding(
	ctx context.Context, a domain.Account, by domain.Actor, change ports.BrandingChange,
) (domain.Branding, error) {
	if !a.HasBranding() {
		return domain.Branding{}, domain.ErrBrandingPlan
	}
	given, err := change.Read(m.Clean)
	if err != nil {
		return domain.Branding{}, err
	}
	return m.Brandings.Update(ctx, a.ID, m.event(domain.SecurityBranding, "", by), func(b *domain.Branding) error {
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

func (m *Managing) ShowBranding(ctx context.Context, accountID string) (domain.Branding, error) {
	return m.Brandings.Of(ctx, accountID)
}

func (m *Managing) RemoveBranding(ctx context.Context, accountID string, by domain.Actor) error {
	_, err := m.Brandings.Update(ctx, accountID, m.event(domain.SecurityBranding, "", by), func(b *domain.Branding) error {
		if b.IsEmpty() {
			return domain.ErrNoBranding
		}
		*b = domain.Branding{}
		return nil
	})
	return err
}
