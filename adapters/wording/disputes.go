package wording

import (
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

func (c *Catalogue) AppendDispute(dst []byte, d *verdict.Dispute) []byte {
	dst, _ = c.desk().dispute.append(c, dst, d)
	return dst
}

// disputeValues append without taking memory: there may be a dispute for each row.
var disputeValues = values[verdict.Dispute]{
	texts: map[string]tell[verdict.Dispute]{
		"awb":          cell((*Catalogue).appendName, func(d *verdict.Dispute) []byte { return d.AWB }),
		"order":        cell((*Catalogue).appendName, func(d *verdict.Dispute) []byte { return d.OrderID }),
		"utr":          cell((*Catalogue).appendName, func(d *verdict.Dispute) []byte { return d.UTR }),
		"ordered on":   date(func(d *verdict.Dispute) domain.Day { return d.OrderedOn }),
		"delivered on": date(func(d *verdict.Dispute) domain.Day { return d.DeliveredOn }),
		"due":          amount(func(d *verdict.Dispute) domain.Paise { return d.Due }),
		"remitted":     amount(func(d *verdict.Dispute) domain.Paise { return d.Remitted }),
		"shortfall":    amount(func(d *verdict.Dispute) domain.Paise { return d.Shortfall }),
		"asked": func(_ *Catalogue, dst []byte, d *verdict.Dispute) ([]byte, bool) {
			return d.Asked.AppendText(dst), d.Asked != 0 && d.Asked != d.Shortfall
		},
		"if part prepaid": func(_ *Catalogue, dst []byte, d *verdict.Dispute) ([]byte, bool) {
			return dst, d.Reason.Notes.Has(domain.NotePartPrepaid)
		},
		"if shared paid": func(_ *Catalogue, dst []byte, d *verdict.Dispute) ([]byte, bool) { return dst, d.Reason.Shared.Paid },
		"reason": func(c *Catalogue, dst []byte, d *verdict.Dispute) ([]byte, bool) {
			return c.AppendReason(dst, &d.Reason), true
		},
	},
	numbers: map[string]func(*verdict.Dispute) (int, bool){
		"days overdue": func(d *verdict.Dispute) (int, bool) { return d.DaysOverdue, d.DaysOverdue > 0 },
	},
}

// reach is a domain.Guidance with what its sentences need.
type reach struct {
	*domain.Guidance
	reports int
	names   peers.Names
	words   *Catalogue
}

// day returns a day in words; known is false if there is none.
func (g *reach) day(d domain.Day) (words string, known bool) {
	return string(g.words.appendDay(nil, d)), d != domain.NoDay
}

func (c *Catalogue) Guidance(g *domain.Guidance, reports int, names peers.Names) (sentences []string) {
	of := &reach{g, reports, names, c}
	for _, t := range c.guidance() {
		if words, known := t.append(c, nil, of); known && len(words) > 0 {
			sentences = append(sentences, string(words))
		}
	}
	return sentences
}

// only makes a value that is known if something holds.
func only(holds func(*reach) bool) func(*reach) (string, bool) {
	return func(g *reach) (string, bool) { return "", holds(g) }
}

var reachValues = values[reach]{
	texts: stringValues(map[string]func(*reach) (string, bool){
		"if page":     only(func(g *reach) bool { return g.names.Surface() == peers.Pages }),
		"if terminal": only(func(g *reach) bool { return g.names.Surface() == peers.CommandLine }),
		"if several":  only(func(g *reach) bool { return g.reports > 1 }),
		"if set":      only(func(g *reach) bool { return g.OffsetSource == domain.OffsetExplicit }),
		"if complete": only(func(g *reach) bool { return g.CoverageComplete }),
		"if undated":  only(func(g *reach) bool { return g.DataThrough == domain.NoDay }),
		"as of":       func(g *reach) (string, bool) { return g.day(g.BatchAsOf) },
		"through":     func(g *reach) (string, bool) { return g.day(g.DataThrough) },
		"until": func(g *reach) (string, bool) {
			if g.BatchAsOf == domain.NoDay {
				return "", false
			}
			return g.day(g.BatchAsOf + domain.Day(g.GuaranteedCoverageDays))
		},
		"behind": func(g *reach) (string, bool) {
			if g.Behind.Report == 0 {
				return "", false
			}
			return g.names.File(domain.CourierFile, g.Behind.Report), true
		},
		"its courier": func(g *reach) (string, bool) { return g.Behind.Courier, g.Behind.Courier != "" },
		"if unknown courier": only(func(g *reach) bool {
			return g.Behind.Report > 0 && g.Behind.Courier == "" && !g.CoverageComplete
		}),
	}),
	numbers: map[string]func(*reach) (int, bool){
		"offset":   func(g *reach) (int, bool) { return g.OffsetDays, true },
		"awaiting": func(g *reach) (int, bool) { return g.AwaitingNextCycle, g.AwaitingNextCycle > 0 },
	},
}
