package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
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
	dates  []domain.DateColumn // by column
	column int                 // that is being read
	rows   peers.Rows
	texts  map[string]string
}

// opened is a ledger whose header is known. Lines and orders are read each by a pass of its own, and at the same time,
// so that nothing but what a run has of them anyway is held.
type opened struct {
	table   peers.Table
	columns []int
	marks   map[marked][]rowMark // of the sheet of open items
}

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

// markOf returns what people have noted on an order.
func (l *opened) markOf(o *order) (domain.Mark, bool) {
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
	if s, is := l.table.(peers.Sheeted); is && s.Text() != nil {
		if l.marks, err = r.readMarks(content); err != nil {
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
	r := &reader{table: t, header: header, texts: map[string]string{}, cells: make([][]byte, len(header)),
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
	columns := make([]int, len(names))
	for i, name := range names {
		if columns[i] = slices.IndexFunc(cells, func(cell []byte) bool { return isNamed(cell, name) }); columns[i] < 0 {
			return nil
		}
	}
	return columns
}

func isNamed(cell []byte, name string) bool {
	return len(cell) <= domain.MaxColumnName && domain.HeaderKey(string(domain.Unwrap(cell))) == domain.HeaderKey(name)
}

func lacks(line int, cells [][]byte) error {
	if domain.ListsOpenItems(cells) {
		return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleOpenItems}
	}
	e := &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleNoColumn, Line: line, NoHeader: true}
	for _, name := range header {
		if !slices.ContainsFunc(cells, func(cell []byte) bool { return isNamed(cell, name) }) {
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

// each calls do with every row.
func (r *reader) each(do func() error) error {
	for r.rows.Next(r.cells) {
		if err := do(); err != nil {
			return peers.NameSheet(r.table, err)
		}
	}
	return peers.NameSheet(r.table, r.rows.Err())
}

// Lines adds the lines, and refuses rows that are neither an order nor a line.
func (l *opened) Lines(into *verdict.Remittances) error {
	r := newReader(l.table, lineFields, header, l.columns, func(kind []byte) bool { return string(kind) == rowOfOrder }, len(header)-1)
	seen := make(map[[verdict.FingerprintSize + 2]byte]struct{}, min(l.table.Lines()/2, 10_000))
	var of line
	for r.rows.Next(r.cells) {
		of = line{Charges: of.Charges[:0]}
		if err := r.addLine(&of, into, seen); err != nil {
			return peers.NameSheet(r.table, err)
		}
	}
	return peers.NameSheet(r.table, r.rows.Err())
}

func (r *reader) addLine(of *line, into *verdict.Remittances, seen map[[verdict.FingerprintSize + 2]byte]struct{}) error {
	switch kind := r.cells[0]; {
	case string(kind) == rowOfOrder, string(kind) == rowOfRun:
		return nil
	case string(kind) != rowOfLine:
		fault := r.fault(0, domain.RuleLedgerWord)
		fault.Options = []string{rowOfRun, rowOfOrder, rowOfLine}
		return fault
	}
	if err := r.readLine(of); err != nil {
		return err
	}
	var at [verdict.FingerprintSize + 2]byte
	n, _ := strconv.ParseUint(string(domain.Unwrap(r.cells[len(r.cells)-1])), 10, 16)
	binary.BigEndian.PutUint16(at[copy(at[:], of.Print[:]):], uint16(n))
	if _, again := seen[at]; again {
		return r.fault(places["Fingerprint"], domain.RuleLedgerTwice)
	}
	seen[at] = struct{}{}
	switch into.Remember(of) {
	case domain.RuleLedgerCouriers:
		fault := r.fault(places["Courier"], domain.RuleLedgerCouriers)
		fault.Limit = domain.MaxReports
		return fault
	case domain.RuleLedgerCharges:
		return r.tooManyCharges()
	}
	return nil
}

// Orders adds the orders.
func (l *opened) Orders(into *verdict.Orders) error {
	r, n := newReader(l.table, orderFields, header, l.columns, func(kind []byte) bool { return string(kind) == rowOfLine }), 0
	var o order
	return r.each(func() error {
		o = order{}
		switch string(r.cells[0]) {
		case rowOfRun:
			err := read(r, orderFields, &o)
			into.Ledger = verdict.LedgerRun{Brand: string(o.Name), AsOf: o.Found.Seen}
			return err
		case rowOfOrder:
		default:
			return nil // Lines reads it, or refuses it
		}
		if n++; n > domain.MaxRows {
			return &domain.FileError{File: domain.LedgerFile, Rule: domain.RuleLedgerOrders, Limit: domain.MaxRows}
		}
		if err := read(r, orderFields, &o); err != nil {
			return err
		}
		if mark, known := l.markOf(&o); known {
			o.Found.Mark = mark
		}
		switch rule := into.Remember(&o); rule {
		case "":
			return nil
		case domain.RuleTrackingNumbers:
			fault := r.fault(places["AWB"], rule)
			fault.Limit = verdict.MaxAWBs
			return fault
		default:
			fault := r.fault(places["Order"], rule)
			fault.Limit = verdict.MaxNamesakes
			return fault
		}
	})
}

// Close frees the memory of the table.
func (l *opened) Close() { l.table.Close() }

// read reads the cells of a row.
func read[T any](r *reader, fields []field[T], of *T) error {
	for i := range fields {
		f := &fields[i]
		cell := r.cells[f.at]
		if len(cell) == 0 {
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
			fault := r.fault(f.at, rule)
			if rule == domain.RuleLedgerWord {
				fault.Options = slices.DeleteFunc(slices.Clone(f.words), func(word string) bool { return word == "" })
			}
			return fault
		}
	}
	return nil
}

func (r *reader) tooManyCharges() error {
	fault := r.fault(places["Charges"], domain.RuleLedgerCharges)
	fault.Limit = verdict.MaxCharges
	return fault
}

func (r *reader) fault(column int, rule domain.FileRule) *domain.FileError {
	return &domain.FileError{File: domain.LedgerFile, Rule: rule, Line: r.rows.Line(), Column: r.header[column],
		Value: domain.Quotable(domain.Unwrap(r.cells[column]))}
}

// readLine reads a line, and checks that nobody has altered it. Where a spreadsheet has rounded the AWB, the order id decides.
func (r *reader) readLine(l *line) error {
	if err := read(r, lineFields, l); err != nil {
		return err
	}
	raw := l.AWB
	var reliable bool
	if l.AWB, reliable = verdict.AWBKey(raw); !reliable {
		l.AWB, l.AWBRounded = raw, true
	}
	l.OrderID = verdict.OrderKey(l.OrderID)
	l.Line = int32(r.rows.Line())
	switch {
	case l.Remitted != 0 && l.Remitted != l.Stated && l.Remitted != l.Listed:
		return r.fault(places["Remitted"], domain.RuleLedgerAltered)
	case l.Collected != 0 && l.Collected != l.Listed && l.Collected != l.Remitted:
		return r.fault(places["Collected"], domain.RuleLedgerAltered)
	case l.Fingerprint() == l.Print:
		return nil
	}
	switch {
	case reliable && !verdict.LooksRounded(l.AWB):
		return r.fault(places["Fingerprint"], domain.RuleLedgerAltered)
	case len(l.OrderID) == 0:
		return r.fault(places["AWB"], domain.RuleLedgerRounded)
	}
	l.AWBRounded = true
	return nil
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
	for in.rows.Next(in.cells) {
		var o order
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
