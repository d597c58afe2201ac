package verdict

import (
	"slices"

	"milaan/domain"
)

// Remittance is one line of a courier's report: what was collected for a parcel,
// and how much of it was paid out.
type Remittance struct {
	AWB         []byte       // in the form of AWBKey
	OrderID     []byte       // in the form of OrderKey
	UTR         []byte       // as the file writes it; see UTRKey
	Listed      domain.Paise // the line's cod_amount; 0 if it has none
	Stated      domain.Paise // the line's remitted_amount; 0 if it has none
	Collected   domain.Paise // gross amount collected at the door
	Remitted    domain.Paise // net amount paid out
	RemittedOn  domain.Day
	DeliveredOn domain.Day
	Status      StatusID // of the shipment
	MoneyStatus StatusID // of the money
	Line        int32    // of the report, from 1
	charged     int32    // where its charges begin in Remittances.charges
	charges     uint8    // how many it has
	Report      uint16   // which of the run's reports, from 0

	AWBRounded    bool // a spreadsheet has rounded the AWB, so it names no parcel
	HasStatus     bool // the line has a status of the shipment
	Returned      bool // that status says RTO or return
	OnWayBack     bool // that status says that the parcel is still on its way back
	NeverLeft     bool // that status says that the parcel never left the shop
	ToBeCollected bool // Listed is what was to be collected, whether or not the parcel was delivered
	HasRemitted   bool // the report has a remitted_amount column
}

// StatusID is the place of a status in Remittances; 0 stands for no status.
type StatusID int32

// Remittances are the lines of the reports of a run, report after report. They store
// copies of everything they need of the reports. The zero value is empty. Reset empties
// it and keeps its memory for the next run. For a run of one report Begin need not be
// called.
type Remittances struct {
	Rows     int              // records of all reports below their headers
	Warnings []domain.Warning // doubts that reading the reports found
	list     []Remittance
	texts    arena
	statuses statuses
	charges  []Charge
	reports  []ReadReport // the last one is being read
	absent   []string     // couriers, see AddAbsent
	begun    bool         // Begin has been called
	borrowed bool         // some lines have the texts of other Remittances
	through  domain.Day   // the latest date of the report that is being read
	at       uint16       // that report, from 0
	rounded  bool         // some AWB is written with an exponent
	reversed bool         // some line has a remittance status that is Reversed
	zeros    []int32      // lines whose AWB ends in enough zeros that it may have been rounded

	roundedUTRs []roundedUTRs // by report

	// Of a ledger, whose lines come first, see Remember.
	remembered int                               // how many reports they stand for
	seen       []domain.Day                      // by line: batch_as_of of the first run that had it
	again      []int32                           // those that count nowhere, because the same money stands in the ledger or in a report
	prints     map[[FingerprintSize]byte][]int32 // of lines whose AWB a spreadsheet has rounded in the ledger
	told       map[int32][]byte                  // by line without an order id: that of a line for which it stands, see told.go
}

// Reset removes everything.
func (r *Remittances) Reset() {
	if len(r.texts.large) > 0 || r.borrowed { // lines that stay in memory must not refer to large texts
		clear(r.list)
	}
	r.list, r.Rows, r.through, r.Warnings = r.list[:0], 0, domain.NoDay, nil
	clear(r.reports)
	r.reports, r.begun, r.at, r.borrowed = r.reports[:0], false, 0, false
	clear(r.absent)
	r.absent = r.absent[:0]
	r.texts.reset()
	r.statuses.reset(&r.texts)
	r.zeros, r.rounded, r.reversed, r.charges, r.roundedUTRs = r.zeros[:0], false, false, r.charges[:0], nil
	r.remembered, r.seen, r.again, r.prints, r.told = 0, r.seen[:0], r.again[:0], nil, nil
}

// Expect makes room for this many lines. Growing step by step would need several
// times the memory.
func (r *Remittances) Expect(lines int) { r.list = slices.Grow(r.list, lines) }

// Room is for how many lines memory is held, also after Reset.
func (r *Remittances) Room() int { return cap(r.list) }

// Texts is how many bytes of memory are held for texts and charges, also after Reset.
func (r *Remittances) Texts() int { return r.texts.bytes() + cap(r.charges)*chargeMemory }

// UsedTexts is how many of these bytes the texts and charges of this run use, with the
// table entries of its statuses.
func (r *Remittances) UsedTexts() int {
	return r.texts.used() + len(r.charges)*chargeMemory + len(r.statuses.kept)*statusMemory
}

// statusMemory is how many bytes a status needs besides its text.
const statusMemory = 80

// Len is the number of lines.
func (r *Remittances) Len() int { return len(r.list) }

// At is the i-th line.
func (r *Remittances) At(i int) *Remittance { return &r.list[i] }

// Add adds a copy of a line.
func (r *Remittances) Add(line Remittance) {
	line.AWB, line.OrderID, line.UTR = r.texts.keep(lasting(line.AWB)), r.texts.keep(lasting(line.OrderID)), r.texts.keep(lasting(line.UTR))
	if isRoundedUTR(line.UTR) { // as a ledger has it
		r.addRoundedUTR(line.UTR)
		line.UTR = nil
	}
	if line.AWBRounded {
		r.rounded = true
	} else if LooksRounded(line.AWB) {
		r.zeros = append(r.zeros, int32(len(r.list)))
	}
	r.reversed = r.reversed || line.MoneyStatus != 0 && r.statuses.kept[line.MoneyStatus].Reversed
	line.Report, line.charged, line.charges = r.at, 0, 0
	r.list = append(r.list, line)
	r.through = max(r.through, line.RemittedOn, line.DeliveredOn)
}

// AddStatus stores the cell of a status and returns its place; 0 for a blank cell.
// Equal cells have the same place, and are read once; a cell of more than 128 bytes
// gets a new place each time.
func (r *Remittances) AddStatus(cell []byte) StatusID { return r.statuses.add(cell, &r.texts) }

// Status is the status at a place. Its text is valid until Reset.
func (r *Remittances) Status(id StatusID) Status {
	if id == 0 {
		return Status{}
	}
	return r.statuses.kept[id]
}
