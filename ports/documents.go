package ports

import (
	"context"
	"io"

	"milaan/domain"
)

// Reporter writes documents of one format.
type Reporter interface {
	// Format is the format of its documents.
	Format() domain.Format
	// Write writes the document of a run. create begins one of its files by name, which
	// has no folder; a file ends when the next one begins. A format of one file creates
	// one. Write returns the errors of create and of what it returns.
	Write(create func(name string) (io.Writer, error), run *FinishedRun, b domain.Branding) error
}

// Logos reads the images that accounts give as their logos.
type Logos interface {
	// Clean decodes a PNG or JPEG within limits of bytes and pixels, and returns it as a
	// PNG that has nothing but the picture. It returns errors with CodeField.
	Clean(image []byte) ([]byte, error)
}

// DocumentRequest asks for a document of one reconciliation.
type DocumentRequest struct {
	Request
	Format       string // a domain.Format, as the caller wrote it
	BrandingName string // in place of the name of the account's branding; blank: that one
}

// Document is a document that is ready to be written, and its run. Release frees the memory
// of both.
type Document struct {
	*FinishedRun
	Format domain.Format
	// Write writes the document, as Reporter does. It may be called once.
	Write func(create func(name string) (io.Writer, error)) error
}

// MakingDocuments makes documents of runs on the spot.
type MakingDocuments interface {
	// Make compares the files of a request for an account, and stores neither them nor
	// the document. If the account has made a run of the same files, terms and labels in
	// its present cycle, nothing else is stored either, and it is a duplicate. Else Make
	// does what Reconciling.Reconcile does: it stores the run, announces it, and counts it
	// towards the cap. It returns the errors of Reconcile, and domain.ErrBrandingPlan for
	// a BrandingName that the account's plan does not include.
	Make(ctx context.Context, caller Caller, req DocumentRequest) (*Document, error)
	// PreviewDocument makes a document without an account, under Milaan's own name, and stores
	// nothing. It returns the errors of Reconciling.Preview, and domain.ErrBrandingPlan for
	// a BrandingName.
	PreviewDocument(ctx context.Context, req DocumentRequest) (*Document, error)
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

// BrandingChange is what is to be changed of a branding; nil leaves a part as it is, and a
// blank part is removed.
type BrandingChange struct {
	Name, Colour, Footer *string
	Logo                 []byte // PNG or JPEG
	NoLogo               bool   // removes the logo
}

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
