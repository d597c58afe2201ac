package wording

import (
	"strconv"
	"sync"
	"time"

	"milaan/domain"
	"milaan/ports/peers"
)

// reasonValues append without taking memory: there is a reason for each row.
var reasonValues = values[domain.Reason]{
	texts: map[string]tell[domain.Reason]{
		"due":             amount(func(r *domain.Reason) domain.Paise { return r.Due }),
		"remitted":        amount(func(r *domain.Reason) domain.Paise { return r.Remitted }),
		"shortfall":       amount(func(r *domain.Reason) domain.Paise { return r.Shortfall }),
		"excess":          amount(func(r *domain.Reason) domain.Paise { return -r.Shortfall }),
		"taken back":      amount(func(r *domain.Reason) domain.Paise { return -r.Remitted }), // on balance
		"minor gap":       amount(func(r *domain.Reason) domain.Paise { return r.MinorGap }),
		"hint amount":     amount(func(r *domain.Reason) domain.Paise { return r.HintAmount }),
		"advance":         amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Advance }),
		"returned amount": amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.ReturnedAmount }),
		"refund":          amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.TakenBack }),
		"charged":         amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Charged }),
		"accepted":        amountAboveZero(func(r *domain.Reason) domain.Paise { return r.Accepted }),
		"unexplained":     amountUnlessZero(unexplained),
		"undone":          amountUnlessZero(undone),
		"remitted on":     date(func(r *domain.Reason) domain.Day { return r.RemittedOn }),
		"due by":          date(func(r *domain.Reason) domain.Day { return r.DueBy }),
		"as of":           date(func(r *domain.Reason) domain.Day { return r.AsOf }),
		"through":         date(func(r *domain.Reason) domain.Day { return r.DataThrough }),
		"delivered":       countedFrom(domain.EventDelivery),
		"dispatched":      countedFrom(domain.EventDispatch),
		"ordered":         countedFrom(domain.EventOrder),
		"gap after":       date(func(r *domain.Reason) domain.Day { return r.Gap.After }),
		"gap before":      date(func(r *domain.Reason) domain.Day { return r.Gap.Before }),
		"gap courier":     id(func(r *domain.Reason) string { return r.Gap.Courier }),
		"carrier":         cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.Carrier }),
		"charges":         appendCharges,
		"one listed": func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
			if len(r.Listings) != 1 {
				return dst, false
			}
			return r.Listings[0].Amount.AppendText(dst), true
		},
		"window":         func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return c.window.append(c, dst, r) },
		"listed":         func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return c.listed.append(c, dst, r) },
		"all listed":     listings(func(r *domain.Reason) bool { return len(r.Listings) > 1 && !hasMoreListings(r) }),
		"some listed":    listings(func(r *domain.Reason) bool { return len(r.Listings) > 1 }),
		"method":         cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.Method }),
		"status":         cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.CourierStatus }),
		"money status":   cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.MoneyStatus }),
		"other":          cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Other }),
		"hint":           cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.HintID }),
		"if several":     when(func(r *domain.Reason) bool { return r.Reports > 1 }),
		"if loss":        when(func(r *domain.Reason) bool { return r.Remitted < 0 }),
		"if nothing due": when(func(r *domain.Reason) bool { return r.Due == 0 }),
		"if partly":      when(func(r *domain.Reason) bool { return r.PartlyRefunded }),
		"if charged":     when(func(r *domain.Reason) bool { return r.Charged > 0 }),
		"if unexplained": when(func(r *domain.Reason) bool { return unexplained(r) > 0 }),
		"if returned":    when(returnedAtALoss),
		"if collected":   when(func(r *domain.Reason) bool { return r.Cause == domain.CauseCourierCollected }),
		"if listed": when(func(r *domain.Reason) bool {
			return r.Cause == domain.CauseListed || r.Cause == domain.CauseListedByOther
		}),
		"shared amount":     amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Shared.Remitted }),
		"shared paid":       amountUnlessZero(sharedPaid),
		"shared taken back": amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Shared.TakenBack }),
		"shared undone":     amountUnlessZero(sharedUndone),
		"shared delivered":  appendSharedDelivery,
		"shared utrs":       appendSharedUTRs,
		"shared money": func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
			return c.desk().sharedMoney.append(c, dst, r)
		},
		"if shared paid":      when(func(r *domain.Reason) bool { return r.Shared.Paid }),
		"if others' alone":    when(func(r *domain.Reason) bool { return r.Shared.Part == 0 && r.Shared.TakenBack == 0 }),
		"others' part":        amount(func(r *domain.Reason) domain.Paise { return r.Shared.Remitted - r.Shared.Part }),
		"part":                amount(func(r *domain.Reason) domain.Paise { return r.Shared.Part }),
		"shared awb":          cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Shared.AWB }),
		"sharers":             sharers(false),
		"paid sharers":        sharers(true),
		"own awb":             cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.OwnAWB }),
		"line awb":            cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.LineAWB }),
		"beside awb":          cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Beside.AWB }),
		"beside amount":       amount(func(r *domain.Reason) domain.Paise { return r.Beside.Remitted }),
		"idle awb":            cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Idle.AWB }),
		"refused awb":         cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.Refused.AWB }),
		"refused amount":      amount(func(r *domain.Reason) domain.Paise { return r.Refused.Remitted }),
		"utr":                 cell((*Catalogue).appendName, func(r *domain.Reason) []byte { return r.UTR }),
		"charges rounding":    amountAboveZero(func(r *domain.Reason) domain.Paise { return -r.Accepted }),
		"corrected amount":    amount(func(r *domain.Reason) domain.Paise { return r.Corrected.Remitted }),
		"if ledger corrected": when(func(r *domain.Reason) bool { return ofLedger(r.Corrected.Report, r.Reports) }),
		"if ledger namesake":  when(func(r *domain.Reason) bool { return r.LedgerNamesake }),
		"remembered":          amountAboveZero(func(r *domain.Reason) domain.Paise { return r.Remembered }),
		"remembered back":     amountAboveZero(func(r *domain.Reason) domain.Paise { return -r.Remembered }),
		"reversed status":     cell((*Catalogue).appendQuoted, func(r *domain.Reason) []byte { return r.Reversed.Status }),
		"reversed on":         date(func(r *domain.Reason) domain.Day { return r.Reversed.On }),
		"reversed amount":     amountUnlessZero(func(r *domain.Reason) domain.Paise { return r.Reversed.Amount }),
		"if part prepaid":     when(func(r *domain.Reason) bool { return r.Notes.Has(domain.NotePartPrepaid) }),
		"raised on":           date(func(r *domain.Reason) domain.Day { return r.RaisedOn }),
		"found on":            date(func(r *domain.Reason) domain.Day { return r.FoundOn }),
		"if shared":           when(func(r *domain.Reason) bool { return len(r.Shared.AWB) > 0 }),
		"if other behind":     when(func(r *domain.Reason) bool { return r.BehindIsOther }),
		"behind":              id(func(r *domain.Reason) string { return r.Behind.Courier }),
	},
	numbers: map[string]func(*domain.Reason) (int, bool){
		"days":     func(r *domain.Reason) (int, bool) { return int(r.AsOf - r.DueBy), true },
		"parcels":  func(r *domain.Reason) (int, bool) { return r.Parcels, r.Parcels > 0 && r.ReturnedParcel > 0 },
		"returned": func(r *domain.Reason) (int, bool) { return r.ReturnedParcel, r.Parcels > 0 && r.ReturnedParcel > 0 },
		"report":   func(r *domain.Reason) (int, bool) { return r.Behind.Report, r.Behind.Report > 0 },

		"window days":       func(r *domain.Reason) (int, bool) { return r.WindowDays, r.WindowDays > 0 },
		"listed lines":      func(r *domain.Reason) (int, bool) { return r.ListedLines, r.ListedLines > 1 },
		"every":             func(r *domain.Reason) (int, bool) { return r.Gap.Every, r.Gap.Every > 0 },
		"repeats":           func(r *domain.Reason) (int, bool) { return r.Repeats, r.Repeats > 0 },
		"more sharers":      func(r *domain.Reason) (int, bool) { return r.Shared.More, r.Shared.More > 0 },
		"sharer count":      func(r *domain.Reason) (int, bool) { n := namedSharers(r) + r.Shared.More; return n, n > 0 },
		"more awbs":         func(r *domain.Reason) (int, bool) { return r.Shared.MoreAWBs, r.Shared.MoreAWBs > 0 },
		"shared lines":      func(r *domain.Reason) (int, bool) { return r.Shared.Lines, r.Shared.Lines > 0 },
		"more beside":       moreLines(func(r *domain.Reason) *domain.Beside { return &r.Beside }),
		"more idle":         moreLines(func(r *domain.Reason) *domain.Beside { return &r.Idle }),
		"more refused":      moreLines(func(r *domain.Reason) *domain.Beside { return &r.Refused }),
		"corrected report":  func(r *domain.Reason) (int, bool) { return ownReport(r, r.Corrected.Report) },
		"correcting report": func(r *domain.Reason) (int, bool) { return ownReport(r, r.Corrected.By) },
		"payments":          func(r *domain.Reason) (int, bool) { return r.Payments, r.Payments > 0 },
	},
}

