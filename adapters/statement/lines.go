package statement

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// Reader reads bank statements.
type Reader struct{ tables peers.Tables }

// New makes a Reader.
func New(tables peers.Tables) *Reader { return &Reader{tables} }

// Read skips lines that are no transactions: footers, opening and closing balances, and
// headers of further pages.
func (r *Reader) Read(content ports.Content, into *bank.Statement) error {
	var at layout
	table, err := r.tables.Open(domain.StatementFile, content, func(cells [][]byte) (bool, error) {
		if at = locate(cells); at.lacks() != nil {
			return false, nil
		}
		return true, at.checkUnique(cells)
	}, explainNoHeader)
	if err != nil {
		return err
	}
	defer table.Close()
	if err := at.otherFile(table.Header()); err != nil {
		return err
	}
	l := newLines(table, at, into)
	for {
		err := l.readAll()
		if l.dates.TurnMonthFirst() {
			into.Reset()
			continue
		}
		switch {
		case err != nil:
			return err
		case l.doubt.line > 0:
			return l.dateFault()
		case into.From != domain.NoDay && l.lacksSides(): // nothing says which amounts went out
			return lackingOne(columnNames[direction], table.Header())
		case into.From != domain.NoDay:
			return l.debitsFault()
		case !at.turnDate():
			return &domain.FileError{File: domain.StatementFile, Rule: domain.RuleNoLines}
		}
		l = newLines(table, at, into)
	}
}

type lines struct {
	table   peers.Table
	into    *bank.Statement
	columns []int
	slot    [roleCount]int // by role: its cell's place in cells, or absent
	texts   []int          // the places of the cells that make the narration
	dates   domain.DateColumn

	cells  [][]byte
	rows   peers.Rows
	text   []byte     // the narration of the last line
	on     domain.Day // of the last line that has a date
	goesOn int        // how many rows may still go on with the last narration
	doubt  doubt
	sides  sides
	unread []unread // if there is a column of credits and none of debits
}

// unread is a column without a role.
type unread struct{ place, beside, alone int } // how many amounts it has beside credits, and on lines without one

// sides is what shows which way unsigned amounts of one column went.
type sides struct {
	given       bool         // a sign or a word says so
	first, last domain.Day   // of the lines that have a balance
	sum, before domain.Paise // the amount and the balance of the last one
	rose, fell  bool         // the balance, by the amount of the upper line and of the lower one
}

// doubt is the first date that only month first explains.
type doubt struct {
	line  int
	value string
}

// mostContinued is into how many further rows a statement may break one narration.
const mostContinued = 3

func newLines(table peers.Table, at layout, into *bank.Statement) *lines {
	l := &lines{table: table, into: into}
	add := func(column int) (place int) {
		if place = slices.Index(l.columns, column); place < 0 {
			place, l.columns = len(l.columns), append(l.columns, column)
		}
		return place
	}
	for r, column := range at.columns {
		l.slot[r] = absent
		if column != absent {
			l.slot[r] = add(column)
		}
	}
	for _, column := range append(at.columns[narration:narration+1:narration+1], at.references...) {
		if column != absent {
			l.texts = append(l.texts, add(column))
		}
	}
	if at.columns[credit] != absent && at.columns[debit] == absent {
		for column := range table.Header() {
			if !slices.Contains(l.columns, column) {
				l.unread = append(l.unread, unread{place: add(column)})
			}
		}
	}
	l.cells = make([][]byte, len(l.columns))
	return l
}

// readAll reads every row from the top.
func (l *lines) readAll() error {
	l.rows = l.table.Rows(l.columns)
	l.on, l.goesOn, l.doubt, l.sides = domain.NoDay, 0, doubt{}, sides{first: domain.NoDay}
	for i, u := range l.unread {
		l.unread[i] = unread{place: u.place}
	}
	for l.rows.Next(l.cells) {
		if err := l.row(); err != nil {
			return err
		}
	}
	return l.rows.Err()
}

func (l *lines) cell(r role) []byte {
	if l.slot[r] == absent {
		return nil
	}
	return l.cells[l.slot[r]]
}

func (l *lines) row() error {
	day, dated := l.day()
	l.readText()
	if dated {
		l.on = day
		l.into.Cover(day)
	}
	if l.isFooter(dated) || l.repeatsHeader() {
		l.goesOn = 0
		return nil
	}
	in, out, given, err := l.moved(dated)
	switch {
	case err != nil:
		return err
	case dated:
		l.noteUnread(in)
	case !domain.IsBlank(domain.Unwrap(l.cell(date))):
		isDate := in > 0 || out > 0 && verdict.HasDigit(l.cell(date)) // it may be the name of a limit
		if isDate && len(l.text) > 0 && !isNumber(l.cell(date)) {
			return l.noteDate()
		}
		return nil
	case !given:
		l.goOn()
		return nil
	case l.on == domain.NoDay || len(l.text) == 0:
		return nil // a sum
	}
	l.goesOn = 0
	if in > 0 {
		l.into.AddCredit(l.rows.Line(), l.on, in, l.text)
		l.goesOn = mostContinued
	}
	if out > 0 {
		l.into.AddDebit(l.rows.Line(), l.on, out, l.text)
		l.goesOn = mostContinued
	}
	return nil
}

