package wording

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Mails has the words of mails, in English: a mail has no page whose language it could take.
type Mails struct {
	words    *Catalogue
	names    peers.Names
	subjects map[domain.MailKind]clause[mailed]
	lines    map[domain.MailKind][]clause[mailed]
	brand    []clause[mailed] // of each brand of a digest
	source   clause[mailed]   // of each stale source
	senders  []clause[mailed] // of each source of a digest
	couriers map[string]string
	claimed  []clause[mailed] // of each courier from whom a connection that keeps its open items claims money
	list     []clause[mailed] // after them
	end      []clause[mailed]
}

// mailed is what a mail, or one line of it, is about.
type mailed struct {
	ports.MailContent
	*Mails
	week *domain.BrandWeek
	of   *domain.Connection
	at   int // position of the source, from 1
	last domain.SourceResult
	sum  *domain.CourierSum
	open []domain.CourierSum // of the connection; nil: it does not keep its open items
}

// NewMails returns the words of mails, which name couriers as a catalogue does.
func NewMails(catalogue ports.Couriers) *Mails {
	l := decoded[mailTexts](english("mails"))
	words := forReaders()
	m := &Mails{words: words, names: pageNames{words}, subjects: map[domain.MailKind]clause[mailed]{},
		lines: map[domain.MailKind][]clause[mailed]{}, brand: readLines(l.Brand), source: readAny(l.Stale, mailedValues),
		senders: readLines(l.Senders), end: readLines(l.End), couriers: map[string]string{},
		claimed: readLines(l.Claimed), list: readLines(l.List)}
	for _, c := range catalogue.Catalogue() {
		m.couriers[c.ID] = c.Name
	}
	for kind, t := range l.Kinds {
		m.subjects[kind], m.lines[kind] = readAny(t.Subject, mailedValues), readLines(t.Lines)
	}
	return m
}

func readLines(lines []text) (all []clause[mailed]) {
	for _, line := range lines {
		all = append(all, readAny(line, mailedValues))
	}
	return all
}

func (m *Mails) MailText(c ports.MailContent) (subject, body string) {
	of := &mailed{MailContent: c, Mails: m, of: &c.Connection, open: c.Result.OpenItems}
	words, _ := m.subjects[c.Kind].append(m.words, nil, of)
	var b strings.Builder
	m.write(&b, m.lines[c.Kind], of)
	for i := range c.Week {
		week := *of
		week.week, week.of, week.open = &c.Week[i], c.Week[i].Connection, c.Week[i].OpenItems
		b.WriteString("\n")
		m.write(&b, m.brand, &week)
		m.writeOpenItems(&b, &week)
		m.writeStale(&b, &week, c.Week[i].Stale, c.Week[i].Sources)
		for _, s := range c.Week[i].Sources {
			if week.of != nil {
				line := week
				line.at, line.last = week.of.Source(s.SourceID), s
				m.write(&b, m.senders, &line)
			}
		}
	}
	if c.Kind == domain.MailAtRisk {
		m.writeOpenItems(&b, of)
	}
	if c.Kind == domain.MailStale {
		m.writeStale(&b, of, c.Connection.StaleSources(c.Result, c.At), c.Result.Sources)
	}
	if c.Kind == domain.MailStale || c.Kind == domain.MailFailing {
		m.write(&b, m.list, of)
	}
	if c.Invitation == nil { // whoever is invited has no account of whose mails they could be told
		b.WriteString("\n")
		m.write(&b, m.end, of)
	}
	return string(words), b.String()
}

// write writes each line of which all values are known.
func (m *Mails) write(b *strings.Builder, lines []clause[mailed], of *mailed) {
	for _, line := range lines {
		if words, known := line.append(m.words, nil, of); known {
			b.Write(words)
			b.WriteString("\n")
		}
	}
}

