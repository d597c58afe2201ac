package ports

import (
	"context"
	"milaan/domain"
)

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

// CleanLogo decodes a PNG or JPEG that an account gives as its logo, within limits of bytes and
// pixels, and returns it as a PNG that has nothing but the picture. It returns errors with
// CodeField.
type CleanLogo func(image []byte) ([]byte, error)
