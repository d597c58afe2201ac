package storefront

import (
	"bytes"
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

type export struct {
	registry *Registry
	content  ports.Content
}

func (r *Registry) Orders(content ports.Content) ports.OrdersReader { return export{r, content} }

func (e export) Size() int64 { return int64(len(e.content.Bytes)) }

// Read makes one order of the rows with the same name: the first cell of each column that
// is not blank wins, and amounts are never summed, because further rows are further items
// of the order (guide: verdict 1).
func (e export) Read(orders *verdict.Orders) error {
	var at layout
	table, err := e.registry.tables.Open(domain.StorefrontFile, e.content, func(cells [][]byte) (found bool, err error) {
		at, found, err = e.registry.recognise(cells)
		return found, err
	}, e.registry.explainNoHeader)
	if seen := e.content.Seen; seen != nil && (err == nil || seen.HeaderLine > 0 && at.provider != nil && at.lacks == nil) {
		seen.Exporter = ports.ExporterInfo{ID: at.provider.ID, Name: at.provider.Name}
	}
	if err != nil {
		return err
	}
	defer table.Close()
	return readTable(table, at, orders)
}

func readTable(table peers.Table, at layout, orders *verdict.Orders) error {
	r := reader{table: table, provider: at.provider, orders: orders}
	defer r.giveBack()
	for c, i := range at.columns {
		r.slot[c] = absent
		if i != absent {
			r.slot[c] = len(r.columns)
			r.columns = append(r.columns, i)
		}
	}
	for _, i := range at.tracking {
		r.tracking = append(r.tracking, len(r.columns))
		r.columns = append(r.columns, i)
	}
	for _, i := range at.carriers {
		r.carriers = append(r.carriers, len(r.columns))
		r.columns = append(r.columns, i)
	}
	r.cells, r.headerName = make([][]byte, len(r.columns)), table.Header()[at.columns[name]]
	orders.Expect(table.Lines())
	for {
		err := r.read()
		if r.turnMonthFirst() {
			orders.Reset()
			continue
		}
		if err == nil {
			err = r.checkDoubts()
		}
		if err != nil {
			return peers.NameSheet(table, err)
		}
		if !r.settle() {
			return peers.NameSheet(table, r.check())
		}
		orders.Reset()
	}
}

type reader struct {
	table    peers.Table
	provider *provider
	columns  []int
	slot     [columnCount]int // by column: its cell's place in cells, or absent
	tracking []int            // the places of the cells with AWBs
	carriers []int            // the places of the cells with carriers
	orders   *verdict.Orders
	dates    [columnCount]domain.DateColumn
	turned   []column // to month first, though each date can be read both ways
	ties     []column // read day first, though month first fits the other dates as well
	latest   [columnCount]domain.LatestDays
	doubts   [columnCount]fault // per column, the first date that only month first explains

	cells      [][]byte
	rows       peers.Rows
	name       []byte // of the last row
	order      *verdict.Order
	headerName []byte // of the column with the orders' names
	created    []byte // the cell that says when order was created

	// Most rows have one of few statuses, methods and currencies.
	fulfilment remembered[fulfilment]
	financial  remembered[domain.Financial]
	payment    remembered[payment]
	currency   remembered[denomination]
	carrier    remembered[verdict.TextID]
}

// fulfilment is what a cell says of how far an order's goods are.
type fulfilment struct {
	is   verdict.Fulfilment
	text string // "": nothing
}

// payment is what a cell says of how an order is paid.
type payment struct {
	by          domain.Payment
	partPrepaid bool
	method      verdict.TextID
}

// denomination is what a cell says of the currency: rupees, another one, or nothing.
type denomination struct {
	rupees  bool
	foreign verdict.TextID
}

// remembered has the last different cells of a column and what they were read as.
type remembered[T any] struct {
	cell  []byte // the last one that was read
	value T

	cells  [rememberedCells][]byte
	values [rememberedCells]T
	oldest int
}

const rememberedCells = 16

// read gives what a cell, which is not empty, is read as.
func (m *remembered[T]) read(cell []byte, read func([]byte) T) T {
	if !bytes.Equal(m.cell, cell) {
		m.look(cell, read)
	}
	return m.value
}

func (m *remembered[T]) look(cell []byte, read func([]byte) T) {
	m.cell = cell
	for i := range m.cells {
		if bytes.Equal(m.cells[i], cell) {
			m.value = m.values[i]
			return
		}
	}
	m.value = read(cell)
	m.cells[m.oldest], m.values[m.oldest] = cell, m.value
	m.oldest = (m.oldest + 1) % rememberedCells
}

// read reads every row from the top.
func (r *reader) read() error {
	r.rows = r.table.Rows(r.columns)
	r.name, r.order, r.created = nil, nil, nil
	for c := range r.dates {
		r.dates[c].Restart()
	}
	r.latest, r.doubts = [columnCount]domain.LatestDays{}, [columnCount]fault{}
	r.payment, r.currency = remembered[payment]{}, remembered[denomination]{} // their texts are the orders'
	r.carrier = remembered[verdict.TextID]{}
	for r.rows.Next(r.cells) {
		if err := r.row(); err != nil {
			return err
		}
	}
	r.orders.Rows = r.rows.Count()
	return r.rows.Err()
}

// giveBack lets other readers use the memory of the dates.
func (r *reader) giveBack() {
	for c := range r.dates {
		r.dates[c].GiveBack()
	}
}

// checkDoubts returns an error for the first date that has to be read month first, in
// a column whose other dates have to be read day first.
func (r *reader) checkDoubts() error {
	for _, doubt := range r.doubts {
		if doubt.row > 0 {
			return r.fault(doubt)
		}
	}
	return nil
}

// turnMonthFirst makes the reader take the month first in the columns of dates that
// need it. It says whether there is such a column: then the export must be read again.
func (r *reader) turnMonthFirst() bool {
	turned := false
	for c := range r.dates {
		turned = r.dates[c].TurnMonthFirst() || turned
	}
	return turned
}

// settle does the same for columns of which every date can be read both ways, and that
// give no order its date. One that gives orders their dates is read day first: a warning
// says so where the other columns are month first.
func (r *reader) settle() (turned bool) {
	var columns []*domain.DateColumn
	for c := range r.dates {
		columns = append(columns, &r.dates[c])
	}
	before := len(r.turned)
	r.ties = r.ties[:0]
	for c := range r.dates {
		if !r.dates[c].ReadsBothWays() {
			continue
		}
		if r.datesOrders(column(c)) {
			asIs := r.dates[c]
			if turns, _ := asIs.Settle(columns, noOrders); turns {
				r.ties = append(r.ties, column(c))
			}
			continue
		}
		switch turned, tie := r.dates[c].Settle(columns, r.orders.Span); {
		case turned:
			r.turned = append(r.turned, column(c))
		case tie:
			r.ties = append(r.ties, column(c))
		}
	}
	return len(r.turned) > before
}

// noOrders is the time of orders whose dates are not known yet.
func noOrders() (first, latest domain.Day) { return domain.NoDay, domain.NoDay }

func (r *reader) datesOrders(c column) bool {
	for i := range r.orders.Len() {
		from := createdAt
		switch o := r.orders.At(i); {
		case o.CreatedOn != domain.NoDay:
		case o.PaidOn != domain.NoDay:
			from = paidAt
		default:
			from = fulfilledAt
		}
		if from == c {
			return true
		}
	}
	return false
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
		if r.repeatsHeader(named) {
			r.order = nil
			return nil
		}
		if r.isSum(named) {
			return r.skipNameless(named)
		}
		order, _ := r.orders.FindOrAdd(named)
		if order == nil {
			return r.skipNameless(named)
		}
		r.order, r.name, r.created = order, named, nil
	}
	if cell := r.cell(createdAt); len(cell) > 0 && !bytes.Equal(cell, r.created) {
		if err := r.readCreation(cell); err != nil {
			return err
		}
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
		if cell := r.cells[place]; len(cell) > 0 && !domain.IsBlank(domain.Unwrap(cell)) && !r.orders.Track(o, cell) {
			return r.faultAt(place, domain.FileError{Rule: domain.RuleTrackingNumbers, Limit: verdict.MaxAWBs})
		}
	}
	for _, place := range r.carriers {
		if cell := r.cells[place]; len(cell) > 0 && o.Carrier == 0 {
			o.Carrier = r.carrier.read(cell, r.readCarrier)
		}
	}
	if cell := r.cell(fulfilmentStatus); o.FulfilmentText == "" && len(cell) > 0 {
		f := r.fulfilment.read(cell, r.provider.readFulfilment)
		o.Fulfilment, o.FulfilmentText = f.is, f.text
		r.orders.OwnStatuses = r.orders.OwnStatuses || f.is == verdict.FulfilmentOther
	}
	if cell := r.cell(currency); len(cell) > 0 && !o.InRupees && o.Currency == 0 {
		r.readCurrency(cell)
	}
	if cell := r.cell(financialStatus); o.Financial == domain.FinancialBlank && len(cell) > 0 {
		o.Financial = r.financial.read(cell, r.provider.readFinancial)
	}
	if cell := r.cell(paymentMethod); o.Payment == domain.PaymentBlank && len(cell) > 0 {
		p := r.payment.read(cell, r.readPayment)
		o.Payment, o.PartPrepaid, o.Method = p.by, p.partPrepaid, p.method
	}
	return nil
}

