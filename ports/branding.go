package ports

import (
	"context"
	"milaan/domain"
	"strings"
)

// BrandingChange is what is to be changed of a branding; nil leaves a part as it is, and a
// blank part is removed.
type BrandingChange struct {
	Name, Colour, Footer *string
	Logo                 []byte // PNG or JPEG
	NoLogo               bool   // removes the logo
}

// Read returns the parts of a change as they are stored; one that is not changed is empty. It returns
// an error with CodeField and all faults.
func (c BrandingChange) Read(clean CleanLogo) (given domain.Branding, err error) {
	if c.Name != nil {
		given.Name = strings.TrimSpace(*c.Name)
	}
	if c.Footer != nil {
		given.Footer = strings.TrimSpace(*c.Footer)
	}
	faults := domain.CheckBranding(given)
	if c.Colour != nil && strings.TrimSpace(*c.Colour) != "" {
		colour, fault := domain.ParseColour(*c.Colour)
		given.Colour = colour
		faults.Add(fault.Rule != "", fault)
	}
	if c.Logo != nil {
		given.Logo, err = clean(c.Logo)
		of := domain.FaultsOf(err)
		if err != nil && len(of) == 0 {
			return given, err
		}
		faults = append(faults, of...)
	}
	return given, faults.Sorted().Err()
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
