package domain

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// shownNarration is how much of a narration is shown. Banks write up to some 120 characters,
// and many the UTR behind everything else.
const shownNarration = 160

// Credit is one line of a bank statement that states money received.
type Credit struct {
	Line      int // of the statement, from 1
	On        Day
	Amount    Paise
	Narration string // the bank's text, at most shownNarration bytes of it and …
	Courier   string // id of the courier that the narration names; blank: none
}

// CreditState says what a bank statement says about a payout.
type CreditState uint8

// The states.
const (
	CreditMissing CreditState = iota // not in the statement
	CreditEqual                      // credited
	CreditDiffers                    // credited with another amount
)

// String returns the name of the state for programs. It never changes.
func (s CreditState) String() string {
	return [...]string{CreditMissing: "not_in_statement", CreditEqual: "credited", CreditDiffers: "credited_other_amount"}[s]
}

// Absence says whether there is a reason why a payout is not in the statement.
type Absence uint8

// The reasons.
const (
	AbsenceUnexplained Absence = iota // the statement covers the days on which the payout should be in it
	AbsenceOutside                    // the statement does not cover all of these days
	AbsenceUndated                    // the payout has no date, so it is not known whether the statement covers it
	AbsenceNothingPaid                // the payout is of ₹0 or less
)

// String returns the name of the reason for programs; it is blank for AbsenceUnexplained.
func (a Absence) String() string {
	return [...]string{AbsenceOutside: "outside_statement", AbsenceUndated: "undated", AbsenceNothingPaid: "nothing_paid"}[a]
}

// CreditedPayout is a payout, and the credit of the statement that belongs to it.
type CreditedPayout struct {
	Payout
	State   CreditState
	Credit  Credit  // unless State is CreditMissing; payouts with the same UTR may share one
	Absence Absence // if State is CreditMissing
}

// StatementFindings is what comes of holding the payouts of a run against a bank
// statement.
type StatementFindings struct {
	Payouts  []CreditedPayout // in the order of Reconciliation.Payouts
	Others   []Credit         // credits that name a courier and belong to no payout, by day
	From, To Day              // the days that the statement covers
}

// Statement is what was read of a bank statement: its credits, and the days that it
// covers. The zero value is empty.
type Statement struct {
	From, To   Day // the first and the last day of its lines, debits too; NoDay: it has no lines
	credits    []Credit
	narrations []string // of the credits, whole
}

// Cover says that the statement has a line of a day.
func (s *Statement) Cover(on Day) {
	if s.From == NoDay || on < s.From {
		s.From = on
	}
	s.To = max(s.To, on)
}

// Add adds a credit. The narration is copied.
func (s *Statement) Add(line int, on Day, amount Paise, narration []byte) {
	s.Cover(on)
	s.credits = append(s.credits, Credit{Line: line, On: on, Amount: amount})
	s.narrations = append(s.narrations, string(narration))
	s.show(len(s.credits) - 1)
}

// Continue adds a text to the narration of the last credit, if there is one.
func (s *Statement) Continue(narration []byte) {
	if last := len(s.credits) - 1; last >= 0 {
		s.narrations[last] += " " + string(narration)
		s.show(last)
	}
}

// show sets what is shown of the narration of a credit.
func (s *Statement) show(i int) {
	whole := s.narrations[i]
	shown := cutText(whole, shownNarration)
	if len(shown) < len(whole) {
		shown += "…"
	}
	s.credits[i].Narration = shown
}

// Reset empties the statement.
func (s *Statement) Reset() { *s = Statement{credits: s.credits[:0], narrations: s.narrations[:0]} }

// Credits returns the credits in the order in which they were added.
func (s *Statement) Credits() []Credit { return s.credits }

// Payer is a courier, and the names under which banks' statements show it.
type Payer struct {
	Courier string // id
	Names   []string
}

// creditDays is by how many days the date of a credit may differ from that of its payout
// if the UTR does not show that they belong together.
const creditDays = 3

