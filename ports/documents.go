package ports

import (
	"context"
	"io"
	"milaan/domain"
)

// MakingDocuments makes documents of runs on the spot.
type MakingDocuments interface {
	// MakeDocument compares the files of a request for an account, and stores neither them nor
	// the document. If the account has made a run of the same files, terms and labels in
	// its present cycle, nothing else is stored either, and it is a duplicate. Else Make
	// does what Reconciling.Reconcile does: it stores the run, announces it, and counts it
	// towards the cap. It returns the errors of Reconcile, and domain.ErrBrandingPlan for
	// a BrandingName that the account's plan does not include.
	MakeDocument(ctx context.Context, caller Caller, req DocumentRequest) (*Document, error)
	// PreviewDocument makes a document without an account, under Milaan's own name, and stores
	// nothing. It returns the errors of Reconciling.Preview, and domain.ErrBrandingPlan for
	// a BrandingName.
	PreviewDocument(ctx context.Context, req DocumentRequest) (*Document, error)
}

// DocumentRequest asks for a document of one reconciliation.
type DocumentRequest struct {
	Request
	Format       string               // a domain.Format, as the caller wrote it
	BrandingName string               // in place of the name of the account's branding; blank: that one
	Marks        []domain.MarkedOrder // that replace those of the ledger, for this document
	Only         []domain.ChosenOrder // that disputes are for; nil: all
}

// Document is a document that is ready to be written, and its run. Release frees the memory
// of both.
type Document struct {
	*FinishedRun
	Format domain.Format
	// Write writes the document, as Reporter does. It may be called once.
	Write func(create CreateFile) ([]domain.Warning, error)
}

// CreateFile begins a file of a document by its name, which has no folder. The file ends when the next one
// begins.
type CreateFile = func(name string) (io.Writer, error)

// Reporter writes documents of one format.
type Reporter interface {
	// Format is the format of its documents.
	Format() domain.Format
	// Write writes the document of a run. A format of one file creates one. Write returns what the document leaves
	// out although people expect it there, and the errors of create and of what it returns.
	Write(create CreateFile, run *FinishedRun, b domain.Branding) ([]domain.Warning, error)
}
