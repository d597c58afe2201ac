package wording

import (
	"strconv"

	"milaan/domain"
)

// value is something that a sentence may tell: a field of domain.Reason or
// domain.Warning, or what follows from one. Those of a file's fault are in files.go.
type value uint8

const (
	noValue value = iota

	// Of reasons.

	due
	remitted
	shortfall
	excess    // what came too much
	takenBack // on balance, where less than nothing was remitted
	collected
	minorGap
	remittedOn
	dueBy
	asOf
	through
	daysLate
	method
	status
	moneyStatus
	other
	parcels
	returned
	returnedAmount
	refund
	repeats
	hint
	hintAmount

	// Of warnings.

	count
	countRead // of footer_differs, where it may be 0
	of
	percent
	amount
	file
	column
	otherColumn
	share
	stated
	statedCount
	line
	examples
)

// reasonValues and warningValues are the names by which tables of words call the
// values.
var (
	reasonValues = map[string]value{
		"due": due, "remitted": remitted, "shortfall": shortfall, "excess": excess, "taken back": takenBack, "collected": collected,
		"minor gap": minorGap, "remitted on": remittedOn, "due by": dueBy, "as of": asOf, "through": through, "days": daysLate,
		"method": method, "status": status, "money status": moneyStatus, "other": other, "parcels": parcels, "returned": returned,
		"returned amount": returnedAmount, "refund": refund, "repeats": repeats, "hint": hint, "hint amount": hintAmount,
	}
	warningValues = map[string]value{
		"count": count, "count read": countRead, "of": of, "percent": percent, "amount": amount, "file": file, "column": column, "other column": otherColumn,
		"share": share, "stated": stated, "stated count": statedCount, "line": line, "examples": examples,
	}
)

// reason is a domain.Reason as a sentence needs it.
type reason domain.Reason

func (r *reason) told(v value) bool {
	switch v {
	case collected:
		return r.Collected != 0
	case remittedOn:
		return r.RemittedOn != domain.NoDay
	case dueBy:
		return r.DueBy != domain.NoDay
	case asOf:
		return r.AsOf != domain.NoDay
	case through:
		return r.DataThrough != domain.NoDay
	case method:
		return !saysNothing(r.Method)
	case status:
		return !saysNothing(r.CourierStatus)
	case moneyStatus:
		return !saysNothing(r.MoneyStatus)
	case other:
		return !saysNothing(r.Other)
	case parcels, returned:
		return r.Parcels > 0 && r.ReturnedParcel > 0
	case returnedAmount:
		return r.ReturnedAmount != 0
	case refund:
		return r.TakenBack != 0
	case repeats:
		return r.Repeats > 0
	case hint:
		return !saysNothing(r.HintID)
	}
	return true
}

func (r *reason) number(v value) int {
	switch v {
	case daysLate:
		return int(r.AsOf - r.DueBy)
	case parcels:
		return r.Parcels
	case returned:
		return r.ReturnedParcel
	}
	return r.Repeats
}

func (r *reason) appendValue(dst []byte, v value, c *Catalogue) []byte {
	switch v {
	case due:
		return r.Due.AppendText(dst)
	case remitted:
		return r.Remitted.AppendText(dst)
	case shortfall:
		return r.Shortfall.AppendText(dst)
	case excess:
		return (-r.Shortfall).AppendText(dst)
	case takenBack:
		return (-r.Remitted).AppendText(dst)
	case collected:
		return r.Collected.AppendText(dst)
	case minorGap:
		return r.MinorGap.AppendText(dst)
	case returnedAmount:
		return r.ReturnedAmount.AppendText(dst)
	case refund:
		return r.TakenBack.AppendText(dst)
	case hintAmount:
		return r.HintAmount.AppendText(dst)
	case remittedOn:
		return r.RemittedOn.AppendTo(dst)
	case dueBy:
		return r.DueBy.AppendTo(dst)
	case asOf:
		return r.AsOf.AppendTo(dst)
	case through:
		return r.DataThrough.AppendTo(dst)
	case method:
		return c.appendQuoted(dst, r.Method)
	case status:
		return c.appendQuoted(dst, r.CourierStatus)
	case moneyStatus:
		return c.appendQuoted(dst, r.MoneyStatus)
	case other:
		return c.appendName(dst, r.Other)
	case hint:
		return c.appendName(dst, r.HintID)
	}
	return appendNumber(dst, r.number(v))
}

// warning is a domain.Warning as a sentence needs it.
type warning domain.Warning

func (w *warning) told(v value) bool {
	switch v {
	case count:
		return w.Count > 0
	case of:
		return w.Of > 0
	case percent:
		return w.Of > 0 && w.Count >= 0
	case amount:
		return w.HasAmount
	case file:
		return w.File == domain.StorefrontFile || w.File == domain.CourierFile
	case column:
		return !saysNothing([]byte(w.Column))
	case otherColumn:
		return !saysNothing([]byte(w.OtherColumn))
	case share:
		return w.Share != 0
	case statedCount:
		return w.StatedCount > 0
	case line:
		return w.Line > 0
	case examples:
		return len(w.Examples) > 0
	}
	return true
}

func (w *warning) number(v value) int {
	switch v {
	case of:
		return w.Of
	case statedCount:
		return w.StatedCount
	case line:
		return w.Line
	case percent:
		return w.Count * 100 / w.Of
	}
	return w.Count
}

func (w *warning) appendValue(dst []byte, v value, c *Catalogue) []byte {
	switch v {
	case amount:
		return w.Amount.AppendText(dst)
	case stated:
		return w.Stated.AppendText(dst)
	case share:
		return domain.Paise(w.Share).AppendRupees(dst) // both are hundredths
	case file:
		return append(dst, c.files[w.File]...)
	case column:
		return c.appendQuoted(dst, []byte(w.Column))
	case otherColumn:
		return c.appendQuoted(dst, []byte(w.OtherColumn))
	case line:
		return strconv.AppendInt(dst, int64(w.Line), 10)
	case examples:
		for i, e := range w.Examples {
			if i > 0 {
				dst = append(dst, c.list[min(1, (i+1)/len(w.Examples))]...)
			}
			dst = c.appendQuoted(dst, []byte(e))
		}
		return dst
	}
	return appendNumber(dst, w.number(v))
}
