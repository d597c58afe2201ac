package wording

import (
	"strconv"

	"milaan/domain"
	"milaan/ports/glue"
)

// reasonValues append without taking memory: there is a reason for each row.
var reasonValues = values[domain.Reason]{
	texts: map[string]tell[domain.Reason]{
		"due":             func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return r.Due.AppendText(dst), true },
		"remitted":        amount(func(r *domain.Reason) domain.Paise { return r.Remitted }),
		"shortfall":       amount(func(r *domain.Reason) domain.Paise { return r.Shortfall }),
		"excess":          amount(func(r *domain.Reason) domain.Paise { return -r.Shortfall }),
		"taken back":      amount(func(r *domain.Reason) domain.Paise { return -r.Remitted }), // on balance
		"minor gap":       amount(func(r *domain.Reason) domain.Paise { return r.MinorGap }),
		"hint amount":     amount(func(r *domain.Reason) domain.Paise { return r.HintAmount }),
		"collected":       amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Collected }),
		"returned amount": amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.ReturnedAmount }),
		"refund":          amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.TakenBack }),
		"remitted on":     date(func(r *domain.Reason) domain.Day { return r.RemittedOn }),
		"due by":          date(func(r *domain.Reason) domain.Day { return r.DueBy }),
		"as of":           date(func(r *domain.Reason) domain.Day { return r.AsOf }),
		"through":         date(func(r *domain.Reason) domain.Day { return r.DataThrough }),
		"method":          cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.Method }),
		"status":          cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.CourierStatus }),
		"money status":    cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.MoneyStatus }),
		"other":           cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Other }),
		"hint":            cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.HintID }),
		"if several":      func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return dst, r.Reports > 1 },
		"behind": func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
			return append(dst, r.Behind.Courier...), r.Behind.Courier != ""
		},
	},
	numbers: map[string]func(*domain.Reason) (int, bool){
		"days":     func(r *domain.Reason) (int, bool) { return int(r.AsOf - r.DueBy), true },
		"parcels":  func(r *domain.Reason) (int, bool) { return r.Parcels, r.Parcels > 0 && r.ReturnedParcel > 0 },
		"returned": func(r *domain.Reason) (int, bool) { return r.ReturnedParcel, r.Parcels > 0 && r.ReturnedParcel > 0 },
		"report":   func(r *domain.Reason) (int, bool) { return r.Behind.Report, r.Behind.Report > 0 },
		"repeats":  func(r *domain.Reason) (int, bool) { return r.Repeats, r.Repeats > 0 },
	},
}

func amount(of func(*domain.Reason) domain.Paise) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return of(r).AppendText(dst), true }
}

func amountUnlessZero(of func(*domain.Reason) domain.Paise) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		return of(r).AppendText(dst), of(r) != 0
	}
}

func date(of func(*domain.Reason) domain.Day) tell[domain.Reason] {
	return func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		if day := of(r); day != domain.NoDay {
			return c.appendDay(dst, day), true
		}
		return dst, false
	}
}

// appendDay appends a day as 2026-03-31 or, for pages, as 31 Mar 2026. It appends nothing for
// NoDay.
func (c *Catalogue) appendDay(dst []byte, day domain.Day) []byte {
	if !c.spellsDays || day == domain.NoDay {
		return day.AppendTo(dst)
	}
	var digits [len("2026-03-31")]byte
	iso := day.AppendTo(digits[:0])
	if iso[8] != '0' {
		dst = append(dst, iso[8])
	}
	month := (iso[5]-'0')*10 + iso[6] - '0'
	dst = append(append(dst, iso[9], ' '), c.months[month-1]...)
	return append(append(dst, ' '), iso[:4]...)
}

// cell makes a value of a text of one of the two files.
func cell(appendTo func(_ *Catalogue, dst, text []byte) []byte, of func(*domain.Reason) []byte) tell[domain.Reason] {
	return func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		if text := of(r); !saysNothing(text) {
			return appendTo(c, dst, text), true
		}
		return dst, false
	}
}

var warningValues = values[warning]{
	texts: stringValues(map[string]func(*warning) (string, bool){
		"amount":       func(w *warning) (string, bool) { return w.Amount.String(), w.HasAmount },
		"stated":       func(w *warning) (string, bool) { return w.Stated.String(), true },
		"share":        func(w *warning) (string, bool) { return w.share(), w.Share != 0 },
		"if several":   func(w *warning) (string, bool) { return "", w.Reports > 1 },
		"if page":      func(w *warning) (string, bool) { return "", w.readOn(glue.Pages) },
		"if pass":      func(w *warning) (string, bool) { return "", w.readOn(glue.Passes) },
		"if orders":    func(w *warning) (string, bool) { return "", w.File == domain.StorefrontFile },
		"named report": func(w *warning) (string, bool) { return w.namedReport() },
		"the report":   func(w *warning) (string, bool) { return w.theReport(), true },
		"file":         func(w *warning) (string, bool) { return w.files[w.File], w.File != 0 },
		"line":         func(w *warning) (string, bool) { return strconv.Itoa(w.Line), w.Line > 0 },
		"column":       func(w *warning) (string, bool) { return w.quote(w.Column), !saysNothing([]byte(w.Column)) },
		"other column": func(w *warning) (string, bool) { return w.quote(w.OtherColumn), !saysNothing([]byte(w.OtherColumn)) },
		"examples":     func(w *warning) (string, bool) { return w.examples(), len(w.Examples) > 0 },
	}),
	numbers: map[string]func(*warning) (int, bool){
		"count":        func(w *warning) (int, bool) { return w.Count, w.Count > 0 },
		"count read":   func(w *warning) (int, bool) { return w.Count, true }, // of footer_differs, where it may be 0
		"of":           func(w *warning) (int, bool) { return w.Of, w.Of > 0 },
		"percent":      func(w *warning) (int, bool) { return w.Count * 100 / max(w.Of, 1), w.Of > 0 && w.Count >= 0 },
		"stated count": func(w *warning) (int, bool) { return w.StatedCount, w.StatedCount > 0 },
	},
}

// warning is a domain.Warning with the catalogue that words it.
type warning struct {
	*domain.Warning
	names glue.Names
	*Catalogue
}

// readOn says whether the warning is read on a surface.
func (w *warning) readOn(surface glue.Surface) bool {
	return w.names != nil && w.names.Surface() == surface
}

// namedReport is the name of the report that the warning is about, if there are several.
func (w *warning) namedReport() (string, bool) {
	if w.Report == 0 || w.names == nil {
		return "", false
	}
	return w.names.File(domain.CourierFile, w.Report), true
}

func (w *warning) theReport() string {
	if name, known := w.namedReport(); known {
		return name
	}
	return w.only
}

func (w *warning) quote(text string) string { return string(w.appendQuoted(nil, []byte(text))) }

// share is a percentage. It is in hundredths, as rupees are in paise.
func (w *warning) share() string { return string(domain.Paise(w.Share).AppendRupees(nil)) }

func (w *warning) examples() string {
	var quoted []string
	for _, e := range w.Examples {
		quoted = append(quoted, w.quote(e))
	}
	return w.enumerate(quoted, w.list[1])
}
