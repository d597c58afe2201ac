package httpapi

import (
	"bytes"
	"slices"

	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
)

// namesOfMark are the names of a mark, and the first two those of an order that is chosen.
var namesOfMark = []string{"order_id", "awb", "state", "raised_on", "promised_until", "note"}

// readMarks reads the JSON array of marks; nil if there is none.
func readMarks(field domain.Field, array []byte, faults *domain.Faults) (marks []domain.MarkedOrder) {
	states := domain.ItemStates()
	eachEntry(field, array, faults, func(entry []byte, entries int, fault domain.Fault) {
		var said [6]string
		if entry[0] != '{' || !jsonbody.Texts(entry, namesOfMark, said[:]) {
			fault.Rule = domain.RuleObject
			faults.Add(true, fault)
			return
		}
		id, awb, note := said[0], said[1], said[5]
		m := domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: id, AWB: awb}}
		m.Note = string(domain.Unwrap([]byte(note))) // as a ledger has it when it is read: else the note would seem to be changed
		broken := func(is bool, rule domain.Rule, value string) {
			fault.Rule, fault.Value = rule, domain.Shortened(value)
			faults.Add(is, fault)
		}
		broken(id == "", domain.RuleMissing, "")
		state := slices.Index(states, said[2])
		fault.Options = states[1:]
		broken(state < 0, domain.RuleOneOf, said[2])
		day := func(text string) domain.Day {
			var wrong domain.Faults
			day := wrong.ReadDay(field, text)
			broken(wrong != nil || !domain.GoodMarkDay(day), domain.RuleDay, text)
			return day
		}
		m.RaisedOn, m.PromisedUntil = day(said[3]), day(said[4])
		fault.Max = domain.MaxNote
		broken(!domain.GoodNote(note), domain.RuleLabel, "")
		m.State = domain.ItemState(max(state, 0))
		if marks == nil {
			marks = make([]domain.MarkedOrder, 0, entries)
		}
		marks = append(marks, m)
	})
	return marks
}

// readOnly reads the JSON array of the orders that disputes are for; nil if there is none.
func readOnly(array []byte, faults *domain.Faults) (orders []domain.ChosenOrder) {
	eachEntry(domain.FieldOnly, array, faults, func(entry []byte, entries int, fault domain.Fault) {
		var said [2]string
		fault.Rule = domain.RuleObject
		faults.Add(entry[0] != '{' || !jsonbody.Texts(entry, namesOfMark[:2], said[:]), fault)
		if orders == nil {
			orders = make([]domain.ChosenOrder, 0, entries)
		}
		orders = append(orders, domain.ChosenOrder{OrderID: said[0], AWB: said[1]})
	})
	if array != nil && orders == nil {
		orders = []domain.ChosenOrder{}
	}
	return orders
}

// eachEntry reads an array, until an entry has a fault. read is told how many entries there are.
func eachEntry(field domain.Field, array []byte, faults *domain.Faults, read func(entry []byte, entries int, fault domain.Fault)) {
	if array = bytes.TrimSpace(array); len(array) == 0 {
		return
	}
	if array[0] != '[' {
		faults.Add(true, domain.Fault{Field: field, Rule: domain.RuleType, Value: jsonbody.TypeOf(array)})
		return
	}
	n, entries := 0, 0
	jsonbody.Elements(array, func([]byte) bool {
		entries++
		return entries <= domain.MaxMarks
	})
	if entries > domain.MaxMarks {
		faults.Add(true, domain.Fault{Field: field, Rule: domain.RuleTooMany, Max: domain.MaxMarks})
		return
	}
	jsonbody.Elements(array, func(entry []byte) bool {
		n++
		read(entry, entries, domain.Fault{Field: field, Entry: n})
		return !faults.Has(field)
	})
}

// array returns the JSON of a field of a form; nil if it is blank. What is not JSON is a text.
func (r *formReading) array(f domain.Field, wrong *domain.Faults) []byte {
	text := bytes.TrimSpace(r.once(f))
	if len(text) > 0 && jsonbody.CheckSyntax(text) != nil {
		wrong.Add(true, domain.Fault{Field: f, Rule: domain.RuleType, Value: "string"})
		return nil
	}
	return text
}