// repeatsHeader says that a row is the header once more, as where two exports were
// put one below the other.
func (r *reader) repeatsHeader(named []byte) bool {
	if !bytes.Equal(named, r.headerName) {
		return false
	}
	header := r.table.Header()
	for place, cell := range r.cells {
		if !bytes.Equal(cell, header[r.columns[place]]) {
			return false
		}
	}
	return true
}

// isSum says whether a row is the export's sum although its name has a digit, as in
// Total of 12 orders. Such a row has no date.
func (r *reader) isSum(named []byte) bool {
	return len(r.cell(createdAt)) == 0 && len(r.cell(paidAt)) == 0 && len(r.cell(fulfilledAt)) == 0 && verdict.IsTotal(named)
}

// readCreation reads when an order was created. If that differs from the order of the
// rows above with the same name, two stores have given one name to two orders, and the
// row begins another order. A row of a further item, which has no cell that belongs to
// an order, begins none, but may be of an order further up.
func (r *reader) readCreation(cell []byte) error {
	at, err := r.moment(createdAt, cell)
	if err != nil || at.Day == domain.NoDay {
		return err
	}
	orders := r.orders.Len()
	switch o := r.order; {
	case o.CreatedOn == domain.NoDay:
		o.CreatedOn, o.CreatedSecond = at.Day, at.Second
		r.latest[createdAt].Add(at.Day, r.rows.Count())
	case !r.hasOwnCells():
		named := r.orders.FindNamesake(o, at)
		if named == nil {
			return nil
		}
		r.order = named
	default:
		if r.order = r.orders.FindOrAddNamesake(o, at); r.order == nil {
			return r.faultAt(r.slot[createdAt], domain.FileError{Rule: domain.RuleNamesakes, Limit: verdict.MaxNamesakes})
		}
		if r.orders.Len() > orders {
			r.latest[createdAt].Add(at.Day, r.rows.Count())
		}
	}
	r.created = cell
	return nil
}

