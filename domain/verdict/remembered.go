package verdict

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"milaan/domain"
)

// A ledger is what an earlier run has written down for the next one: orders, and lines of reports
// (guide: verdict 10). Its orders that the export does not have stand behind those of the export, and
// its lines before those of the run's reports, as if they were reports that came before.

// Finding is what a run has found on an order, as a ledger remembers it.
type Finding struct {
	Flag      domain.Flag
	Due       domain.Paise
	Remitted  domain.Paise
	Accepted  domain.Paise
	Shortfall domain.Paise
	Seen      domain.Day // batch_as_of of the first run that had the order
	LastSeen  domain.Day // batch_as_of of the last run whose export or reports had it
	Since     domain.Day // batch_as_of of the first of the runs that have flagged it without a break; NoDay: it is not flagged
	Courier   string     // id; blank: not known
	Mark      domain.Mark
	Carried   domain.ItemState // with which the run has written it down: a person may have changed Mark since
}

// open is what is claimed for an order with a state.
func (f *Finding) open(state domain.ItemState) domain.Paise {
	if !f.Flag.IsFlagged() || state == domain.WrittenOff {
		return 0
	}
	return max(f.Shortfall, 0)
}

// paidSince is what was paid since an earlier finding; below 0: was taken back. Charges count as paid only with
// money: a run that begins to accept those of lines that it knows has been paid nothing.
func (f *Finding) paidSince(before *Finding) domain.Paise {
	paid := f.Remitted - before.Remitted
	if paid > 0 {
		paid += max(0, f.Accepted-before.Accepted)
	}
	return paid
}

// LedgerRun is what a ledger says of the run that has written it.
type LedgerRun struct {
	Brand string
	AsOf  domain.Day // batch_as_of
}

// RememberedOrder is an order of a ledger. Of Order, the fields are used that an export fills in, but for
// those of the currency.
type RememberedOrder struct {
	Order

	AWBs    []byte // one cell
	Carrier []byte
	Method  []byte
	Found   Finding
}

// Remember adds an order of a ledger, once the export is read. If the export has the order, what the
// export says of it stands, and the AWBs of both are the order's. It returns the rule that the order breaks; blank: none.
func (o *Orders) Remember(r *RememberedOrder) domain.FileRule {
	if !o.remembers {
		o.remembers, o.exported, o.exportedAWBs = true, len(o.list), len(o.noted)
	}
	key := OrderKey(r.Name)
	if len(key) == 0 {
		return domain.RuleNoName
	}
	before, namesakes := len(o.list), o.namesakes
	order, isNew := o.FindOrAdd(r.Name)
	if !isNew {
		if order = o.namesakeOf(key, r.created()); order == nil {
			if order = o.FindOrAddNamesake(&o.list[o.findName(key)], r.created()); order == nil {
				return domain.RuleNamesakes
			}
			o.namesakes = namesakes // of the export
		}
	}
	if at := order.at; len(o.list) > before {
		kept := *order
		*order = r.Order
		order.Name, order.at, order.namesake, order.current = kept.Name, kept.at, kept.namesake, kept.current
		order.Method, order.Carrier, order.Currency, order.CurrencyLine = 0, 0, 0, 0
		order.awbs, order.tracking, order.rounded, order.advance, order.first = 0, 0, false, 0, 0
		order.Method, order.Carrier = o.shareAgain(r.Method, &o.methodBefore), o.shareAgain(r.Carrier, &o.carrierBefore)
	} else if o.foundOn(at) != nil {
		return domain.RuleLedgerTwice
	}
	if int(order.at) < o.exported {
		order.learnAdvance(r)
	}
	if missing := int(order.at) + 1 - len(o.findingOf); missing > 0 {
		o.findingOf = append(o.findingOf, make([]int32, missing)...)
	}
	o.findings = append(o.findings, r.Found)
	o.findingOf[order.at] = int32(len(o.findings))
	if len(r.AWBs) > 0 && !o.Track(order, r.AWBs) {
		return domain.RuleTrackingNumbers
	}
	return ""
}

// learnAdvance notes the part of the total that was not to be collected, as the ledger has the order. When the courier has paid
// the rest, the shop marks the order as paid, and from then on the export does not say any more that there was such a part. It is
// none if the total was changed since, nor if the balance may be what a payment of the courier had left.
func (o *Order) learnAdvance(r *RememberedOrder) {
	balance, paid := r.Outstanding, r.Found.Remitted
	advance := r.Total - balance
	if o.paidOff() && o.HasTotal && r.HasTotal && o.Total == r.Total && 0 < balance && 0 < advance && paid <= balance && paid != advance {
		o.advance = advance
	}
}