// farDays is by how many days a number of a spreadsheet may differ from the date above it.
const farDays = 366

// compactDay is a day such as 14Aug2026, which some banks write, and no other file has.
var compactDay = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(\d{1,2})([A-Za-z]{3,9})(\d\d.*)$`) })

// day reads the date of a row. A number may be a sum below the lines as well as a spreadsheet's number of a day: it is a day only
// without decimals, beside a narration in words that begins no footer, and near the date above it.
func (l *lines) day() (day domain.Day, dated bool) {
	cell := l.cell(date)
	if before, after, _ := bytes.Cut(cell, []byte("(")); verdict.HasDigit(after) {
		cell = before // the day from which it bears interest follows
	}
	if spelt := compactDay().FindSubmatch(cell); spelt != nil {
		cell = slices.Concat(spelt[1], []byte{'-'}, spelt[2], []byte{'-'}, spelt[3])
	}
	number := isNumber(cell)
	if number && (bytes.ContainsAny(cell, ".,") || !bytes.ContainsFunc(l.cell(narration), unicode.IsLetter) || l.isFooter(false)) {
		return domain.NoDay, false
	}
	day, reading := l.dates.Read(cell)
	if number && l.on != domain.NoDay && max(day-l.on, l.on-day) > farDays {
		return domain.NoDay, false
	}
	return day, reading == domain.Given
}

// isNumber says whether a cell is an amount rather than a date. A date may be eight digits, or have two points.
func isNumber(cell []byte) bool {
	cell = domain.Unwrap(cell)
	const plainDay = len("20260331")
	return len(bytes.Trim(cell, "0123456789.,")) == 0 && bytes.Count(cell, []byte{'.'}) < 2 &&
		(len(cell) != plainDay || bytes.ContainsAny(cell, ".,"))
}

// readText joins the narration and the references of a row.
func (l *lines) readText() {
	l.text = l.text[:0]
	for _, place := range l.texts {
		cell := domain.Unwrap(l.cells[place])
		if domain.IsBlank(cell) {
			continue
		}
		if len(l.text) > 0 {
			l.text = append(l.text, ' ')
		}
		l.text = append(l.text, cell...)
	}
}

// goOn adds a row that has only a narration to that of the line above it.
func (l *lines) goOn() {
	if l.goesOn > 0 && len(l.text) > 0 {
		l.into.Continue(l.text)
		l.goesOn--
	}
}

// isFooter says whether a row is no transaction: it is an opening or a closing balance, or
// has no date and is a sum.
func (l *lines) isFooter(dated bool) bool {
	if dated {
		return beginsFooter(l.cell(narration))
	}
	return slices.ContainsFunc([]role{date, narration}, func(r role) bool {
		return beginsFooter(l.cell(r)) || verdict.IsTotal(l.cell(r))
	})
}

func beginsFooter(text []byte) bool {
	text = domain.Unwrap(text)
	var phrase domain.Phrase
	letters := string(bytes.TrimLeft(phrase.Of(text[:min(len(text), len(phrase))]), "0123456789"))
	return slices.ContainsFunc(footers, func(f string) bool {
		return letters == f || len(f) > len("cf") && strings.HasPrefix(letters, f)
	})
}

// repeatsHeader says that a row is the header once more, as at the top of a page.
func (l *lines) repeatsHeader() bool {
	header := l.table.Header()[l.columns[l.slot[date]]]
	return domain.HeaderKey(string(l.cell(date))) == domain.HeaderKey(string(header))
}

// moved reads what came in and what went out; given says whether the row has an amount. An
// amount below 0 went the other way. In a row without a date, what cannot be read is the text
// of a footer.
func (l *lines) moved(dated bool) (in, out domain.Paise, given bool, err error) {
	if l.slot[credit] == absent {
		sum, given, err := l.signed(amount, dated)
		l.noteBalance(sum, dated)
		return max(0, sum), max(0, -sum), given, err
	}
	received, credited, err := l.signed(credit, dated)
	if err != nil {
		return 0, 0, false, err
	}
	paid, debited, err := l.signed(debit, dated)
	paid = max(paid, -paid) // some banks write a minus in a column of debits
	return max(0, received), paid + max(0, -received), credited || debited, err
}

// noteBalance notes by how much the balance changes from line to line.
func (l *lines) noteBalance(sum domain.Paise, dated bool) {
	now, reading, side := readSided(l.cell(balance))
	if !dated || reading != domain.Given || sum == 0 {
		return
	}
	if side < 0 {
		now = min(now, -now)
	}
	s := &l.sides
	if s.first == domain.NoDay {
		s.first = l.on
	} else {
		s.rose, s.fell = s.rose || now == s.before+s.sum, s.fell || now == s.before-sum
	}
	s.last, s.before, s.sum = l.on, now, sum
}

// noteUnread notes which columns without a role have an amount on a line.
func (l *lines) noteUnread(in domain.Paise) {
	for i := range l.unread {
		u := &l.unread[i]
		if len(l.cells[u.place]) == 0 { // most of those that a hostile header has
			continue
		}
		switch sum, reading, _ := readSided(l.cells[u.place]); {
		case reading != domain.Given || sum == 0:
		case in > 0:
			u.beside++
		default:
			u.alone++
		}
	}
}

// debitsFault is for a column that has amounts only where no credit is: without its debits, a transfer that was returned would
// be a credited payout. An id or a balance stands beside credits too.
func (l *lines) debitsFault() error {
	var most unread
	for _, u := range l.unread {
		if u.beside == 0 && u.alone > most.alone {
			most = u
		}
	}
	if most.alone == 0 || len(l.into.Credits()) == 0 {
		return nil
	}
	return &domain.FileError{File: domain.StatementFile, Rule: domain.RuleUnreadDebits,
		Column: domain.Quotable(l.table.Header()[l.columns[most.place]])}
}

// lacksSides says that nothing but the balance shows that some amounts went out: they would count as credits.
func (l *lines) lacksSides() bool {
	s := &l.sides
	return !s.given && (s.first < s.last && s.fell || s.first > s.last && s.rose)
}

// signed reads an amount of a column; it is below 0 if the money went out.
func (l *lines) signed(of role, dated bool) (sum domain.Paise, given bool, err error) {
	sum, reading, side := readSided(l.cell(of))
	if reading != domain.Given && dated && side != 0 && !verdict.HasDigit(l.cell(of)) && isDirection(domain.HeaderKey(l.columnName(of))) {
		return 0, false, lackingOne(columnNames[amount], l.table.Header()) // the word is of an amount in another column
	}
	if reading == domain.Unreadable && dated {
		return 0, false, l.fault(of, domain.RuleAmount)
	}
	if reading != domain.Given {
		return 0, false, nil
	}
	l.sides.given = l.sides.given || side != 0 || sum < 0 || bytes.IndexByte(l.cell(of), '+') >= 0 || l.slot[direction] != absent
	if cell := domain.Unwrap(l.cell(direction)); side == 0 && !domain.IsBlank(cell) { // only beside one column of amounts
		if side = sideOf(cell); side == 0 && dated && sum != 0 {
			return 0, false, l.fault(direction, domain.RuleDirection)
		}
		sum = max(sum, -sum) // some banks write both a sign and a word
	}
	if side < 0 {
		sum = min(sum, -sum)
	}
	return sum, true, nil
}

// readSided reads an amount that may be followed by Cr or Dr. side is 1, -1, or 0 for one
// that is not.
func readSided(cell []byte) (sum domain.Paise, reading domain.Reading, side int) {
	if sum, reading = domain.ReadPaise(cell); reading != domain.Unreadable {
		return sum, reading, 0
	}
	text := bytes.TrimRight(domain.Unwrap(cell), " ().")
	at := len(text)
	for at > 0 && (text[at-1]|' ' >= 'a' && text[at-1]|' ' <= 'z') {
		at--
	}
	if side = sideOf(text[at:]); side == 0 {
		return 0, domain.Unreadable, 0
	}
	sum, reading = domain.ReadPaise(bytes.TrimRight(text[:at], " ("))
	return sum, reading, side
}

// sideOf returns 1 for a word that means a credit, -1 for one that means a debit, and 0 for
// any other.
func sideOf(word []byte) int {
	text := strings.ToLower(strings.Trim(string(domain.Unwrap(word)), " ().:"))
	switch {
	case slices.Contains(incoming, text):
		return 1
	case slices.Contains(outgoing, text):
		return -1
	}
	return 0
}

// noteDate remembers a date that cannot be read, if the column may be month first; else it
// returns the fault.
func (l *lines) noteDate() error {
	if l.doubt.line == 0 {
		l.doubt = doubt{l.rows.Line(), domain.Quotable(l.cell(date))}
	}
	if l.dates.Doubtful() {
		return nil
	}
	return l.dateFault()
}

func (l *lines) dateFault() error {
	e := &domain.FileError{File: domain.StatementFile, Rule: domain.RuleDate, Line: l.doubt.line, Column: l.columnName(date),
		Value: l.doubt.value}
	if domain.ReadsMonthFirst([]byte(l.doubt.value)) {
		e.Rule = domain.RuleMonthFirst
	}
	return e
}

// fault says what is wrong with a cell of the current row.
func (l *lines) fault(r role, rule domain.FileRule) error {
	return &domain.FileError{File: domain.StatementFile, Rule: rule, Line: l.rows.Line(), Column: l.columnName(r),
		Value: domain.Quotable(l.cell(r))}
}

func (l *lines) columnName(r role) string {
	return domain.Quotable(l.table.Header()[l.columns[l.slot[r]]])
}
