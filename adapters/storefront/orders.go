package storefront

import (
	"bytes"
	"fmt"

	"milaan/domain"
	"milaan/ports"
)

// Exports reads Shopify's orders exports: it fills ports.Storefront.
type Exports struct{ tables ports.Tables }

// New makes a reader of exports.
func New(tables ports.Tables) *Exports { return &Exports{tables: tables} }

// ReadOrders fills ports.Storefront. Rows with the same name are one order:
// the first non-blank cell of each column wins, and amounts are never summed,
// for further rows are further items of the order (decisions, section 1).
func (e *Exports) ReadOrders(text []byte, orders *domain.Orders) error {
	var at layout
	table, err := e.tables.Open(domain.StorefrontFile, text, func(cells [][]byte) (found bool, err error) {
		at, found, err = recognise(cells)
		return found, err
	}, noHeader)
	if err != nil {
		return err
	}
	defer table.Close()

	r := reader{table: table, orders: orders}
	for c, i := range at.columns {
		if i != absent {
			r.slot[c] = len(r.columns)
			r.columns = append(r.columns, i)
		} else {
			r.slot[c] = absent
		}
	}
	for _, i := range at.tracking {
		r.tracking = append(r.tracking, len(r.columns))
		r.columns = append(r.columns, i)
	}
	r.cells = make([][]byte, len(r.columns))
	orders.Expect(table.Lines())
	for {
		err := r.read()
		if r.turnMonthFirst() {
			orders.Reset()
			continue
		}
		if err != nil {
			return err
		}
		break
	}
	return r.check()
}

// reader reads the rows of one export.
type reader struct {
	table    ports.Table
	columns  []int
	slot     [columnCount]int // by column: its cell's place in cells, or absent
	tracking []int            // the places of the cells with AWBs
	orders   *domain.Orders
	dates    [columnCount]domain.DateColumn
	doubt    error // the first date that only a month-first column explains

	cells [][]byte
	rows  ports.Rows
	name  []byte // of the last row
	order *domain.Order

	// Most rows repeat the statuses of the row before.
	fulfilment remembered[string]
	financial  remembered[domain.Financial]
	payment    remembered[domain.Payment]
}

// remembered is the last cell of a column and what it was read as.
type remembered[T any] struct {
	cell  []byte
	value T
}

func (m *remembered[T]) read(cell []byte, read func([]byte) T) T {
	if m.cell == nil || !bytes.Equal(m.cell, cell) {
		m.cell, m.value = cell, read(cell)
	}
	return m.value
}

// read reads every row from the top.
func (r *reader) read() error {
	rows := r.table.Rows(r.columns)
	r.rows = rows
	r.name, r.order, r.doubt = nil, nil, nil
	for rows.Next(r.cells) {
		if err := r.row(); err != nil {
			return err
		}
	}
	r.orders.Rows = rows.Count()
	if err := rows.Err(); err != nil {
		return err
	}
	return r.doubt
}

// turnMonthFirst switches the columns whose values call for it, and says
// whether the export must be read again.
func (r *reader) turnMonthFirst() bool {
	turned := false
	for c := range r.dates {
		turned = r.dates[c].TurnMonthFirst() || turned
	}
	return turned
}

func (r *reader) cell(c column) []byte {
	if r.slot[c] == absent {
		return nil
	}
	return r.cells[r.slot[c]]
}

// row adds one row to the order that it belongs to.
func (r *reader) row() error {
	if named := r.cell(name); r.order == nil || !bytes.Equal(named, r.name) {
		order, _ := r.orders.Named(named)
		if order == nil {
			return r.nameless(named)
		}
		r.order, r.name = order, named
	}
	o := r.order
	if err := r.amount(total, &o.Total, &o.HasTotal); err != nil {
		return err
	}
	if err := r.amount(outstanding, &o.Outstanding, &o.HasOutstanding); err != nil {
		return err
	}
	if err := r.rowDates(o); err != nil {
		return err
	}
	for _, place := range r.tracking {
		if cell := r.cells[place]; len(cell) > 0 && !domain.IsBlank(domain.Unwrapped(cell)) && !r.orders.Track(o, cell) {
			return r.faultAt(place, cell, fmt.Sprintf("makes more than %d tracking numbers for one order", domain.MaxAWBs), "check whether the column has slipped")
		}
	}
	if cell := r.cell(fulfilmentStatus); o.Fulfilment == "" && len(cell) > 0 {
		o.Fulfilment = r.fulfilment.read(cell, fulfilmentOf)
	}
	if cell := r.cell(financialStatus); o.Financial == domain.FinancialBlank && len(cell) > 0 {
		o.Financial = r.financial.read(cell, domain.FinancialOf)
	}
	if cell := r.cell(paymentMethod); o.Payment == domain.PaymentBlank && len(cell) > 0 {
		o.Payment = r.payment.read(cell, func(cell []byte) domain.Payment { p, _ := domain.PaymentOf(cell); return p })
	}
	return nil
}