// shareAgain returns the number of a text. It is stored again only if it is not that of the order before.
func (o *Orders) shareAgain(text []byte, before *TextID) TextID {
	if string(text) != string(o.Text(*before)) {
		*before = 0
		if len(text) > 0 {
			*before = o.Share(text)
		}
	}
	return *before
}

// namesakeOf returns the order with a key that was created at a moment, or else in the same minute, for spreadsheet programs lose the
// seconds of times. If one of the two does not say when, it is the only order with the key. It is nil if there is none.
func (o *Orders) namesakeOf(key []byte, created domain.Moment) (alike *Order) {
	first := &o.list[o.findName(key)]
	if first.namesake == 0 && (created.Day == domain.NoDay || first.CreatedOn == domain.NoDay) && o.foundOn(first.at) == nil {
		return first
	}
	for order := first; ; order = &o.list[order.namesake] {
		switch at := order.created(); {
		case !at.Differs(created):
			return order
		case (at.WithoutSeconds() || created.WithoutSeconds()) && at.SameMinute(created) && o.foundOn(order.at) == nil:
			alike = order
		}
		if order.namesake == 0 {
			return alike
		}
	}
}

// ClaimedBefore is for how many orders the run that has written the ledger claims money.
func (o *Orders) ClaimedBefore() (n int) {
	for i := range o.findings {
		if f := &o.findings[i]; f.open(f.Carried) > 0 {
			n++
		}
	}
	return n
}

func (o *Orders) Exported() int {
	if o.remembers {
		return o.exported
	}
	return len(o.list)
}

// foundOn returns what the ledger has found on an order; nil if it does not have the order.
func (o *Orders) foundOn(order int32) *Finding {
	if int(order) >= len(o.findingOf) || o.findingOf[order] == 0 {
		return nil
	}
	return &o.findings[o.findingOf[order]-1]
}

// RememberedLine is a line of a ledger. Its Remittance has texts in the forms that Add takes; the places of
// its statuses are not used.
type RememberedLine struct {
	Remittance

	ShipmentStatus, PayStatus []byte // as the report writes them
	Courier                   string // id; blank: not known
	CourierKey                uint64 // by which lines are told to be of one courier that nobody names; 0: it is named, or not known
	BothAmounts               bool   // the report states both what was collected and what was paid out
	Charges                   []domain.StatedCharge
	Seen                      domain.Day // batch_as_of of the last run whose reports had the line
	Print                     [FingerprintSize]byte
	Told                      []byte // an order id in the form of OrderKey: see Remittances.told
}

// Remember adds a line of a ledger, before the first report of the run is read. The lines of one courier stand for a
// report, or for several if only some state both amounts, or if their charges have more names than a report may have. It
// returns the rule that the line breaks; blank: none.
func (r *Remittances) Remember(l *RememberedLine) domain.FileRule {
	if len(l.Charges) > MaxCharges {
		return domain.RuleLedgerCharges
	}
	if len(r.charges)+len(l.Charges) > MaxLedgerCharges {
		return domain.RuleLedgerAllCharges
	}
	at, rule := r.reportFor(l)
	if rule != "" {
		return rule
	}
	line, of := l.Remittance, &r.reports[at]
	// Ledgers of earlier versions have numbers with the commas and decimals of a spreadsheet.
	line.AWB, line.OrderID = wholeNumber(line.AWB, groupsOfAWB), wholeNumber(line.OrderID, groupsOfOrderID)
	line.Status, line.MoneyStatus = r.AddStatus(l.ShipmentStatus), r.AddStatus(l.PayStatus)
	if status := r.Status(line.Status); line.Status != 0 && !status.None {
		line.HasStatus, line.Returned, line.OnWayBack, line.NeverLeft = true, status.Returned, status.OnWayBack, status.NeverLeft
	}
	r.at = uint16(at)
	r.Add(line)
	of.Through, r.through = max(of.Through, line.datedOn()), domain.NoDay
	r.seen = append(r.seen, l.Seen)
	if len(l.Told) > 0 {
		if r.told == nil {
			r.told = map[int32][]byte{}
		}
		r.told[int32(len(r.list)-1)] = r.texts.keep(lasting(l.Told))
	}
	for _, c := range l.Charges {
		at := slices.Index(of.Charges, c.Name)
		if at < 0 {
			at = len(of.Charges)
			of.Charges = append(of.Charges, c.Name)
		}
		r.AddCharge(uint8(at), c.Amount)
	}
	if line.AWBRounded {
		if r.prints == nil {
			r.prints = map[[FingerprintSize]byte][]int32{}
		}
		r.prints[l.Print] = append(r.prints[l.Print], int32(len(r.list)-1))
	}
	return ""
}