// hasOwnCells says that a row has one of the cells that belong to an order and not
// to its items.
func (r *reader) hasOwnCells() bool {
	for _, c := range [...]column{total, outstanding, financialStatus, fulfilmentStatus, paymentMethod, cancelledAt} {
		if cell := r.cell(c); len(cell) > 0 && !domain.IsBlank(domain.Unwrap(cell)) {
			return true
		}
	}
	return false
}

// readCurrency stores the currency of an order, and its line if it is not the rupee:
// whether that is a fault is only known when the report has been read.
func (r *reader) readCurrency(cell []byte) {
	m := r.currency.read(cell, r.readDenomination)
	if r.order.InRupees = m.rupees; m.foreign != 0 {
		r.order.Currency, r.order.CurrencyLine = m.foreign, int32(r.rows.Line())
	}
}

func (r *reader) readDenomination(cell []byte) denomination {
	unwrapped := domain.Unwrap(cell)
	if domain.IsRupees(cell) {
		return denomination{rupees: !domain.IsBlank(unwrapped)}
	}
	r.orders.CurrencyColumn = r.columnName(r.slot[currency])
	return denomination{foreign: r.orders.Share(unwrapped)}
}

func (r *reader) readCarrier(cell []byte) verdict.TextID {
	unwrapped := domain.Unwrap(cell)
	if domain.IsBlank(unwrapped) {
		return 0
	}
	return r.orders.Share(unwrapped)
}

func (r *reader) readPayment(cell []byte) payment {
	by, part := r.provider.readPayment(cell)
	if by == domain.PaymentBlank {
		return payment{}
	}
	return payment{by: by, partPrepaid: part, method: r.orders.Share(domain.Unwrap(cell))}
}