// unexplained is what of the shortfall the stated charges leave unexplained; 0 if none are
// stated.
func unexplained(r *domain.Reason) domain.Paise {
	if r.Charged <= 0 {
		return 0
	}
	return r.Unexplained
}

// ofLedger says whether the number of a report is of one that stands for a ledger, in a run with so many
// reports of its own; 0 of them: one.
func ofLedger(number, reports int) bool { return number > max(reports, 1) }

func ownReport(r *domain.Reason, number int) (int, bool) {
	return number, number > 0 && !ofLedger(number, r.Reports)
}

// undone is what was paid and taken back, so that nothing is remitted.
func undone(r *domain.Reason) domain.Paise {
	if r.Remitted != 0 {
		return 0
	}
	return r.TakenBack
}

// returnedAtALoss says of a parcel that came back, and of which cash was collected, perhaps, that more was taken back than paid.
func returnedAtALoss(r *domain.Reason) bool {
	return r.Remitted < 0 && r.Due > 0 && (r.Cause == domain.CauseCourierCollected || r.Cause == domain.CauseMarkedPaid)
}

// when is known if something holds, and has no words.
func when(holds func(*domain.Reason) bool) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) { return dst, holds(r) }
}

func countedFrom(by domain.Event) tell[domain.Reason] {
	return func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		if r.CountedFrom == domain.NoDay || r.CountedBy != by {
			return dst, false
		}
		return c.appendDay(dst, r.CountedFrom), true
	}
}