// reportFor returns the place of the report that stands for the lines of a ledger such as a line, which it adds if there is none.
func (r *Remittances) reportFor(l *RememberedLine) (at int, rule domain.FileRule) {
	key := l.CourierKey
	if at = r.standsFor(l, key); at >= 0 {
		return at, ""
	}
	keyed := 0
	for i := range r.reports {
		if r.reports[i].key != 0 {
			keyed++
		}
	}
	if key != 0 && keyed == domain.MaxReports { // a run may write more of them: it must not be refused
		key = 0
		if at = r.standsFor(l, key); at >= 0 {
			return at, ""
		}
	}
	if key == 0 && len(r.reports)-keyed == domain.MaxReports {
		return 0, domain.RuleLedgerCouriers
	}
	at = len(r.reports)
	r.reports, r.remembered, r.begun = append(r.reports, ReadReport{Courier: l.Courier, key: key}), at+1, true
	if l.BothAmounts {
		r.reports[at].Mapping = domain.Mapping{domain.RoleCODAmount: "COD Amount", domain.RoleRemittedAmount: "Remitted Amount"}
	}
	return at, ""
}

// standsFor is the place of the report that stands for the lines of a ledger with such a courier as a line; below 0: there is none.
func (r *Remittances) standsFor(l *RememberedLine, key uint64) int {
	return slices.IndexFunc(r.reports, func(of ReadReport) bool {
		return of.Courier == l.Courier && of.key == key && of.bothAmounts() == l.BothAmounts && of.hasRoomFor(l.Charges)
	})
}

// hasRoomFor says whether the report may have the names of some charges, too.
func (r *ReadReport) hasRoomFor(charges []domain.StatedCharge) bool {
	if len(r.Charges)+len(charges) <= MaxCharges {
		return true
	}
	n := len(r.Charges)
	for _, c := range charges {
		if !slices.Contains(r.Charges, c.Name) {
			n++
		}
	}
	return n <= MaxCharges
}

// FingerprintSize is how many bytes a fingerprint has.
const FingerprintSize = 16

// Fingerprint is equal for lines that are the same money, listed twice, and for no others.
func (r *Remittance) Fingerprint() [FingerprintSize]byte {
	var room [LongestUTR]byte
	utr := r.UTR
	if !isPlainUTR(utr) {
		utr = appendUTRKey(room[:0], utr)
	}
	return r.fingerprint(utr)
}

// Fits says whether a ledger may have this fingerprint for a line. Ledgers of earlier versions have that of the UTR as it is written.
func (r *Remittance) Fits(print [FingerprintSize]byte) bool {
	return r.Fingerprint() == print || !isPlainUTR(r.UTR) && r.fingerprint(r.UTR) == print
}

func (r *Remittance) fingerprint(utr []byte) (print [FingerprintSize]byte) {
	var room [256]byte // most texts are shorter
	text := room[:0]
	for _, id := range [...][]byte{r.AWB, r.OrderID, utr} {
		text = binary.LittleEndian.AppendUint32(text, uint32(len(id)))
		text = appendFolded(text, id)
	}
	for _, n := range [...]uint64{uint64(r.Listed), uint64(r.Stated), uint64(r.RemittedOn)} {
		text = binary.LittleEndian.AppendUint64(text, n)
	}
	sum := sha256.Sum256(text)
	copy(print[:], sum[:])
	return print
}

// Remembered is how many lines a ledger has. Those of the run's own reports come after them.
func (r *Remittances) Remembered() int { return len(r.seen) }

func (r *Remittances) place(number int) int {
	if own := len(r.reports) - r.remembered; number > own {
		return number - own - 1
	}
	return number - 1 + r.remembered
}

// number is the number of a report for people, from 1. The run's own reports come first.
func (r *Remittances) number(report uint16) int {
	if own := int(report) - r.remembered; own >= 0 {
		return own + 1
	}
	return len(r.reports) - r.remembered + int(report) + 1
}

