package ledger

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/domain/verdict"
)

// version is that of the form. A program that writes what earlier ones must not pass over counts it up.
const version = 1

// What a row is.
const (
	rowOfRun   = "run"
	rowOfOrder = "order"
	rowOfLine  = "line"
)

// field is a column of the rows of one kind.
type field[T any] struct {
	name  string
	write func(b []byte, of *T) []byte
	// read reads a cell that is not blank. It returns why it cannot be read, or a blank rule.
	read  func(r *reader, of *T, cell []byte) domain.FileRule
	clear func(of *T) // for a blank cell
	words []string    // that the cell may have; none: it has no such words
	at    int         // its place in the header
}

type (
	order = verdict.RememberedOrder
	line  = verdict.RememberedLine
)

// The columns that rarely have a cell stand last, those that people fill in before them: the text of a row ends with its last
// cell.
var orderFields = []field[order]{
	text("Order", func(o *order) *[]byte { return &o.Name }),
	text("AWB", func(o *order) *[]byte { return &o.AWBs }),
	word("Courier", func(o *order) *string { return &o.Found.Courier }),
	day("First seen", func(o *order) *domain.Day { return &o.Found.Seen }),
	amount("Remitted", func(o *order) *domain.Paise { return &o.Found.Remitted }),
	{name: "Created", write: writeCreated, read: readCreated, clear: func(o *order) { o.CreatedOn, o.CreatedSecond = domain.NoDay, 0 }},
	day("Fulfilled", func(o *order) *domain.Day { return &o.FulfilledOn }),
	amountIf("Total", func(o *order) (*domain.Paise, *bool) { return &o.Total, &o.HasTotal }),
	oneOf("Payment", []string{"", "cod", "prepaid", "unknown", "manual", "cash"}, func(o *order) *domain.Payment { return &o.Payment }),
	text("Payment method", func(o *order) *[]byte { return &o.Method }),
	oneOf("Financial status", []string{"", "other", "pending", "paid", "partially paid", "voided", "refunded", "partially refunded"},
		func(o *order) *domain.Financial { return &o.Financial }),
	oneOf("Fulfilment", []string{"", "other", "fulfilled", "restocked"}, func(o *order) *verdict.Fulfilment { return &o.Fulfilment }),
	word("Fulfilment status", func(o *order) *string { return &o.FulfilmentText }),
	text("Carrier", func(o *order) *[]byte { return &o.Carrier }),
	amount("Due", func(o *order) *domain.Paise { return &o.Found.Due }),
	oneOf("Flag", names(domain.Flags()), func(o *order) *domain.Flag { return &o.Found.Flag }),
	amount("Shortfall", func(o *order) *domain.Paise { return &o.Found.Shortfall }),
	day("Since", func(o *order) *domain.Day { return &o.Found.Since }),
	oneOf(domain.StateColumn, states, func(o *order) *domain.ItemState { return &o.Found.Mark.State }),
	day(domain.RaisedColumn, func(o *order) *domain.Day { return &o.Found.Mark.RaisedOn }),
	day(domain.PromisedColumn, func(o *order) *domain.Day { return &o.Found.Mark.PromisedUntil }),
	word(domain.NoteColumn, func(o *order) *string { return &o.Found.Mark.Note }),
	day(lastSeen, func(o *order) *domain.Day { return &o.Found.LastSeen }),
	oneOf("Carried state", states, func(o *order) *domain.ItemState { return &o.Found.Carried }),
	amount("Accepted", func(o *order) *domain.Paise { return &o.Found.Accepted }),
	amountIf("Outstanding", func(o *order) (*domain.Paise, *bool) { return &o.Outstanding, &o.HasOutstanding }),
	day("Paid", func(o *order) *domain.Day { return &o.PaidOn }),
	yes("Cancelled", func(o *order) *bool { return &o.Cancelled }),
	yes("In rupees", func(o *order) *bool { return &o.InRupees }),
	yes("Part prepaid", func(o *order) *bool { return &o.PartPrepaid }),
}

