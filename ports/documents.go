package ports

import (
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