func (m *Mails) writeStale(b *strings.Builder, of *mailed, stale []int, results []domain.SourceResult) {
	for _, at := range stale {
		line := *of
		line.at, line.last = at, results[at-1]
		m.write(b, []clause[mailed]{m.source}, &line)
	}
}

// writeOpenItems writes what is claimed from each courier, and where the list of the orders is; nothing of an order.
func (m *Mails) writeOpenItems(b *strings.Builder, of *mailed) {
	line := *of
	for i := range of.open {
		line.sum = &of.open[i]
		m.write(b, m.claimed, &line)
	}
	m.write(b, m.list, of)
}

// byHand says whether people find orders and reasons only by comparing again: not if all connections of the mail keep their open
// items, to which it has links.
func (m *mailed) byHand() bool {
	if m.Kind == domain.MailDigest {
		return slices.ContainsFunc(m.Week, func(w domain.BrandWeek) bool { return w.OpenItems == nil })
	}
	return m.Kind != domain.MailTwice && m.open == nil
}

// mailTexts are what mails say; a line of which a value is not known is left out.
type mailTexts struct {
	Kinds map[domain.MailKind]struct {
		Subject text   `json:"subject"`
		Lines   []text `json:"lines"`
	} `json:"kinds"`
	Brand   []text `json:"brand"`   // of each brand of a digest
	Stale   text   `json:"stale"`   // of each stale source
	Senders []text `json:"senders"` // of each source of a digest
	Claimed []text `json:"claimed"` // of each courier from whom money is claimed
	List    []text `json:"list"`    // after them
	End     []text `json:"end"`
}

// ofRuns makes a value of the runs of a brand in the week, which is known in its lines alone, and if
// there were any.
func ofRuns[V any](of func(*domain.BrandWeek) V) func(*mailed) (V, bool) {
	return func(m *mailed) (v V, known bool) {
		if known = m.week != nil && m.week.Runs > 0; known {
			v = of(m.week)
		}
		return v, known
	}
}

// moment returns a time as mails have it; the zero time is not known.
func moment(t time.Time) (text string, known bool) { return Moment(t), !t.IsZero() }

// compared returns when the brand of a digest was last compared, if it is known.
func (m *mailed) compared() (at time.Time) {
	if m.week != nil {
		_, at = m.week.State()
	}
	return at
}

// total returns what is at risk of all brands of a digest, as far as it is known.
func (m *mailed) total() (sum domain.Paise, known bool) {
	all := true
	for i := range m.Week {
		atRisk, compared := m.Week[i].State()
		sum += atRisk
		known, all = known || !compared.IsZero(), all && !compared.IsZero()
	}
	return sum, known && (all || sum != 0)
}