var lineFields = []field[line]{
	text("Order", func(l *line) *[]byte { return &l.OrderID }),
	text("AWB", func(l *line) *[]byte { return &l.AWB }),
	word("Courier", func(l *line) *string { return &l.Courier }),
	day("First seen", func(l *line) *domain.Day { return &l.Seen }),
	amount("Remitted", func(l *line) *domain.Paise { return &l.Remitted }),
	amount("COD amount", func(l *line) *domain.Paise { return &l.Listed }),
	amount("Remitted amount", func(l *line) *domain.Paise { return &l.Stated }),
	amount("Collected", func(l *line) *domain.Paise { return &l.Collected }),
	day("Remitted on", func(l *line) *domain.Day { return &l.RemittedOn }),
	day("Delivered on", func(l *line) *domain.Day { return &l.DeliveredOn }),
	text("Shipment status", func(l *line) *[]byte { return &l.ShipmentStatus }),
	text("Remittance status", func(l *line) *[]byte { return &l.PayStatus }),
	text("UTR", func(l *line) *[]byte { return &l.UTR }),
	{name: "Charges", write: writeCharges, read: readCharges, clear: func(l *line) { l.Charges = l.Charges[:0] }},
	{name: "Carrier", write: writeCourierKey, read: readCourierKey, clear: func(l *line) { l.CourierKey = 0 }},
	yes("States both amounts", func(l *line) *bool { return &l.BothAmounts }),
	yes("States what was paid", func(l *line) *bool { return &l.HasRemitted }),
	yes("To be collected", func(l *line) *bool { return &l.ToBeCollected }),
	{name: "Fingerprint", write: func(b []byte, l *line) []byte { return hex.AppendEncode(b, l.Print[:]) }, read: readPrint,
		clear: func(l *line) { l.Print = [verdict.FingerprintSize]byte{} }},
	text(toldOrder, func(l *line) *[]byte { return &l.Told }),
}

// The columns that ledgers of earlier versions do not have.
const (
	toldOrder = "Told order"
	lastSeen  = "Last seen"
)

// occurrence is the column that counts the lines of one fingerprint, from 1.
const occurrence = "Occurrence"

var header = func() []string {
	all := []string{domain.LedgerHeading + strconv.Itoa(version)}
	for i := range orderFields {
		orderFields[i].at = len(all)
		all = append(all, orderFields[i].name)
	}
	for i := range lineFields {
		f := &lineFields[i]
		if f.at = slices.Index(all, f.name); f.at < 0 {
			f.at = len(all)
			all = append(all, f.name)
		}
	}
	return append(all, occurrence)
}()

var states = names([]domain.ItemState{domain.Unmarked, domain.Disputed, domain.Promised, domain.Refused, domain.WrittenOff})

func names[T interface{ String() string }](of []T) (all []string) {
	for _, v := range of {
		all = append(all, v.String())
	}
	return all
}

func text[T any](name string, at func(*T) *[]byte) field[T] {
	return field[T]{name: name, write: func(b []byte, of *T) []byte { return append(b, *at(of)...) },
		read: func(_ *reader, of *T, cell []byte) domain.FileRule {
			*at(of) = cell
			return ""
		}, clear: func(of *T) { *at(of) = nil }}
}

func word[T any](name string, at func(*T) *string) field[T] {
	return field[T]{name: name, write: func(b []byte, of *T) []byte { return append(b, *at(of)...) },
		read: func(r *reader, of *T, cell []byte) domain.FileRule {
			*at(of) = r.share(cell)
			return ""
		}, clear: func(of *T) { *at(of) = "" }}
}

func amount[T any](name string, at func(*T) *domain.Paise) field[T] {
	return field[T]{name: name, write: func(b []byte, of *T) []byte {
		if *at(of) == 0 {
			return b
		}
		return at(of).AppendRupees(b)
	}, read: func(_ *reader, of *T, cell []byte) domain.FileRule {
		read, reading := domain.ReadPaise(cell)
		*at(of) = read
		return unless(reading != domain.Unreadable, domain.RuleAmount)
	}, clear: func(of *T) { *at(of) = 0 }}
}

// amountIf is an amount that may be 0 and may be unknown.
func amountIf[T any](name string, at func(*T) (*domain.Paise, *bool)) field[T] {
	return field[T]{name: name, write: func(b []byte, of *T) []byte {
		if p, known := at(of); *known {
			return p.AppendRupees(b)
		}
		return b
	}, read: func(_ *reader, of *T, cell []byte) domain.FileRule {
		p, known := at(of)
		read, reading := domain.ReadPaise(cell)
		*p, *known = read, reading == domain.Given
		return unless(reading != domain.Unreadable, domain.RuleAmount)
	}, clear: func(of *T) {
		p, known := at(of)
		*p, *known = 0, false
	}}
}

func day[T any](name string, at func(*T) *domain.Day) field[T] {
	return field[T]{name: name, write: func(b []byte, of *T) []byte {
		return at(of).AppendDigits(b)
	}, read: func(r *reader, of *T, cell []byte) domain.FileRule {
		if read, is := domain.ReadDigits(cell); is {
			*at(of) = read
			return ""
		}
		read, reading := r.dates[r.column].Read(cell)
		*at(of) = read
		return unless(reading != domain.Unreadable, domain.RuleDate)
	}, clear: func(of *T) { *at(of) = domain.NoDay }}
}

