package domain

// Branding is how documents are marked as an account's own (white label).
type Branding struct {
	Name   string
	Logo   []byte // PNG, re-encoded by us; nil: none
	Colour Colour
	Footer string // one line
}

// Colour is red, green and blue. The zero Colour stands for Milaan's own.
type Colour [3]uint8

// Format is the format of a document.
type Format string

// The formats.
const (
	FormatXLSX    Format = "xlsx"    // one workbook
	FormatCSV     Format = "csv"     // a file for each sheet of the workbook
	FormatPDF     Format = "pdf"     // one report for people
	FormatDispute Format = "dispute" // for each courier a workbook and a covering letter
)

// Formats lists the formats.
func Formats() []Format { return []Format{FormatXLSX, FormatCSV, FormatPDF, FormatDispute} }
