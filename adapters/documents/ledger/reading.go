package ledger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// ItemColumns are the columns of the sheet of open items by which it is told from other tables. People fill in the
// last four.
func ItemColumns() []string { return slices.Clone(itemHeader) }

var itemFields = []field[order]{
	text("Order", func(o *order) *[]byte { return &o.Name }),
	text("AWB", func(o *order) *[]byte { return &o.AWBs }),
	day("Ordered on", func(o *order) *domain.Day { return &o.CreatedOn }),
	oneOf(domain.StateColumn, states, func(o *order) *domain.ItemState { return &o.Found.Mark.State }),
	day(domain.RaisedColumn, func(o *order) *domain.Day { return &o.Found.Mark.RaisedOn }),
	day(domain.PromisedColumn, func(o *order) *domain.Day { return &o.Found.Mark.PromisedUntil }),
	word(domain.NoteColumn, func(o *order) *string { return &o.Found.Mark.Note }),
}

var itemHeader = func() (all []string) {
	for i := range itemFields {
		itemFields[i].at = i
		all = append(all, itemFields[i].name)
	}
	return all
}()

// Reader reads ledgers.
type Reader struct{ tables peers.Tables }

// MaxRows is how many rows a ledger may have, with that of the run.
const MaxRows = verdict.MaxLedgerRows + 1

// New makes a Reader. Tables must accept as many rows as a ledger has.
func New(tables peers.Tables) *Reader { return &Reader{tables} }

// reader reads the rows of one kind of a ledger, or of the sheet of open items beside it.
type reader struct {
	table  peers.Table
	header []string
	cells  [][]byte            // of a row
	before [][]byte            // the cells of the row that was read last
	dates  []domain.DateColumn // by column
	column int                 // that is being read
	rows   peers.Rows
	texts  map[string]string

	found, written [2]int // orders and lines
	counted        bool   // the row of the run says how many were written
}

// opened is a ledger whose header is known. Lines and orders are read each by a pass of its own, and at the same time,
// so that little but what a run has of them anyway is held. An export takes longer to read than most reports: whoever reads the
// lines reads some orders as well while Orders must wait for the export.
type opened struct {
	table   peers.Table
	rows    int // at most
	columns []int
	marks   map[marked][]rowMark // of the sheet of open items

	reading sync.Mutex  // of orders
	wanted  atomic.Bool // Orders waits for them
	orders  *orderRows  // nil: nobody has begun
	ahead   []readOrder // that have been read before Orders was called
	room    *[mostAhead]readOrder
}

// readOrder is an order with the line on which it stands.
type readOrder struct {
	order order
	line  int
}

// mostAhead is how many orders are read ahead. They take a few hundred bytes each.
const mostAhead = 4096

var roomAhead = sync.Pool{New: func() any { return new([mostAhead]readOrder) }}

// marked tells an order of the sheet of open items.
type marked struct {
	key string
	on  domain.Day
}

// rowMark is what people have noted in a row of that sheet. Orders of one name and day are told apart by their AWBs.
type rowMark struct {
	awb  string
	mark domain.Mark
}

func (l *opened) markOf(o *order) (domain.Mark, bool) {
	if len(l.marks) == 0 {
		return domain.Mark{}, false
	}
	rows := l.marks[marked{string(verdict.OrderKey(o.Name)), o.OrderedOn()}]
	if at := slices.IndexFunc(rows, func(row rowMark) bool { return row.awb == string(o.AWBs) }); at >= 0 {
		return rows[at].mark, true
	}
	if len(rows) == 1 && (len(o.AWBs) == 0 || rows[0].awb == "") {
		return rows[0].mark, true
	}
	return domain.Mark{}, false
}

// Open finds the header. The rows below it may stand in any order. What people have noted on the sheet of open items stands
// above what the ledger itself has.
func (r *Reader) Open(content ports.Content) (ports.Ledger, error) {
	l := new(opened)
	var err error
	l.table, err = r.tables.Open(domain.LedgerFile, content, func(cells [][]byte) (bool, error) {
		if err := checkVersion(cells); err != nil {
			return false, err
		}
		l.columns = locate(header, cells)
		return l.columns != nil, nil
	}, lacks)
	if err != nil {
		return nil, err
	}
	l.rows = l.table.Lines()
	if s, is := l.table.(peers.Sheeted); is {
		var text []byte
		if text, err = s.Text(); err == nil && text != nil {
			l.marks, err = r.readMarks(content)
		}
		if err != nil {
			l.table.Close()
			return nil, err
		}
	}
	return l, nil
}