var mailedValues = values[mailed]{
	texts: stringValues(map[string]func(*mailed) (string, bool){
		"brand": func(m *mailed) (string, bool) {
			if m.week != nil {
				return m.week.Brand, true
			}
			return m.of.Brand, m.of != nil
		},
		"at risk": func(m *mailed) (string, bool) {
			if m.week != nil {
				atRisk, compared := m.week.State()
				return atRisk.String(), !compared.IsZero()
			}
			return m.of.AtRisk.String(), m.of != nil
		},
		"limit":  func(m *mailed) (string, bool) { return m.of.AlertAbove.String(), m.of != nil },
		"before": func(m *mailed) (string, bool) { return m.beforeRisk() },
		"worst": func(m *mailed) (string, bool) {
			if len(m.Week) == 0 {
				return "", false
			}
			return m.Week[0].Brand, true
		},
		"total": func(m *mailed) (string, bool) {
			sum, known := m.total()
			return sum.String(), known
		},
		"compared": func(m *mailed) (string, bool) { return moment(m.compared()) },
		"since": func(m *mailed) (string, bool) {
			if m.of == nil {
				return "", false
			}
			return moment(m.of.FailingSince)
		},
		"above since": func(m *mailed) (string, bool) { return moment(m.of.AboveSince) },
		"why": func(m *mailed) (string, bool) {
			if m.of == nil || m.of.Failure == nil {
				return "", false
			}
			return m.words.Message(m.of.Failure, m.names), true
		},
		"if stopped": func(m *mailed) (string, bool) { return "", m.of != nil && m.of.State == domain.ConnectionRefused },
		"connector": func(m *mailed) (string, bool) {
			if m.of == nil || m.at < 1 || m.at > len(m.of.Sources) {
				return "", false
			}
			return string(m.of.Sources[m.at-1].Connector), true
		},
		"courier": func(m *mailed) (string, bool) { return m.last.Courier, m.last.Courier != "" },
		"through": func(m *mailed) (string, bool) {
			return string(m.words.appendDay(nil, m.last.Through)), m.last.Through != domain.NoDay
		},
		"refused from": func(m *mailed) (string, bool) {
			return string(m.words.appendDay(nil, m.last.RefusedFrom)), m.last.RefusedFrom != domain.NoDay
		},
		"claimed from": func(m *mailed) (string, bool) {
			if m.sum == nil || m.sum.Courier == "" {
				return "", false
			}
			return cmp.Or(m.couriers[m.sum.Courier], m.sum.Courier), true
		},
		"claimed": func(m *mailed) (string, bool) {
			if m.sum == nil {
				return "", false
			}
			return m.sum.Amount.String(), true
		},
		"list": func(m *mailed) (string, bool) {
			if m.of == nil || m.open == nil {
				return "", false
			}
			return m.Base + "/app/autopilot/" + m.of.ID + "/open-items", m.Base != ""
		},
		"autopilot": func(m *mailed) (string, bool) {
			if m.of == nil || m.of.ID == "" {
				return m.Base + "/app/autopilot", m.Base != "" && m.Kind != domain.MailTwice
			}
			return m.Base + "/app/autopilot/" + m.of.ID, m.Base != ""
		},
		"your plan":     func(m *mailed) (string, bool) { return m.Base + "/app/account", m.Base != "" },
		"account":       func(m *mailed) (string, bool) { return m.invited().Account, m.Invitation != nil },
		"link":          func(m *mailed) (string, bool) { return m.invited().Link, m.Invitation != nil },
		"until":         func(m *mailed) (string, bool) { return moment(m.invited().Until) },
		"if owner":      func(m *mailed) (string, bool) { return "", m.invited().Role == domain.Owner },
		"if accountant": func(m *mailed) (string, bool) { return "", m.invited().Role == domain.Accountant },
		"reconcile":     func(m *mailed) (string, bool) { return m.Base + "/app", m.Base != "" && m.byHand() },
	}),
	numbers: map[string]func(*mailed) (int, bool){
		"source": func(m *mailed) (int, bool) { return m.at, m.at > 0 },
		"claimed orders": func(m *mailed) (int, bool) {
			if m.sum == nil {
				return 0, false
			}
			return m.sum.Orders, true
		},
		"left out": func(m *mailed) (int, bool) { return len(m.last.LeftOut), len(m.last.LeftOut) > 0 },
		"flagged":  ofRuns(func(w *domain.BrandWeek) int { return w.Last.Tally.Flags.Flagged() }),
		"runs":     ofRuns(func(w *domain.BrandWeek) int { return w.Runs }),
		"days ago": func(m *mailed) (int, bool) {
			at := m.compared()
			days := int(domain.DayOf(m.At) - domain.DayOf(at))
			return days, !at.IsZero() && !m.At.IsZero() && days > 0
		},
	},
}

func (m *mailed) invited() ports.MailedInvitation {
	if m.Invitation == nil {
		return ports.MailedInvitation{}
	}
	return *m.Invitation
}

func (m *mailed) beforeRisk() (string, bool) {
	if m.week == nil || m.week.Before == nil || m.week.Runs == 0 {
		return "", false
	}
	return m.week.Before.Tally.AtRisk.String(), true
}
