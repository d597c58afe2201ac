package storefront

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strings"
	"time"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

// FetchedOrder is an order as the API of a shop has it. Amounts are in rupees.
type FetchedOrder struct {
	ID             string // unique within the shop
	Name           string
	CreatedAt      time.Time
	CancelledAt    time.Time // zero: it is not cancelled
	FulfilledAt    time.Time // zero: it is not known
	Total          domain.Paise
	Outstanding    domain.Paise
	HasOutstanding bool
	Financial      string // the storefront's word, as its export would have it
	Fulfilment     string // the same
	Method         string // payment methods, joined as its export would join them
	AWBs           []string
	Carrier        string // who carries the first parcel of which that is known; blank: of none
}

// Fetched are the orders that were fetched from a shop. It keeps them as the rows of its
// export would be, and reads them in the same way, so that an order gets the same verdict
// whichever way it came.
type Fetched struct {
	provider provider
	header   [][]byte
	text     []byte // of all cells
	rows     []fetchedRow
	ids      map[string]int32 // the row of each id
}

// fetchedRow says where in the text the cells of an order are, one behind the other.
type fetchedRow struct {
	start   uint32
	created int64 // Unix time
	lengths [nameLists + 1]uint16
}

// idCell is the cell behind those of the columns: it is no column of the export.
const idCell = nameLists

// maxFetchedCell is how many bytes a cell keeps. Longer texts say nothing more.
const maxFetchedCell = 1<<16 - 1

// NewFetched returns an empty list of the orders of a storefront, such as shopify. It panics
// for an unknown one.
func NewFetched(storefront string) *Fetched {
	all := slices.Concat(registered, unexported)
	f := &Fetched{ids: map[string]int32{}}
	f.provider = newProvider(all[slices.IndexFunc(all, func(p Provider) bool { return p.ID == storefront })])
	for c := range nameLists {
		f.header = append(f.header, []byte(f.provider.Columns[c][0]))
	}
	return f
}

// Add adds an order. One that was added before, by its id, is replaced.
func (f *Fetched) Add(o FetchedOrder) {
	row := fetchedRow{start: uint32(len(f.text)), created: o.CreatedAt.Unix()}
	cells := [idCell + 1]string{name: o.Name, total: rupees(o.Total), createdAt: written(o.CreatedAt), fulfilledAt: written(o.FulfilledAt),
		financialStatus: o.Financial, fulfilmentStatus: o.Fulfilment, paymentMethod: o.Method, cancelledAt: written(o.CancelledAt),
		currency: "INR", tracking: strings.Join(o.AWBs, ", "), carrier: o.Carrier, idCell: o.ID}
	if o.HasOutstanding {
		cells[outstanding] = rupees(o.Outstanding)
	}
	for c, cell := range cells {
		cell = strings.TrimSpace(cell[:min(len(cell), maxFetchedCell)])
		f.text, row.lengths[c] = append(f.text, cell...), uint16(len(cell))
	}
	if at, known := f.ids[o.ID]; known {
		f.rows[at] = row
		return
	}
	f.ids[o.ID] = int32(len(f.rows))
	f.rows = append(f.rows, row)
}

func rupees(p domain.Paise) string { return string(p.AppendRupees(nil)) }

// written writes a time as the export of Shopify does.
func written(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(domain.Kolkata).Format("2006-01-02 15:04:05 -0700")
}

// Count is how many orders there are.
func (f *Fetched) Count() int { return len(f.rows) }

// Bytes is about how much memory they take.
func (f *Fetched) Bytes() int64 {
	const row, id = 48, 80 // with what a growing slice and a map have to spare
	return int64(cap(f.text)) + int64(cap(f.rows))*row + int64(len(f.rows))*id
}

func (f *Fetched) Size() int64 { return int64(len(f.text)) }

// Read takes the latest order as the first, as in an export.
func (f *Fetched) Read(orders *verdict.Orders) error {
	slices.SortFunc(f.rows, func(a, b fetchedRow) int {
		return cmp.Or(cmp.Compare(b.created, a.created), compareIDs(f.cell(b, idCell), f.cell(a, idCell)))
	})
	at := layout{provider: &f.provider, tracking: []int{int(tracking)}, carriers: []int{int(carrier)}}
	for c := range at.columns {
		at.columns[c] = c
	}
	at.columns[paidAt] = absent // is not fetched, for every order says when it was created
	return readTable(fetchedTable{f}, at, orders)
}

// compareIDs compares numbers by their size and other ids as texts.
func compareIDs(a, b []byte) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
}

// cell is a cell of a row. Only idCell has no column.
func (f *Fetched) cell(row fetchedRow, c column) []byte {
	from := int(row.start)
	for _, length := range row.lengths[:c] {
		from += int(length)
	}
	return f.text[from : from+int(row.lengths[c]) : from+int(row.lengths[c])]
}

// Hash returns SHA-256 of everything of the orders that decides a result or is shown in
// one. The same orders in another order have the same one.
func (f *Fetched) Hash() (hash [32]byte) {
	rows := slices.Clone(f.rows)
	slices.SortFunc(rows, func(a, b fetchedRow) int { return slices.Compare(f.cell(a, idCell), f.cell(b, idCell)) })
	h := sha256.New()
	for _, row := range rows {
		fulfilment := f.provider.readFulfilment(f.cell(row, fulfilmentStatus))
		by, partPrepaid := f.provider.readPayment(f.cell(row, paymentMethod))
		_, _ = h.Write([]byte{byte(fulfilment.is), byte(f.provider.readFinancial(f.cell(row, financialStatus))), byte(by), truth(partPrepaid),
			truth(row.lengths[cancelledAt] > 0)})
		addText(h, []byte(fulfilment.text))
		for _, c := range [...]column{idCell, name, total, outstanding, createdAt, fulfilledAt, paymentMethod, tracking, carrier} {
			addText(h, f.cell(row, c))
		}
	}
	h.Sum(hash[:0])
	return hash
}

// addText adds a text in such a way that no two lists of texts are the same.
func addText(h hash.Hash, text []byte) {
	_, _ = h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
	_, _ = h.Write(text)
}

func truth(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// fetchedTable is the export that a shop would have written.
type fetchedTable struct{ *Fetched }

func (t fetchedTable) Header() [][]byte { return t.header }

func (t fetchedTable) Rows(columns []int) peers.Rows {
	return &fetchedRows{of: t.Fetched, columns: columns}
}

func (t fetchedTable) Lines() int { return len(t.rows) }

// Cells returns nil: no order has unusual cells.
func (t fetchedTable) Cells([]byte) [][]byte { return nil }

func (t fetchedTable) Close() {}

type fetchedRows struct {
	of      *Fetched
	columns []int
	count   int
}

func (r *fetchedRows) Next(cells [][]byte) bool {
	if r.count == len(r.of.rows) {
		return false
	}
	for i, c := range r.columns {
		if c >= 0 {
			cells[i] = r.of.cell(r.of.rows[r.count], column(c))
		}
	}
	r.count++
	return true
}

// Line counts as if the header were in line 1.
func (r *fetchedRows) Line() int { return r.count + 1 }

// Record returns nil: nobody asks for it.
func (r *fetchedRows) Record() []byte { return nil }

func (r *fetchedRows) Count() int { return r.count }

func (r *fetchedRows) Err() error { return nil }