// newReader makes a reader of the columns of some fields, and of the first column and those in also. It passes over rows of
// which the first column says that they are others.
func newReader[T any](
	t peers.Table, fields []field[T], header []string, all []int, passOver func(kind []byte) bool, also ...int,
) *reader {
	columns := slices.Repeat([]int{-1}, len(all))
	columns[0] = all[0]
	for i := range fields {
		columns[fields[i].at] = all[fields[i].at]
	}
	for _, at := range also {
		columns[at] = all[at]
	}
	r := &reader{table: t, header: header, texts: map[string]string{}, cells: make([][]byte, len(header)), before: make([][]byte, len(header)),
		dates: make([]domain.DateColumn, len(header))}
	if s, can := t.(peers.Selecting); can && passOver != nil {
		r.rows = s.RowsBut(columns, passOver)
	} else {
		r.rows = t.Rows(columns)
	}
	return r
}

// checkVersion returns an error for the header of a form that this program does not know.
func checkVersion(cells [][]byte) error {
	for _, cell := range cells {
		if behind, is := bytes.CutPrefix(domain.Unwrap(cell), []byte(domain.LedgerHeading)); is && string(behind) != strconv.Itoa(version) {
			return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerVersion,
				Column: domain.Quotable(domain.Unwrap(cell)), Value: domain.Quotable(behind)}
		}
	}
	return nil
}

// locate finds the columns of some names in a header, which may have them in any order and others among them; nil if it
// lacks one.
func locate(names []string, cells [][]byte) []int {
	keys, columns := domain.HeaderKeys(cells), make([]int, len(names))
	for i, name := range names {
		if columns[i] = slices.Index(keys, domain.HeaderKey(name)); columns[i] < 0 && name != toldOrder && name != lastSeen {
			return nil
		}
	}
	return columns
}

func lacks(line int, cells [][]byte) error {
	if domain.ListsOpenItems(cells) {
		return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleOpenItems}
	}
	e := &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleNoColumn, Line: line, NoHeader: true}
	keys := domain.HeaderKeys(cells)
	for _, name := range header {
		if name != toldOrder && !slices.Contains(keys, domain.HeaderKey(name)) {
			e.LookedFor = append(e.LookedFor, []string{name})
			break
		}
	}
	for _, cell := range cells {
		e.Found = append(e.Found, domain.Quotable(cell))
	}
	return e
}

// share returns a text of which many cells have the same.
func (r *reader) share(cell []byte) string {
	if kept, known := r.texts[string(cell)]; known {
		return kept
	}
	kept := string(cell)
	r.texts[kept] = kept
	return kept
}

// Lines adds the lines, and refuses rows that are neither an order nor a line.
func (l *opened) Lines(into *verdict.Remittances) error {
	r := newReader(l.table, lineFields, header, l.columns, func(kind []byte) bool { return string(kind) == rowOfOrder }, len(header)-1)
	seen := make(map[counted]struct{}, min(l.rows/2, 10_000))
	var of line
	for r.rows.Next(r.cells) {
		if err := r.addLine(&of, into, seen); err != nil {
			return peers.NameSheet(r.table, err)
		}
	}
	if err := cmp.Or(r.rows.Err(), r.checkCount(linesCounted, rowOfLine)); err != nil {
		return peers.NameSheet(r.table, err)
	}
	l.readAhead()
	return nil
}

// readAhead reads orders until somebody wants them.
func (l *opened) readAhead() {
	if !l.reading.TryLock() {
		return
	}
	defer l.reading.Unlock()
	if l.orders != nil {
		return
	}
	l.beginOrders()
	room := roomAhead.Get().(*[mostAhead]readOrder)
	n := 0
	for n < mostAhead && !l.wanted.Load() && l.orders.next(&room[n]) {
		n++
	}
	l.ahead, l.room = room[:n], room
}

// counted is a fingerprint with the number of its line among those that have it.
type counted [verdict.FingerprintSize + 4]byte

func (r *reader) addLine(of *line, into *verdict.Remittances, seen map[counted]struct{}) error {
	switch kind := r.cells[0]; {
	case string(kind) == rowOfOrder:
		return nil
	case string(kind) == rowOfRun:
		r.readCounts()
		return nil
	case string(kind) != rowOfLine:
		return r.wrongWord(0, []string{rowOfRun, rowOfOrder, rowOfLine})
	}
	r.found[linesCounted]++
	l, err := r.readLine(of)
	if err != nil {
		return err
	}
	var at counted
	n, err := strconv.ParseUint(string(domain.Unwrap(r.cells[len(r.cells)-1])), 10, 32)
	if err != nil || n == 0 {
		return r.fault(len(r.cells)-1, domain.RuleLedgerAltered)
	}
	binary.BigEndian.PutUint32(at[copy(at[:], l.Print[:]):], uint32(n))
	if _, again := seen[at]; again {
		return r.fault(places["Fingerprint"], domain.RuleLedgerTwice)
	}
	seen[at] = struct{}{}
	switch into.Remember(&l) {
	case domain.RuleLedgerCouriers:
		return r.tooManyCouriers()
	case domain.RuleLedgerCharges:
		return r.tooManyCharges()
	case domain.RuleLedgerAllCharges:
		fault := r.fault(places["Charges"], domain.RuleLedgerAllCharges)
		fault.Limit = verdict.MaxLedgerCharges
		return fault
	}
	return nil
}