// skipNameless skips a row that names no order. It returns an error if the row has an
// amount and is not a total: that amount would be missing without a word.
func (r *reader) skipNameless(named []byte) error {
	r.order = nil
	_, reading := domain.ReadPaise(r.cell(total))
	if reading == domain.Blank || verdict.IsTotal(named) || len(named) == 0 && slices.ContainsFunc(r.cells, verdict.IsTotal) {
		return nil
	}
	return r.faultAt(r.slot[name], domain.FileError{Rule: domain.RuleNoName})
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
		return r.fault(fault{column: c, row: r.rows.Count()})
	}
	return nil
}

// rowDates reads the dates of a row. The date of payment is read only if the order has
// no date of creation.
func (r *reader) rowDates(o *verdict.Order) error {
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
	at, err := r.moment(c, cell)
	if *into = at.Day; at.Day != domain.NoDay && c != cancelledAt {
		r.latest[c].Add(at.Day, r.rows.Count())
	}
	return err
}

// moment reads a date. It returns NoDay if the cell has none, or one that has to be
// read month first: checkDoubts looks at those when all rows have been read.
func (r *reader) moment(c column, cell []byte) (domain.Moment, error) {
	at, reading := r.dates[c].ReadMoment(cell)
	if reading != domain.Unreadable {
		return at, nil
	}
	if r.doubts[c].row == 0 {
		r.doubts[c] = fault{column: c, row: r.rows.Count()}
	}
	if !r.dates[c].Doubtful() {
		return at, r.fault(r.doubts[c])
	}
	return at, nil
}

type fault struct {
	column column
	row    int // records below the header up to it, from 1
}

// fault says what is wrong with a cell, and how many more cells of its column are.
func (r *reader) fault(f fault) error {
	rows, cell := r.reread(f)
	e := &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleAmount, Line: rows.Line(), Column: r.columnName(r.slot[f.column]),
		Value: domain.Quotable(cell[0])}
	faulty := func(cell []byte) bool {
		_, reading := domain.ReadPaise(cell)
		return reading == domain.Unreadable
	}
	if dates := r.dates[f.column]; f.column != total && f.column != outstanding {
		if e.Rule = domain.RuleDate; domain.ReadsMonthFirst(cell[0]) {
			e.Rule = domain.RuleMonthFirst
		}
		faulty = func(cell []byte) bool {
			_, reading := dates.Read(cell)
			return reading == domain.Unreadable
		}
	}
	for rows.Next(cell) {
		if len(cell[0]) > 0 && faulty(cell[0]) && string(cell[0]) != e.Column { // a repeated header is no fault
			e.More++
		}
	}
	return e
}

// reread reads the column of a fault anew, up to the faulty cell.
func (r *reader) reread(f fault) (peers.Rows, [][]byte) {
	rows := r.table.Rows([]int{r.columns[r.slot[f.column]]})
	cell := make([][]byte, 1)
	for rows.Next(cell) && rows.Count() < f.row {
		continue
	}
	return rows, cell
}

// faultAt completes what is wrong with a cell of the current row.
func (r *reader) faultAt(place int, e domain.FileError) error {
	e.File, e.Line, e.Column, e.Value = domain.StorefrontFile, r.rows.Line(), r.columnName(place), domain.Quotable(r.cells[place])
	return &e
}

func (r *reader) columnName(place int) string { return string(r.table.Header()[r.columns[place]]) }

// checkSlip returns an error for a date that is far later than all others of its
// column: it would move the window of every order.
func (r *reader) checkSlip(c column) error {
	row, slipped := r.latest[c].FindSlip()
	if !slipped {
		return nil
	}
	rows, cell := r.reread(fault{column: c, row: row})
	return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleFarDate, Line: rows.Line(), Column: r.columnName(r.slot[c]),
		Value: domain.Quotable(cell[0])}
}

// check returns an error for an export that has no orders or no dates.
func (r *reader) check() error {
	if r.orders.Len() == 0 {
		return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoOrders}
	}
	if !r.orders.HaveDates() {
		return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleNoDates}
	}
	for _, c := range []column{createdAt, paidAt, fulfilledAt} {
		if err := r.checkSlip(c); err != nil {
			return err
		}
	}
	for i, c := range slices.Concat(r.turned, r.ties) {
		r.orders.Warnings = append(r.orders.Warnings, domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.StorefrontFile,
			Column: r.columnName(r.slot[c]), DayFirst: i >= len(r.turned)})
	}
	return nil
}