// Match holds payouts against the statement. A payout belongs to a credit whose narration
// has its UTR. If there is none, it belongs to the one credit of its amount within
// creditDays of it, if it is also the only payout to which that credit could belong. A
// credit belongs to several payouts only if they have the same UTR; their sum is then
// compared with it. The order of the statement's lines does not matter.
func (s *Statement) Match(payouts []Payout, payers []Payer) StatementFindings {
	m := matchingCredits{statement: s, findings: StatementFindings{Payouts: make([]CreditedPayout, len(payouts)), From: s.From, To: s.To},
		used: make([]bool, len(s.credits)), order: s.inOrder(payers)}
	for i, p := range payouts {
		m.findings.Payouts[i] = CreditedPayout{Payout: p, Absence: s.absenceOf(p)}
	}
	m.byUTR()
	m.byAmount()
	for _, c := range m.order {
		if credit := s.credits[c]; !m.used[c] && credit.Courier != "" {
			m.findings.Others = append(m.findings.Others, credit)
		}
	}
	return m.findings
}

// absenceOf says why a payout may be missing in the statement.
func (s *Statement) absenceOf(p Payout) Absence {
	switch {
	case p.Paid <= 0:
		return AbsenceNothingPaid
	case p.RemittedOn == NoDay:
		return AbsenceUndated
	case s.From == NoDay || p.RemittedOn < s.From || p.RemittedOn+creditDays > s.To:
		return AbsenceOutside
	}
	return AbsenceUnexplained
}

// inOrder finds the couriers that the narrations name. It returns the places of the credits
// in an order that depends on what they say, and on their lines only if they are equal.
func (s *Statement) inOrder(payers []Payer) []int {
	order := make([]int, len(s.credits))
	names := namesOf(payers)
	for i := range s.credits {
		order[i] = i
		s.credits[i].Courier = readNarration(s.narrations[i]).courier(names)
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &s.credits[a], &s.credits[b]
		return cmp.Or(cmp.Compare(x.On, y.On), cmp.Compare(x.Amount, y.Amount),
			strings.Compare(s.narrations[a], s.narrations[b]), cmp.Compare(x.Line, y.Line))
	})
	return order
}

// matchingCredits is the work of Match.
type matchingCredits struct {
	statement *Statement
	findings  StatementFindings
	used      []bool // by credit
	named     []bool // by credit: its narration has the UTR of a payout
	order     []int  // the places of the credits
}

// sameUTR is the payouts that have one UTR, and the credits whose narration has it.
type sameUTR struct {
	payouts, credits []int
	sum              Paise
}

// byUTR gives payouts the credits that have their UTR.
func (m *matchingCredits) byUTR() {
	m.named = make([]bool, len(m.used))
	groups := map[string]*sameUTR{}
	var keys []string
	for i := range m.findings.Payouts {
		p := &m.findings.Payouts[i]
		key := utrKey(p.UTR)
		if key == "" {
			continue
		}
		g := groups[key]
		if g == nil {
			g = new(sameUTR)
			groups[key], keys = g, append(keys, key)
		}
		g.payouts, g.sum = append(g.payouts, i), g.sum+p.Paid
	}
	if len(groups) == 0 {
		return
	}
	for _, c := range m.order {
		if g := m.groupOf(c, groups); g != nil {
			g.credits, m.named[c] = append(g.credits, c), true
		}
	}
	for _, key := range keys {
		m.settle(groups[key])
	}
}

// groupOf returns the payouts whose UTR a credit has; nil if it has none. If the credit has
// several UTRs, the amount decides, and then which UTR is the longest.
func (m *matchingCredits) groupOf(credit int, groups map[string]*sameUTR) (best *sameUTR) {
	longest, equal := "", false
	readNarration(m.statement.narrations[credit]).eachUTR(func(key []byte) {
		g := groups[string(key)]
		if g == nil {
			return
		}
		sums := g.sum == m.statement.credits[credit].Amount
		if best == nil || sums && !equal || sums == equal && (len(key) > len(longest) || len(key) == len(longest) && string(key) < longest) {
			best, longest, equal = g, string(key), sums
		}
	})
	return best
}