// appendCharges lists the charges that a report states for an order, each with its name.
func appendCharges(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
	for i := range r.Charges {
		if i > 0 {
			dst = append(dst, c.List[0]...)
		}
		dst = append(appendHarmless(dst, []byte(r.Charges[i].Name)), ' ')
		dst = r.Charges[i].Amount.AppendText(dst)
	}
	return dst, len(r.Charges) > 0
}

// listings makes a value of the different COD amounts of an order's lines.
func listings(known func(*domain.Reason) bool) tell[domain.Reason] {
	return func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		for i, l := range r.Listings {
			switch last := len(r.Listings) - 1; {
			case i > 0 && i == last && !hasMoreListings(r):
				dst = append(dst, c.List[1]...)
			case i > 0:
				dst = append(dst, c.List[0]...)
			}
			dst = l.Amount.AppendText(dst)
		}
		return dst, known(r)
	}
}

// hasMoreListings says whether there are more COD amounts than the reason names.
func hasMoreListings(r *domain.Reason) bool {
	named := 0
	for _, l := range r.Listings {
		named += l.Lines
	}
	return named < r.ListedLines
}

// moreLines is how many lines there are besides the first.
func moreLines(of func(*domain.Reason) *domain.Beside) func(*domain.Reason) (int, bool) {
	return func(r *domain.Reason) (int, bool) { return of(r).Lines - 1, of(r).Lines > 1 }
}

// sharedPaid is what was remitted on the shared AWB before something was taken back.
func sharedPaid(r *domain.Reason) domain.Paise { return r.Shared.Remitted + r.Shared.TakenBack }

// sharedUndone is what was paid on the shared AWB and taken back, so that nothing is remitted on it.
func sharedUndone(r *domain.Reason) domain.Paise {
	if r.Shared.Remitted != 0 {
		return 0
	}
	return r.Shared.TakenBack
}

// undoneElsewhere says of an order that shares an AWB that more was taken back from it than the note on that AWB says.
func undoneElsewhere(r *domain.Reason) bool { return r.Shared.Paid && r.TakenBack > r.Shared.TakenBack }

// appendSharedDelivery appends when the parcel of the shared AWB was delivered, unless a letter says it of the window.
func appendSharedDelivery(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
	day := r.Shared.DeliveredOn
	if day == domain.NoDay || r.Flag == domain.Overdue && r.CountedBy == domain.EventDelivery && r.CountedFrom == day {
		return dst, false
	}
	return c.appendDay(dst, day), true
}

func appendSharedUTRs(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
	for i, utr := range r.Shared.UTRs {
		if i > 0 {
			dst = append(dst, c.List[0]...)
		}
		dst = c.appendName(dst, utr)
	}
	return dst, len(r.Shared.UTRs) > 0
}