// Orders adds the orders. Some of them may have been read while the export was read.
func (l *opened) Orders(into *verdict.Orders) error {
	l.wanted.Store(true)
	l.reading.Lock()
	defer l.reading.Unlock()
	l.beginOrders()
	for i := range l.ahead {
		if rule := into.Remember(&l.ahead[i].order); rule != "" {
			return l.refused(rule, &l.ahead[i])
		}
	}
	of := new(readOrder)
	for l.orders.next(of) {
		if rule := into.Remember(&of.order); rule != "" {
			return l.refused(rule, of)
		}
	}
	into.Ledger = l.orders.run
	return l.orders.err
}

type orderRows struct {
	of       *opened
	rows     *reader
	row      order    // as the row that was read last has it
	couriers []string // of the orders so far
	run      verdict.LedgerRun
	err      error
}

// noteCourier returns false for an order of one courier too many: each has documents of its own.
func (o *orderRows) noteCourier() bool {
	if id := o.row.Found.Courier; id != "" && !slices.Contains(o.couriers, id) {
		o.couriers = append(o.couriers, id)
	}
	return len(o.couriers) <= domain.MaxReports
}

func (l *opened) beginOrders() {
	if l.orders == nil {
		passOver := func(kind []byte) bool { return string(kind) == rowOfLine }
		l.orders = &orderRows{of: l, rows: newReader(l.table, orderFields, header, l.columns, passOver)}
	}
}

// next reads the next order. It returns false after the last one, or if err says what is wrong.
func (o *orderRows) next(into *readOrder) bool {
	r := o.rows
	for o.err == nil && r.rows.Next(r.cells) {
		kind := string(r.cells[0])
		if kind != rowOfRun && kind != rowOfOrder {
			continue // Lines reads it, or refuses it
		}
		if kind == rowOfOrder {
			r.found[ordersCounted]++
		}
		if r.found[ordersCounted] > domain.MaxRows {
			o.err = &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerOrders, Limit: domain.MaxRows}
		} else {
			o.err = read(r, orderFields, &o.row)
		}
		if o.err == nil && kind == rowOfOrder && !o.noteCourier() {
			o.err = r.tooManyCouriers()
		}
		switch {
		case o.err != nil:
			o.err = peers.NameSheet(r.table, o.err)
			return false
		case kind == rowOfOrder && len(r.cells[flagColumn]) == 0:
			o.err = peers.NameSheet(r.table, r.wrongWord(flagColumn, names(domain.Flags())))
			return false
		case kind == rowOfRun:
			r.readCounts()
			o.run = verdict.LedgerRun{Brand: string(o.row.Name), AsOf: o.row.Found.Seen}
			continue
		}
		into.order, into.line = o.row, r.rows.Line()
		if mark, known := o.of.markOf(&into.order); known {
			into.order.Found.Mark = mark
		}
		return true
	}
	if o.err == nil {
		o.err = peers.NameSheet(r.table, cmp.Or(r.rows.Err(), r.checkCount(ordersCounted, rowOfOrder)))
	}
	return false
}

// What a reader counts.
const (
	ordersCounted = iota
	linesCounted
)

// readCounts reads what the row of a run says of how many rows were written.
func (r *reader) readCounts() {
	n, _ := fmt.Sscanf(string(domain.Unwrap(r.cells[countColumn])), counts, &r.written[ordersCounted], &r.written[linesCounted])
	r.counted = n == len(r.written)
}

// checkCount holds the rows of a kind against how many were written.
func (r *reader) checkCount(of int, kind string) error {
	if found, written := r.found[of], r.written[of]; r.counted && found != written {
		return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerRows, Value: kind, Count: found, Limit: written}
	}
	return nil
}

// refused is the fault of an order that breaks a rule of the run's orders.
func (l *opened) refused(rule domain.FileRule, of *readOrder) error {
	fault := &domain.FileError{File: domain.LedgerFile, Rule: rule, Line: of.line, Column: "Order", Value: domain.Quotable(of.order.Name),
		Limit: verdict.MaxNamesakes}
	if rule == domain.RuleTrackingNumbers {
		fault.Column, fault.Value, fault.Limit = "AWB", domain.Quotable(of.order.AWBs), verdict.MaxAWBs
	}
	return peers.NameSheet(l.table, fault)
}

// Rows is how many lines of text the table has.
func (l *opened) Rows() int { return l.rows }