// settle gives the payouts of one UTR its credits. Several reports may list parts of one
// payout, so a single credit is compared with their sum. If there are several credits,
// payouts first get those of their own amounts.
func (m *matchingCredits) settle(g *sameUTR) {
	payouts, credits, sum := g.payouts, g.credits, g.sum
	if len(credits) > 1 && len(payouts) > 1 && !slices.ContainsFunc(credits, func(c int) bool { return m.amount(c) == sum }) {
		payouts, credits = m.settleEqual(payouts, credits)
		sum = 0
		for _, p := range payouts {
			sum += m.findings.Payouts[p].Paid
		}
	}
	if len(payouts) == 0 || len(credits) == 0 {
		return
	}
	credit, state := credits[0], CreditDiffers
	if i := slices.IndexFunc(credits, func(c int) bool { return m.amount(c) == sum }); i >= 0 {
		credit, state = credits[i], CreditEqual
	}
	for _, p := range payouts {
		m.give(p, credit, state)
	}
}

// settleEqual gives payouts the credits of their own amounts. It returns those that are
// left.
func (m *matchingCredits) settleEqual(payouts, credits []int) (leftPayouts, leftCredits []int) {
	byAmount := map[Paise][]int{}
	for _, c := range credits {
		byAmount[m.amount(c)] = append(byAmount[m.amount(c)], c)
	}
	for _, p := range payouts {
		paid := m.findings.Payouts[p].Paid
		if same := byAmount[paid]; len(same) > 0 {
			m.give(p, same[0], CreditEqual)
			byAmount[paid] = same[1:]
			continue
		}
		leftPayouts = append(leftPayouts, p)
	}
	for _, c := range credits {
		if !m.used[c] {
			leftCredits = append(leftCredits, c)
		}
	}
	return leftPayouts, leftCredits
}

func (m *matchingCredits) amount(credit int) Paise { return m.statement.credits[credit].Amount }

func (m *matchingCredits) give(payout, credit int, state CreditState) {
	p := &m.findings.Payouts[payout]
	p.State, p.Credit, p.Absence = state, m.statement.credits[credit], AbsenceUnexplained
	m.used[credit] = true
}

// dated is a payout or a credit by amount and day.
type dated struct {
	amount Paise
	on     Day
	at     int
}

func compareDated(a, b dated) int {
	return cmp.Or(cmp.Compare(a.amount, b.amount), cmp.Compare(a.on, b.on))
}

// byAmount gives the other payouts credits by amount and date. A credit that has the UTR of
// a payout belongs to no other payout.
func (m *matchingCredits) byAmount() {
	var payouts, credits []dated
	for i := range m.findings.Payouts {
		if p := &m.findings.Payouts[i]; p.State == CreditMissing && p.Paid > 0 && p.RemittedOn != NoDay {
			payouts = append(payouts, dated{p.Paid, p.RemittedOn, i})
		}
	}
	for i, c := range m.statement.credits {
		if !m.used[i] && !m.named[i] {
			credits = append(credits, dated{c.Amount, c.On, i})
		}
	}
	slices.SortFunc(payouts, compareDated)
	slices.SortFunc(credits, compareDated)
	for _, p := range payouts {
		if own := near(credits, p); len(own) == 1 && len(near(payouts, own[0])) == 1 {
			m.give(p.at, own[0].at, CreditEqual)
		}
	}
}

// near returns the part of a sorted list that has the same amount within creditDays.
func near(list []dated, to dated) []dated {
	from, _ := slices.BinarySearchFunc(list, dated{amount: to.amount, on: to.on - creditDays}, compareDated)
	end, _ := slices.BinarySearchFunc(list, dated{amount: to.amount, on: to.on + creditDays + 1}, compareDated)
	return list[from:end]
}

// The lengths of a UTR, in letters and digits. A shorter one could be any number of a
// narration.
const (
	shortestUTR = 8
	longestUTR  = 64
)

// utrKey reduces a UTR to its letters, as capitals, and its digits. It returns "" for a text
// that names no payout: it is too short or too long, or has no digit.
func utrKey(utr []byte) string {
	key := make([]byte, 0, longestUTR)
	digits := false
	for _, c := range utr {
		switch c = upper(c); {
		case isDigit(c):
			digits = true
		case !inKey(c):
			continue
		}
		if len(key) == longestUTR {
			return ""
		}
		key = append(key, c)
	}
	if len(key) < shortestUTR || !digits {
		return ""
	}
	return string(key)
}