// namedSharers is how many of the other orders with a shared AWB have names.
func namedSharers(r *domain.Reason) (named int) {
	for named < len(r.Shared.Others) && !saysNothing(r.Shared.Others[named].Name) {
		named++
	}
	return named
}

// sharers makes the names of the other orders with a shared AWB, each with its part of what
// was remitted if paid says so.
func sharers(paid bool) tell[domain.Reason] {
	return func(c *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		others := namedSharers(r)
		for i := range others {
			switch {
			case i == 0:
			case i == others-1 && r.Shared.More == 0:
				dst = append(dst, c.List[1]...)
			default:
				dst = append(dst, c.List[0]...)
			}
			other := &r.Shared.Others[i]
			if dst = c.appendName(dst, other.Name); paid {
				dst = append(other.Remitted.AppendText(append(dst, c.Brackets[0]...)), c.Brackets[1]...)
			}
		}
		return dst, others > 0
	}
}

// id makes a value of the id of a courier.
func id(of func(*domain.Reason) string) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		return append(dst, of(r)...), of(r) != ""
	}
}

func amount[T any](of func(*T) domain.Paise) tell[T] {
	return func(_ *Catalogue, dst []byte, r *T) ([]byte, bool) { return of(r).AppendText(dst), true }
}

func amountUnlessZero(of func(*domain.Reason) domain.Paise) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		return of(r).AppendText(dst), of(r) != 0
	}
}

func amountAboveZero(of func(*domain.Reason) domain.Paise) tell[domain.Reason] {
	return func(_ *Catalogue, dst []byte, r *domain.Reason) ([]byte, bool) {
		return of(r).AppendText(dst), of(r) > 0
	}
}

