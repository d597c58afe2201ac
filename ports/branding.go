package ports

import (
	"context"
	"milaan/domain"
)

// ManagingBranding is what the command line and the dashboard do with an account's
// branding. by is for the security log. Each method returns domain.ErrNoAccount if there is
// no such account.
type ManagingBranding interface {
	// Set changes the branding and returns it. It returns domain.ErrBrandingPlan, or an
	// error with CodeField and all faults.
	Set(ctx context.Context, email string, by domain.Way, change BrandingChange) (domain.Branding, error)
	// Show returns domain.ErrNoBranding if the account has none.
	Show(ctx context.Context, email string) (domain.Branding, error)
	// Remove deletes the branding. It returns domain.ErrNoBranding if the account has
	// none.
	Remove(ctx context.Context, email string, by domain.Way) error
}

// BrandingChange is what is to be changed of a branding; nil leaves a part as it is, and a
// blank part is removed.
type BrandingChange struct {
	Name, Colour, Footer *string
	Logo                 []byte // PNG or JPEG
	NoLogo               bool   // removes the logo
}

// Brandings stores the branding of accounts.
type Brandings interface {
	// Of returns domain.ErrNoBranding if the account has none.
	Of(ctx context.Context, accountID string) (domain.Branding, error)
	// Update alters an account's branding in one transaction: change gets the stored
	// branding, empty if there is none, and nobody else changes it until change has been
	// stored. A branding that is empty after change is deleted. event is stored for the
	// account in the same transaction, unless it is the zero event, or there was no
	// branding and is none. If change returns an error, Update returns it unchanged and
	// stores nothing. change may be called again. Update returns domain.ErrNoAccount if
	// there is no such account.
	Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Branding) error) (domain.Branding, error)
}

// Logos reads the images that accounts give as their logos.
type Logos interface {
	// Clean decodes a PNG or JPEG within limits of bytes and pixels, and returns it as a
	// PNG that has nothing but the picture. It returns errors with CodeField.
	Clean(image []byte) ([]byte, error)
}