func yes[T any](name string, at func(*T) *bool) field[T] {
	return field[T]{name: name, words: []string{"yes"}, write: func(b []byte, of *T) []byte {
		if *at(of) {
			return append(b, "yes"...)
		}
		return b
	}, read: func(_ *reader, of *T, cell []byte) domain.FileRule {
		*at(of) = domain.EqualFold(cell, "yes")
		return unless(*at(of) || domain.IsBlank(cell), domain.RuleLedgerWord)
	}, clear: func(of *T) { *at(of) = false }}
}

// oneOf is a value that is one of some words, by its place among them.
func oneOf[T any, V ~uint8](name string, words []string, at func(*T) *V) field[T] {
	return field[T]{name: name, words: words, write: func(b []byte, of *T) []byte { return append(b, words[*at(of)]...) },
		read: func(_ *reader, of *T, cell []byte) domain.FileRule {
			found := slices.Index(words, string(cell))
			if found < 0 {
				found = slices.IndexFunc(words, func(word string) bool { return domain.EqualFold(cell, word) })
			}
			if found < 0 {
				return domain.RuleLedgerWord
			}
			*at(of) = V(found)
			return ""
		}, clear: func(of *T) { *at(of) = 0 }}
}

func unless(holds bool, rule domain.FileRule) domain.FileRule {
	if holds {
		return ""
	}
	return rule
}

// A moment is written 20260331T190509, which no spreadsheet program takes for a number or a date.
func writeCreated(b []byte, o *order) []byte {
	b = o.CreatedOn.AppendDigits(b)
	if s := o.CreatedSecond - 1; s >= 0 && o.CreatedOn != domain.NoDay {
		b = append(b, 'T')
		for _, part := range [...]int32{s / 3600, s / 60 % 60, s % 60} {
			b = append(b, byte('0'+part/10), byte('0'+part%10))
		}
	}
	return b
}

func readCreated(r *reader, o *order, cell []byte) domain.FileRule {
	if day, second, is := readMoment(cell); is {
		o.CreatedOn, o.CreatedSecond = day, second
		return ""
	}
	at, reading := r.dates[r.column].ReadMoment(cell)
	o.CreatedOn, o.CreatedSecond = at.Day, at.Second
	return unless(reading != domain.Unreadable, domain.RuleDate)
}

// readMoment reads what writeCreated writes; is says whether the cell has that form. second counts from 1; 0: the cell has no time.
func readMoment(cell []byte) (day domain.Day, second int32, is bool) {
	date, clock, timed := bytes.Cut(cell, []byte{'T'})
	if day, is = domain.ReadDigits(date); !is || !timed {
		return day, 0, is
	}
	if len(clock) != len("190509") {
		return domain.NoDay, 0, false
	}
	for i, most := range [...]byte{23, 59, 59} {
		tens, ones := clock[2*i]-'0', clock[2*i+1]-'0'
		if tens > 9 || ones > 9 || tens*10+ones > most {
			return domain.NoDay, 0, false
		}
		second = second*60 + int32(tens*10+ones)
	}
	return day, second + 1, true
}

// Charges are written Freight=60; GST=10.8. A name has no equals sign and no semicolon that way: they become blanks.
var plainName = strings.NewReplacer("=", " ", ";", " ")

func writeCharges(b []byte, l *line) []byte {
	for i, c := range l.Charges {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = c.Amount.AppendRupees(append(append(b, plainName.Replace(c.Name)...), '='))
	}
	return b
}

func readCharges(r *reader, l *line, cell []byte) domain.FileRule {
	l.Charges = l.Charges[:0]
	for part := range bytes.SplitSeq(cell, []byte(";")) {
		name, sum, both := bytes.Cut(part, []byte("="))
		read, reading := domain.ReadPaise(sum)
		if !both || reading != domain.Given {
			return domain.RuleAmount
		}
		if len(l.Charges) == verdict.MaxCharges {
			return domain.RuleLedgerCharges
		}
		l.Charges = append(l.Charges, domain.StatedCharge{Name: r.share(bytes.TrimSpace(name)), Amount: read})
	}
	return ""
}

// unnamed stands before the key of a courier, so that no spreadsheet program takes it for a number.
const unnamed = "unnamed-"

func writeCourierKey(b []byte, l *line) []byte {
	if l.CourierKey == 0 {
		return b
	}
	return fmt.Appendf(b, "%s%016x", unnamed, l.CourierKey)
}

func readCourierKey(_ *reader, l *line, cell []byte) domain.FileRule {
	digits, is := bytes.CutPrefix(cell, []byte(unnamed))
	key, err := strconv.ParseUint(string(digits), 16, 64)
	l.CourierKey = key
	return unless(is && err == nil, domain.RuleLedgerAltered)
}

func readPrint(_ *reader, l *line, cell []byte) domain.FileRule {
	n, err := hex.Decode(l.Print[:], cell[:min(len(cell), 2*len(l.Print))])
	return unless(err == nil && n == len(l.Print) && len(cell) == 2*n, domain.RuleLedgerAltered)
}
