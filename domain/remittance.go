package domain

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// Remittance is one line of a courier's report: what was collected for a
// parcel, and what of it was paid out.
type Remittance struct {
	AWB         []byte // as AWBKey gives it
	OrderID     []byte // as OrderKey gives it
	UTR         []byte
	Listed      Paise // cod_amount as the line states it; 0 if it states none
	Stated      Paise // remitted_amount as the line states it; 0 if it states none
	Collected   Paise // gross, taken at the door
	Remitted    Paise // net, paid out
	RemittedOn  Day
	DeliveredOn Day
	Status      StatusID // of the shipment
	MoneyStatus StatusID // of the money

	AWBRounded    bool // a spreadsheet has rounded the AWB: it names no parcel
	HasStatus     bool // the shipment has a status
	Returned      bool // which says RTO or return
	NeverLeft     bool // which says that the parcel never left the shop
	ToBeCollected bool // Listed is what was to be collected, delivered or not
	HasRemitted   bool // the report has a remitted_amount column
}

// StatusID is a status among those that Remittances keep; 0 is none.
type StatusID int32

// compareFold orders texts, letters of either case being the same.
func compareFold(a, b []byte) int {
	i := commonPrefix(a, b)
	for a, b = a[i:], b[i:]; len(a) > 0 && len(b) > 0; {
		if a[0] < utf8.RuneSelf && b[0] < utf8.RuneSelf {
			if c := cmp.Compare(upper(a[0]), upper(b[0])); c != 0 {
				return c
			}
			a, b = a[1:], b[1:]
			continue
		}
		r, n := foldedRune(a)
		s, m := foldedRune(b)
		if c := cmp.Compare(r, s); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// commonPrefix is how many bytes at the beginning are the same in two texts, by large
// steps first, and never into a character. Many texts that differ at their ends
// alone are compared quickly.
func commonPrefix(a, b []byte) int {
	const step = 32
	n := 0
	for n+step <= min(len(a), len(b)) && bytes.Equal(a[n:n+step], b[n:n+step]) {
		n += step
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// foldedRune gives the first character of a text in the one form that all its
// cases share, and how many bytes it takes.
func foldedRune(s []byte) (rune, int) {
	r, n := utf8.DecodeRune(s)
	return smallestFold(r), n
}

// upper gives an ASCII letter as a capital, and other characters of ASCII as
// they are.
func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// Remittances are the lines of one courier report. They keep copies of what
// they need of the report. The zero value is empty; Reset keeps the memory for
// the next report.
type Remittances struct {
	Rows     int       // records of the report below its header
	Warnings []Warning // what was doubtful while the report was read
	list     []Remittance
	texts    arena
	statuses statuses
	through  Day
	rounded  bool    // some AWB is an exponent
	zeros    []int32 // lines whose AWB ends in so many zeros that it may be rounded
}

// Reset forgets everything.
func (r *Remittances) Reset() {
	if len(r.texts.large) > 0 { // or lines would keep them alive
		clear(r.list)
	}
	r.list, r.Rows, r.through, r.Warnings = r.list[:0], 0, NoDay, nil
	r.texts.reset()
	r.statuses.reset()
	r.zeros, r.rounded = r.zeros[:0], false
}

// Expect makes room for so many lines. Growing step by step would take several
// times the memory.
func (r *Remittances) Expect(lines int) { r.list = slices.Grow(r.list, lines) }

// Texts is how many bytes of memory the texts take, Reset or not.
func (r *Remittances) Texts() int { return r.texts.bytes() }

// UsedTexts is how many of them the texts of this report take, with the places of
// its statuses.
func (r *Remittances) UsedTexts() int {
	return r.texts.used() + len(r.statuses.kept)*statusMemory
}

// statusMemory is how many bytes a status takes beside its text.
const statusMemory = 80

// Len is how many lines there are.
func (r *Remittances) Len() int { return len(r.list) }

// At is the i-th line.
func (r *Remittances) At(i int) *Remittance { return &r.list[i] }

// Add adds a copy of a line.
func (r *Remittances) Add(line Remittance) {
	line.AWB, line.OrderID, line.UTR = r.texts.keep(line.AWB), r.texts.keep(line.OrderID), r.texts.keep(line.UTR)
	if line.AWBRounded {
		r.rounded = true
	} else if looksRounded(line.AWB) {
		r.zeros = append(r.zeros, int32(len(r.list)))
	}
	r.list = append(r.list, line)
	r.through = max(r.through, line.RemittedOn, line.DeliveredOn)
}

// AddStatus keeps the cell of a status and gives its place among those of the
// report; 0 is that of blank ones. The same cell has the same place, and is read
// once.
func (r *Remittances) AddStatus(cell []byte) StatusID { return r.statuses.add(cell, &r.texts) }

// Status is the status of a place; its text is good until Reset.
func (r *Remittances) Status(id StatusID) Status {
	if id == 0 {
		return Status{}
	}
	return r.statuses.kept[id]
}