func (l *opened) Close() {
	l.table.Close()
	if l.room != nil {
		clear(l.ahead) // they refer to texts
		roomAhead.Put(l.room)
		l.room, l.ahead = nil, nil
	}
}

// read reads the cells of a row. What it reads of is what it has read of the row above: most cells are equal to the ones above
// them, and are not read again.
func read[T any](r *reader, fields []field[T], of *T) error {
	for i := range fields {
		f := &fields[i]
		cell, before := r.cells[f.at], r.before[f.at]
		if len(cell) == len(before) && (len(cell) == 0 || bytes.Equal(cell, before)) {
			continue
		}
		r.before[f.at] = cell
		if len(cell) == 0 {
			f.clear(of)
			continue
		}
		if first := cell[0]; first == '=' || first == '\'' || first >= utf8.RuneSelf {
			cell = domain.Unwrap(cell)
		}
		r.column = f.at
		if rule := f.read(r, of, cell); rule != "" {
			if rule == domain.RuleLedgerCharges {
				return r.tooManyCharges()
			}
			if rule == domain.RuleLedgerWord {
				return r.wrongWord(f.at, f.words)
			}
			return r.fault(f.at, rule)
		}
	}
	return nil
}

func (r *reader) tooManyCouriers() error {
	fault := r.fault(places["Courier"], domain.RuleLedgerCouriers)
	fault.Limit = domain.MaxReports
	return fault
}

func (r *reader) tooManyCharges() error {
	fault := r.fault(places["Charges"], domain.RuleLedgerCharges)
	fault.Limit = verdict.MaxCharges
	return fault
}

// wrongWord is the fault of a cell that has none of some words.
func (r *reader) wrongWord(column int, words []string) *domain.FileError {
	fault := r.fault(column, domain.RuleLedgerWord)
	fault.Options = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
	return fault
}

func (r *reader) fault(column int, rule domain.FileRule) *domain.FileError {
	return &domain.FileError{File: domain.LedgerFile, Rule: rule, Line: r.rows.Line(), Column: r.header[column],
		Value: domain.Quotable(domain.Unwrap(r.cells[column]))}
}

// readLine reads a line, and checks that nobody has altered it. Texts that fit the fingerprint are keys already: they are as the
// report's were. Where a spreadsheet has rounded the AWB, the order id decides.
func (r *reader) readLine(of *line) (line, error) {
	if err := read(r, lineFields, of); err != nil {
		return line{}, err
	}
	l := *of
	l.Line = int32(r.rows.Line())
	awb, reliable := verdict.AWBKey(of.AWB)
	l.AWBRounded = !reliable
	l.Told = verdict.OrderKey(of.Told)
	switch {
	case l.Remitted != 0 && l.Remitted != l.Stated && l.Remitted != l.Listed:
		return l, r.fault(places["Remitted"], domain.RuleLedgerAltered)
	case l.Collected != 0 && l.Collected != l.Listed && l.Collected != l.Remitted:
		return l, r.fault(places["Collected"], domain.RuleLedgerAltered)
	case l.Fits(l.Print):
		return l, nil
	}
	if reliable {
		l.AWB = awb
	}
	l.OrderID = verdict.OrderKey(of.OrderID)
	switch {
	case l.Fingerprint() == l.Print:
		return l, nil
	case reliable && !verdict.LooksRounded(l.AWB):
		return l, r.fault(places["Fingerprint"], domain.RuleLedgerAltered)
	case len(l.OrderID) == 0:
		return l, r.fault(places["AWB"], domain.RuleLedgerRounded)
	}
	l.AWBRounded = true
	return l, nil
}

// readMarks reads what people have noted on the sheet of open items; nil if the workbook does not have it.
func (r *Reader) readMarks(content ports.Content) (map[marked][]rowMark, error) {
	var columns []int
	table, err := r.tables.Open(domain.LedgerFile, content, func(cells [][]byte) (bool, error) {
		columns = locate(itemHeader, cells)
		return columns != nil, nil
	}, func(int, [][]byte) error { return errNoItems })
	switch {
	case errors.Is(err, errNoItems):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer table.Close()
	marks, in := map[marked][]rowMark{}, newReader(table, itemFields, itemHeader, columns, nil)
	var o order
	for in.rows.Next(in.cells) {
		if err := read(in, itemFields, &o); err != nil {
			return nil, peers.NameSheet(table, err)
		}
		at := marked{string(verdict.OrderKey(o.Name)), o.OrderedOn()}
		marks[at] = append(marks[at], rowMark{string(o.AWBs), o.Found.Mark})
	}
	return marks, peers.NameSheet(table, in.rows.Err())
}

// errNoItems says that a workbook has no sheet of open items. It is no fault.
var errNoItems = errors.New("no sheet of open items")