func date[T any](of func(*T) domain.Day) tell[T] {
	return func(c *Catalogue, dst []byte, r *T) ([]byte, bool) {
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
	dst = append(append(dst, iso[9], ' '), c.Months[month-1]...)
	return append(append(dst, ' '), iso[:4]...)
}

// forReaders has the English words of pages, for what is written beside them.
var forReaders = sync.OnceValue(func() *Catalogue { return readForPages(english) })

// Day writes a day as pages do: 31 Mar 2026. It is blank for NoDay.
func Day(day domain.Day) string { return string(forReaders().appendDay(nil, day)) }

// Moment writes a time by the clock of India, and says so: 31 Mar 2026, 2:05 pm IST.
func Moment(t time.Time) string {
	return Day(domain.DayOf(t)) + t.In(domain.Kolkata).Format(", 3:04 pm") + " IST"
}

// cell makes a value of a text of one of the two files.
func cell[T any](appendTo func(_ *Catalogue, dst, text []byte) []byte, of func(*T) []byte) tell[T] {
	return func(c *Catalogue, dst []byte, r *T) ([]byte, bool) {
		if text := of(r); !saysNothing(text) {
			return appendTo(c, dst, text), true
		}
		return dst, false
	}
}

var warningValues = values[warning]{
	texts: stringValues(map[string]func(*warning) (string, bool){
		"amount": func(w *warning) (string, bool) { return w.Amount.String(), w.HasAmount },
		"stated": func(w *warning) (string, bool) { return w.Stated.String(), true },
		"share":  func(w *warning) (string, bool) { return w.share(), w.Share != 0 },
		"each":   func(w *warning) (string, bool) { return w.Each.String(), w.Each != 0 },
		"unexplained": func(w *warning) (string, bool) {
			return w.Unexplained.String(), w.Unexplained > 0 && w.Unexplained < w.Amount
		},
		"if by charges":    func(w *warning) (string, bool) { return "", w.Kind == domain.DeductedCharges },
		"if same":          func(w *warning) (string, bool) { return "", w.Kind == domain.DeductedAmount },
		"gap courier":      func(w *warning) (string, bool) { return w.Gap.Courier, w.Gap.Courier != "" },
		"gap after":        func(w *warning) (string, bool) { return w.day(w.Gap.After) },
		"gap before":       func(w *warning) (string, bool) { return w.day(w.Gap.Before) },
		"if day first":     func(w *warning) (string, bool) { return "", w.DayFirst },
		"if several":       func(w *warning) (string, bool) { return "", w.Reports > 1 },
		"if page":          func(w *warning) (string, bool) { return "", w.readOn(peers.Pages) },
		"if ledger":        func(w *warning) (string, bool) { return "", w.isOfLedger() },
		"if without money": func(w *warning) (string, bool) { return "", w.HasAmount && w.Amount == 0 },
		"if pass":          func(w *warning) (string, bool) { return "", w.readOn(peers.Passes) },
		"if orders":        func(w *warning) (string, bool) { return "", w.File == domain.StorefrontFile },
		"if one report":    func(w *warning) (string, bool) { return "", w.Report > 0 },
		"shown report": func(w *warning) (string, bool) {
			name, known := w.namedReport()
			return name, known && !w.readOn(peers.Passes)
		},
		"named report": func(w *warning) (string, bool) { return w.namedReport() },
		"by report":    func(w *warning) (string, bool) { return w.nameOf(w.By) },
		"the report":   func(w *warning) (string, bool) { return w.theReport(), true },
		"file":         func(w *warning) (string, bool) { return w.Files[w.File.String()], w.File != 0 },
		"line":         func(w *warning) (string, bool) { return strconv.Itoa(w.Line), w.Line > 0 },
		"column":       func(w *warning) (string, bool) { return w.quote(w.Column), !saysNothing([]byte(w.Column)) },
		"other column": func(w *warning) (string, bool) { return w.quote(w.OtherColumn), !saysNothing([]byte(w.OtherColumn)) },
		"examples":     func(w *warning) (string, bool) { return w.examples(), len(w.Examples) > 0 },
		"all payouts": func(w *warning) (string, bool) {
			return w.payouts(func(named int) bool { return named == w.Payouts })
		},
		"some payouts": func(w *warning) (string, bool) {
			return w.payouts(func(named int) bool { return named < w.Payouts })
		},
		"if all named": func(w *warning) (string, bool) { return "", w.Named > 0 && w.Named == w.Count },
	}),
	numbers: map[string]func(*warning) (int, bool){
		"count":        func(w *warning) (int, bool) { return w.Count, w.Count > 0 },
		"count read":   func(w *warning) (int, bool) { return w.Count, true }, // of footer_differs, where it may be 0
		"of":           func(w *warning) (int, bool) { return w.Of, w.Of > 0 },
		"percent":      func(w *warning) (int, bool) { return w.Count * 100 / max(w.Of, 1), w.Of > 0 && w.Count >= 0 },
		"every":        func(w *warning) (int, bool) { return w.Gap.Every, w.Gap.Every > 0 },
		"named":        func(w *warning) (int, bool) { return w.Named, 0 < w.Named && w.Named < w.Count },
		"others":       func(w *warning) (int, bool) { return w.Count - w.Named, 0 < w.Named && w.Named < w.Count },
		"payouts":      func(w *warning) (int, bool) { return w.Payouts, w.Payouts > 0 },
		"stated count": func(w *warning) (int, bool) { return w.StatedCount, w.StatedCount > 0 },
	},
}

type warning struct {
	*domain.Warning
	names peers.Names
	*Catalogue
}

func (w *warning) isOfLedger() bool {
	return w.File == domain.LedgerFile || w.By > 0 && ofLedger(w.Report, w.Reports)
}

func (w *warning) readOn(surface peers.Surface) bool {
	return w.names != nil && w.names.Surface() == surface
}

// namedReport is the name of the report that the warning is about, if there are several.
func (w *warning) namedReport() (string, bool) { return w.nameOf(w.Report) }

func (w *warning) nameOf(report int) (string, bool) {
	switch {
	case report == 0 || w.names == nil:
		return "", false
	case w.By > 0 && ofLedger(report, w.Reports):
		return w.names.File(domain.LedgerFile, 0), true
	case w.By > 0 && w.Reports < 2:
		return w.names.File(domain.CourierFile, 0), true
	}
	return w.names.File(domain.CourierFile, report), true
}

func (w *warning) theReport() string {
	if name, known := w.namedReport(); known {
		return name
	}
	return w.Only
}

func (w *warning) day(day domain.Day) (string, bool) {
	return string(w.appendDay(nil, day)), day != domain.NoDay
}

func (w *warning) quote(text string) string { return string(w.appendQuoted(nil, []byte(text))) }

// share is a percentage. It is in hundredths, as rupees are in paise.
func (w *warning) share() string { return string(domain.Paise(w.Share).AppendRupees(nil)) }

func (w *warning) examples() string { return w.enumerate(w.quoted(), w.List[1]) }

func (w *warning) quoted() (quoted []string) {
	for _, e := range w.Examples {
		quoted = append(quoted, w.quote(e))
	}
	return quoted
}

// payouts names payouts by their UTRs or days, if that many may be named.
func (w *warning) payouts(may func(named int) bool) (string, bool) {
	named := w.quoted()
	for _, day := range w.PaidOn {
		on, _ := w.day(day)
		named = append(named, on)
	}
	return w.enumerate(named, w.List[1]), len(named) > 0 && may(len(named))
}
