package view

import (
	"bufio"
	"encoding/csv"
	"io"

	"milaan/domain"
)

// NewCSV begins a CSV file that Excel opens correctly. Flush writes all of it, and Error has what has failed.
func NewCSV(w io.Writer) *csv.Writer {
	b := bufio.NewWriterSize(w, 64<<10)
	_, _ = b.WriteString(domain.ByteOrderMark) // Flush returns its error
	out := csv.NewWriter(b)                    // which takes b itself
	out.UseCRLF = true
	return out
}