// findGivenAgain finds the lines of a ledger that the run's own reports list as well: of equal ones as many as
// are given. One of the two stands for both, so that nothing can count them as two parcels. A spreadsheet may have
// rounded the AWB in the ledger: the report has it.
func (r *Remittances) findGivenAgain() {
	r.again = r.again[:0]
	own, remembered := r.alike()
	if len(own) == 0 {
		return
	}
	var hasher textHasher
	known := make(map[uint64][]int32, len(remembered))
	for _, i := range remembered {
		if line := &r.list[i]; line.repeatable() && !line.AWBRounded {
			hash := hasher.line(line)
			known[hash] = append(known[hash], i)
		}
	}
	prints := maps.Clone(r.prints)
	for _, i := range slices.Backward(own) { // from the last ones, for the last status of equal lines holds
		line := &r.list[i]
		hash := hasher.line(line)
		k, twins := int32(noLine), known[hash]
		for at := len(twins) - 1; at >= 0 && k == noLine; at-- {
			if r.list[twins[at]].repeats(line) {
				k = twins[at]
				known[hash] = slices.Delete(twins, at, at+1)
			}
		}
		if k == noLine && len(prints) > 0 {
			print := line.Fingerprint()
			if _, has := prints[print]; !has && !isPlainUTR(line.UTR) {
				print = line.fingerprint(line.UTR) // of an earlier version
			}
			if last := len(prints[print]) - 1; last >= 0 && r.list[prints[print][last]].AWBRounded {
				k = prints[print][last]
				prints[print] = prints[print][:last]
				r.list[k].AWB, r.list[k].AWBRounded = line.AWB, line.AWBRounded
			}
		}
		if k == noLine {
			continue
		}
		if old := &r.list[k]; comparePay(line, old) >= 0 {
			line.learn(old, !line.HasStatus)
			r.learnReversed(line, old)
			r.again = append(r.again, k)
		} else { // it says paid, and the report does not yet
			old.learn(line, line.HasStatus)
			r.learnReversed(old, line)
			r.again = append(r.again, i)
		}
	}
}

// roundedPrints are the fingerprints of the ledger's lines whose AWB is not known, because a spreadsheet has rounded it.
func (r *Remittances) roundedPrints() map[int32][FingerprintSize]byte {
	prints := map[int32][FingerprintSize]byte{}
	for print, lines := range r.prints {
		for _, l := range lines {
			if r.list[l].AWBRounded {
				prints[l] = print
			}
		}
	}
	return prints
}

// learn takes from a line that is the same money the later delivery, and the status if it is the one that holds.
func (r *Remittance) learn(from *Remittance, status bool) {
	r.DeliveredOn = max(r.DeliveredOn, from.DeliveredOn)
	if status {
		r.Status, r.HasStatus, r.Returned, r.OnWayBack, r.NeverLeft = from.Status, from.HasStatus, from.Returned, from.OnWayBack, from.NeverLeft
	}
}

// alike are the lines of the run's own reports that may be in the ledger as well, and the lines of the ledger that may be these,
// by their amounts and days: most are not, and hashing their texts takes as long as reading them.
func (r *Remittances) alike() (own, remembered []int32) {
	if r.Remembered() == 0 {
		return nil, nil
	}
	inLedger := newLooks(r.Remembered())
	for i := range r.list[:r.Remembered()] {
		inLedger.add(&r.list[i])
	}
	for i := r.Remembered(); i < len(r.list); i++ {
		if inLedger.mayHave(&r.list[i]) {
			own = append(own, int32(i))
		}
	}
	inReports := newLooks(len(own))
	for _, i := range own {
		inReports.add(&r.list[i])
	}
	for i := range r.list[:r.Remembered()] {
		if line := &r.list[i]; len(own) > 0 && inReports.mayHave(line) {
			remembered = append(remembered, int32(i))
		}
	}
	return own, remembered
}

// looks are the amounts and days of some lines, by two bits for each: of lines that are not among them, one or two in a hundred seem
// to be.
type looks []uint64

func newLooks(lines int) looks {
	const bitsPerLine = 16
	return make(looks, lines*bitsPerLine/64+1)
}

func (s looks) of(l *Remittance) (word uint64, mask uint64) {
	hash := ((uint64(l.Listed)*31+uint64(l.Stated))*31 + uint64(l.RemittedOn)) * 0x9e3779b97f4a7c15
	word, rest := bits.Mul64(hash, uint64(len(s)))
	return word, 1<<(rest>>58) | 1<<(rest>>52&63)
}

func (s looks) add(l *Remittance) {
	word, mask := s.of(l)
	s[word] |= mask
}

func (s looks) mayHave(l *Remittance) bool {
	word, mask := s.of(l)
	return s[word]&mask == mask
}
