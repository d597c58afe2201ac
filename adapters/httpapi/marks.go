package httpapi

import (
	"bytes"
	"encoding/json"
	"slices"

	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
)

// readMarks reads the JSON array of marks; nil if there is none.
func readMarks(array []byte, faults *domain.Faults) (marks []domain.MarkedOrder) {
	eachEntry(domain.FieldMarks, array, faults, func(entry []byte, fault domain.Fault) {
		var said struct {
			OrderID       string `json:"order_id"`
			AWB           string `json:"awb"`
			State         string `json:"state"`
			RaisedOn      string `json:"raised_on"`
			PromisedUntil string `json:"promised_until"`
			Note          string `json:"note"`
		}
		if entry[0] != '{' || json.Unmarshal(entry, &said) != nil {
			fault.Rule = domain.RuleObject
			faults.Add(true, fault)
			return
		}
		m := domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: said.OrderID, AWB: said.AWB}, Mark: domain.Mark{Note: said.Note}}
		broken := func(is bool, rule domain.Rule, value string) {
			fault.Rule, fault.Value = rule, domain.Shortened(value)
			faults.Add(is, fault)
		}
		broken(said.OrderID == "", domain.RuleMissing, "")
		state := slices.Index(domain.ItemStates(), said.State)
		fault.Options = domain.ItemStates()[1:]
		broken(state < 0, domain.RuleOneOf, said.State)
		day := func(text string) domain.Day {
			var wrong domain.Faults
			day := wrong.ReadDay(domain.FieldMarks, text)
			broken(wrong != nil, domain.RuleDay, text)
			return day
		}
		m.RaisedOn, m.PromisedUntil = day(said.RaisedOn), day(said.PromisedUntil)
		fault.Max = domain.MaxNote
		broken(!domain.GoodNote(said.Note), domain.RuleLabel, "")
		m.State = domain.ItemState(max(state, 0))
		marks = append(marks, m)
	})
	return marks
}

// readOnly reads the JSON array of the orders that disputes are for; nil if there is none.
func readOnly(array []byte, faults *domain.Faults) (orders []domain.ChosenOrder) {
	eachEntry(domain.FieldOnly, array, faults, func(entry []byte, fault domain.Fault) {
		var said struct {
			OrderID string `json:"order_id"`
			AWB     string `json:"awb"`
		}
		fault.Rule = domain.RuleObject
		faults.Add(entry[0] != '{' || json.Unmarshal(entry, &said) != nil, fault)
		orders = append(orders, domain.ChosenOrder(said))
	})
	if array != nil && orders == nil {
		orders = []domain.ChosenOrder{}
	}
	return orders
}

// eachEntry reads an array, until an entry has a fault.
func eachEntry(field domain.Field, array []byte, faults *domain.Faults, read func(entry []byte, fault domain.Fault)) {
	if array = bytes.TrimSpace(array); len(array) == 0 {
		return
	}
	if array[0] != '[' {
		faults.Add(true, domain.Fault{Field: field, Rule: domain.RuleType, Value: jsonbody.TypeOf(array)})
		return
	}
	n := 0
	jsonbody.Elements(array, func(entry []byte) bool {
		if n++; n > domain.MaxMarks {
			faults.Add(true, domain.Fault{Field: field, Rule: domain.RuleTooMany, Max: domain.MaxMarks})
			return false
		}
		read(entry, domain.Fault{Field: field, Entry: n})
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