// nameless judges a row that names no order. A total's row is none; an amount
// that belongs to nothing must not be lost in silence.
func (r *reader) nameless(named []byte) error {
	r.order = nil
	if cell := r.cell(total); len(cell) > 0 && !domain.IsBlank(cell) && !domain.IsTotal(named) {
		return &domain.FileError{File: domain.StorefrontFile, Line: r.rows.Line(), Column: "Name", Value: domain.Quotable(named),
			Problem: "names no order although the row has a total",
			Advice:  "give the row its order's name, or delete it if it is the export's sum"}
	}
	return nil
}

// amount reads an amount of an order that has none yet.
func (r *reader) amount(c column, into *domain.Paise, has *bool) error {
	cell := r.cell(c)
	if *has || len(cell) == 0 {
		return nil
	}
	amount, reading := domain.ReadPaise(cell)
	switch reading {
	case domain.Given:
		*into, *has = amount, true
	case domain.Unreadable:
		return r.fault(c, cell, "is not an amount", "write it like 1299.50")
	}
	return nil
}

// rowDates reads the dates of a row. What was paid when matters only where the
// order's creation is not told.
func (r *reader) rowDates(o *domain.Order) error {
	if o.CreatedOn == domain.NoDay {
		if err := r.date(createdAt, &o.CreatedOn); err != nil {
			return err
		}
	}
	if o.CreatedOn == domain.NoDay && o.PaidOn == domain.NoDay {
		if err := r.date(paidAt, &o.PaidOn); err != nil {
			return err
		}
	}
	if o.FulfilledOn == domain.NoDay {
		if err := r.date(fulfilledAt, &o.FulfilledOn); err != nil {
			return err
		}
	}
	if o.Cancelled {
		return nil
	}
	var on domain.Day
	err := r.date(cancelledAt, &on)
	o.Cancelled = on != domain.NoDay
	return err
}

func (r *reader) date(c column, into *domain.Day) error {
	cell := r.cell(c)
	if len(cell) == 0 {
		return nil
	}
	day, reading := r.dates[c].Read(cell)
	if reading == domain.Unreadable {
		doubtful := r.dates[c].Doubtful()
		if !doubtful || r.doubt == nil { // to find a line's number takes a look at all before it
			r.doubt = r.fault(c, cell, "is not a date", "write it like 2026-03-31")
		}
		if !doubtful {
			return r.doubt
		}
		return nil
	}
	*into = day
	return nil
}

func (r *reader) fault(c column, cell []byte, problem, advice string) error {
	return r.faultAt(r.slot[c], cell, problem, advice)
}

func (r *reader) faultAt(place int, cell []byte, problem, advice string) error {
	return &domain.FileError{File: domain.StorefrontFile, Line: r.rows.Line(), Column: string(r.table.Header()[r.columns[place]]),
		Value: domain.Quotable(cell), Problem: problem, Advice: advice}
}

// check refuses an export from which nothing could be concluded.
func (r *reader) check() error {
	switch {
	case r.orders.Len() == 0:
		return &domain.FileError{File: domain.StorefrontFile, Problem: "has no orders below its header", Advice: "export the orders again"}
	case r.orders.Latest() == domain.NoDay:
		return &domain.FileError{File: domain.StorefrontFile, Problem: "has no order with a date (Created at, Paid at or Fulfilled at)",
			Advice: "export the orders with their dates"}
	}
	return nil
}

// fulfilmentOf gives a fulfilment status in lower case, "" for none.
func fulfilmentOf(cell []byte) string {
	cell = domain.Unwrapped(cell)
	if domain.IsBlank(cell) {
		return ""
	}
	for _, usual := range []string{"fulfilled", "unfulfilled"} { // without a copy
		if bytes.EqualFold(cell, []byte(usual)) {
			return usual
		}
	}
	return string(bytes.ToLower(cell))
}