// inKey says whether a capital, a digit or a byte beyond ASCII is part of a word.
func inKey(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf }

// narration is a bank's text as its words, one after the other without what stood between
// them.
type narration struct {
	text  []byte // capitals and digits
	words []int  // where in text each word ends
}

func readNarration(text string) *narration {
	n := new(narration)
	n.text = make([]byte, 0, len(text))
	for i := range len(text) {
		if c := upper(text[i]); inKey(c) {
			n.text = append(n.text, c)
		} else if end := len(n.text); end > 0 && (len(n.words) == 0 || n.words[len(n.words)-1] < end) {
			n.words = append(n.words, end)
		}
	}
	if end := len(n.text); end > 0 && (len(n.words) == 0 || n.words[len(n.words)-1] < end) {
		n.words = append(n.words, end)
	}
	return n
}

// joinedWords is into how many words a bank may divide a UTR: it breaks long narrations,
// and some print UTRs in groups.
const joinedWords = 4

// eachUTR calls found with each part of the text that may be a UTR: from the beginning of a
// word, or from behind what banks put before a UTR without a blank, to the end of the same
// word or of one of the next.
func (n *narration) eachUTR(found func(key []byte)) {
	begin := 0
	for w, end := range n.words {
		word := n.text[begin:end]
		for cut := 0; cut < len(word); cut++ {
			if cut > longestPrefix || cut > 0 && !isLetter(word[cut-1]) {
				break
			}
			if !isPrefix(word[:cut]) {
				continue
			}
			for last := w; last < min(w+joinedWords, len(n.words)); last++ {
				if size := n.words[last] - begin - cut; size > longestUTR {
					break
				} else if size >= shortestUTR {
					found(n.text[begin+cut : n.words[last]])
				}
			}
		}
		begin = end
	}
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' }

// utrPrefixes are what banks put directly before a UTR, besides the code of a bank.
var utrPrefixes = []string{"NEFT", "RTGS", "IMPS", "UPI", "NACH", "ACH", "ECS", "CMS", "UTR", "REFNO", "REF", "RRN", "TRF", "INWARD", "INW", "CR", "NO", "IN"}

// The code of a bank, as in an IFSC, and the most letters of a prefix.
const (
	bankCode      = 4
	longestPrefix = 16
)

// isPrefix says whether letters are some of utrPrefixes, and then perhaps the code of a
// bank.
func isPrefix(letters []byte) bool {
	if len(letters) == 0 || len(letters) == bankCode {
		return true
	}
	return slices.ContainsFunc(utrPrefixes, func(p string) bool {
		return len(letters) >= len(p) && string(letters[:len(p)]) == p && isPrefix(letters[len(p):])
	})
}

// payerName is a name under which banks show a courier, as narration has texts.
type payerName struct {
	courier string
	key     string
}

// namesOf returns the names of payers, the longest first, so that a name that is part of
// another one does not come before it.
func namesOf(payers []Payer) (names []payerName) {
	for _, p := range payers {
		for _, name := range p.Names {
			text := readNarration(name)
			names = append(names, payerName{courier: p.Courier, key: string(text.text)})
		}
	}
	slices.SortFunc(names, func(a, b payerName) int {
		return cmp.Or(cmp.Compare(len(b.key), len(a.key)), strings.Compare(a.key, b.key), strings.Compare(a.courier, b.courier))
	})
	return names
}

// courier returns the courier that the narration names; blank: none. The name begins with a
// word or behind a prefix of a UTR. Its last word may go on, because banks write names
// together and cut them off.
func (n *narration) courier(names []payerName) string {
	begin := 0
	for _, end := range n.words {
		word := n.text[begin:end]
		for cut := 0; cut < len(word) && cut <= longestPrefix; cut++ {
			if cut > 0 && !isLetter(word[cut-1]) {
				break
			}
			if !isPrefix(word[:cut]) {
				continue
			}
			rest := n.text[begin+cut:]
			for _, name := range names {
				if name.key != "" && len(rest) >= len(name.key) && string(rest[:len(name.key)]) == name.key {
					return name.courier
				}
			}
		}
		begin = end
	}
	return ""
}
