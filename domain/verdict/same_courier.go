package verdict

import (
	"bytes"
	"slices"

	"milaan/domain"
)

// This file tells which orders are of one courier (guide: verdict 4, neighbours).

// groupKind says by what the orders of one courier are told apart from those of others.
type groupKind uint8

const (
	byCarrier   groupKind = iota // the carrier that the export names
	byBeginning                  // the form of the AWB, and its first two characters
	byForm                       // the form of the AWB alone
	groupKinds
	ofAnyCourier = groupKinds // all concerned orders
)

const (
	fewestAlike   = 5  // orders whose AWBs have one form and one beginning are of one courier from this number on
	fewestOfForm  = 3  // the same for one form alone
	mostOfForms   = 80 // percent of the orders whose AWBs have such forms; then the form alone tells the courier
	comparedChars = 64 // of an AWB: a longer one is no tracking number
	fewGroups     = 1 << 10
)

const (
	noGroup = -1 // of an order that is not concerned, or without a carrier
	unread  = -2 // of a carrier: its text was not read yet
)

// showing is which courier's lines bear AWBs of a group, whether an order of the export claims them or not.
type showing struct {
	report  int32 // the first of the courier, from 1; 0: no line bears such an AWB
	several bool  // lines of several couriers do
	own     bool  // a line of the run's own reports does, and not the ledger alone
	parcels uint8 // with different AWBs, counted up to fewestListed
	lines   [fewestListed]int32
}

// one is the first report of the only courier whose lines bear such AWBs; 0: there is none.
func (s *showing) one() int32 {
	if s.several {
		return 0
	}
	return s.report
}

// tells is one, if the lines are of enough parcels to show that the AWBs are this courier's.
func (s *showing) tells() int32 {
	if s.parcels < fewestListed {
		return 0
	}
	return s.one()
}

// couriersOf groups the concerned orders by courier. It is computed only if some order may
// be MISSING.
type couriersOf struct {
	of        [groupKinds][]int32 // by kind and order
	sizes     [groupKinds][]int32 // by kind and group
	members   [groupKinds][]int32 // by kind: the orders, sorted by group; empty: not needed yet
	ends      [groupKinds][]int32 // by kind and group: where the members end
	all       []int32             // the concerned orders
	sent      []domain.Day        // by order, of the concerned ones: see dispatchedOn
	numbers   []int32             // by the first two digits and the length of an AWB that isShortNumber: its group of byBeginning, from 1
	formOf    []int32             // by group of byBeginning: the group of byForm
	formTells bool                // the form alone tells the courier
	grouped   bool                // the orders of this run are
	shows     bool                // shown is computed
	shown     [groupKinds][]showing
	names     [groupKinds]map[string]int32
	carriers  []int32 // by TextID: the group of byCarrier
	reader    statusReader
	key       []byte // scratch
}

// forget releases the texts of an export.
func (g *couriersOf) forget() {
	for kind := range g.names {
		if len(g.names[kind]) > fewGroups {
			g.names[kind] = nil // the next export has fewer, most likely
		}
		clear(g.names[kind])
	}
}

func (g *couriersOf) group(r *Reconciliation) {
	if g.grouped {
		return
	}
	g.grouped = true
	g.all = g.all[:0]
	for kind := range g.of {
		g.of[kind] = slices.Grow(g.of[kind][:0], len(r.decided))[:len(r.decided)]
		g.sizes[kind], g.members[kind] = g.sizes[kind][:0], g.members[kind][:0]
		if g.names[kind] == nil {
			g.names[kind] = map[string]int32{}
		}
		clear(g.names[kind])
	}
	g.formOf = g.formOf[:0]
	g.sent = slices.Grow(g.sent[:0], len(r.decisions))[:len(r.decisions)]
	g.numbers = slices.Grow(g.numbers[:0], 100*comparedChars)[:100*comparedChars]
	clear(g.numbers)
	g.carriers = slices.Grow(g.carriers[:0], len(r.orders.shared)+1)[:len(r.orders.shared)+1]
	for i := range g.carriers {
		g.carriers[i] = unread
	}
	for i := range r.decided {
		o := &r.orders.list[i]
		for kind := range g.of {
			g.of[kind][i] = noGroup
		}
		if r.decided[i].due <= 0 && !r.matching.claims[i].has(markListed) {
			continue
		}
		if i < len(g.sent) { // orders that only a ledger has are nobody's neighbours
			g.all = append(g.all, int32(i))
			g.sent[i] = o.dispatchedOn()
		}
		beginning := g.beginningOf(r.orders, o)
		g.put(byBeginning, i, beginning)
		g.put(byForm, i, g.formOf[beginning])
		if carrier := g.carrierOf(r.orders, o.Carrier); carrier != noGroup {
			g.put(byCarrier, i, carrier)
		}
	}
	borne := 0
	for _, size := range g.sizes[byForm] {
		if size >= fewestOfForm {
			borne += int(size)
		}
	}
	g.formTells = borne*100 >= len(g.all)*mostOfForms
}

func (g *couriersOf) put(kind groupKind, order int, group int32) {
	g.of[kind][order] = group
	if order < len(g.sent) {
		g.sizes[kind][group]++
	}
}

// carrierOf returns the group of a carrier. Carriers are compared like statuses, so case and
// punctuation make no difference.
func (g *couriersOf) carrierOf(orders *Orders, carrier TextID) int32 {
	if carrier == 0 {
		return noGroup
	}
	if g.carriers[carrier] != unread {
		return g.carriers[carrier]
	}
	text := orders.Text(carrier)
	g.key = g.key[:0]
	for _, word := range g.reader.split(text[:min(len(text), comparedStatus)]) {
		g.key = append(append(g.key, word...), ' ')
	}
	g.carriers[carrier] = noGroup
	if len(g.key) > 0 {
		g.carriers[carrier], _ = g.find(byCarrier, g.key)
	}
	return g.carriers[carrier]
}

// find returns the group with a key, which is new if no order had the key before.
func (g *couriersOf) find(kind groupKind, key []byte) (group int32, isNew bool) {
	group, found := g.names[kind][string(key)]
	if !found {
		group = int32(len(g.sizes[kind]))
		g.names[kind][string(key)] = group
		g.sizes[kind] = append(g.sizes[kind], 0)
	}
	return group, !found
}

// beginningOf returns the group of an order's first reliable AWB. Orders without one are a
// group of their own.
func (g *couriersOf) beginningOf(orders *Orders, o *Order) int32 {
	var awb []byte
	if o.awbs > 0 {
		awb = orders.awb(o.first)
	}
	known := new(int32)
	if isShortNumber(awb) {
		if known = &g.numbers[(int(awb[0]-'0')*10+int(awb[1]-'0'))*comparedChars+len(awb)-1]; *known > 0 {
			return *known - 1
		}
	}
	start := g.keyOf(awb)
	beginning, isNew := g.find(byBeginning, g.key)
	if isNew {
		form, _ := g.find(byForm, g.key[start:])
		g.formOf = append(g.formOf, form)
	}
	*known = beginning + 1
	return beginning
}

// isShortNumber says whether an AWB is a number of 2 to comparedChars digits, as most are.
func isShortNumber(awb []byte) bool {
	return 2 <= len(awb) && len(awb) <= comparedChars && isNumber(awb)
}

var zeros = bytes.Repeat([]byte{'0'}, comparedChars)

// keyOf makes the key of an AWB: its first two characters, and its form from start on.
func (g *couriersOf) keyOf(awb []byte) (start int) {
	if isShortNumber(awb) {
		g.key = append(append(g.key[:0], awb[:2]...), zeros[:len(awb)]...)
		return 2
	}
	g.key = g.key[:0]
	rest := awb
	for n := 0; n < 2 && len(rest) > 0; n++ {
		rest = g.addFolded(rest)
	}
	start, rest = len(g.key), awb
	for n := 0; n < comparedChars && len(rest) > 0; n++ {
		if isDigit(rest[0]) {
			g.key, rest = append(g.key, '0'), rest[1:]
		} else {
			rest = g.addFolded(rest)
		}
	}
	return start
}

// show finds which courier's lines bear AWBs of the groups, those of no order and of a ledger's orders too. A line without
// an AWB counts as one with that of its order. first is the first report of the same courier, by report.
func (g *couriersOf) show(r *Reconciliation, first []int32) {
	if g.shows {
		return
	}
	g.shows = true
	for _, kind := range [...]groupKind{byBeginning, byForm} {
		g.shown[kind] = slices.Grow(g.shown[kind][:0], len(g.sizes[kind]))[:len(g.sizes[kind])]
		clear(g.shown[kind])
	}
	for l := range r.remittances.list {
		if line := &r.remittances.list[l]; line.tellsParcel() {
			g.showOf(r, int32(l), line.AWB, first)
		}
	}
	for i := range r.orders.list {
		o, l := &r.orders.list[i], r.matching.claims[i].first
		for ; l != noLine && o.knowsAWB(); l = r.matching.next[l] {
			if !r.remittances.list[l].tellsParcel() {
				g.showOf(r, l, r.orders.awb(o.first), first)
			}
		}
	}
}

func (g *couriersOf) showOf(r *Reconciliation, line int32, awb []byte, first []int32) {
	start := g.keyOf(awb)
	for kind, key := range [...][]byte{byBeginning: g.key, byForm: g.key[start:]} {
		group, found := g.names[kind][string(key)]
		if !found || len(key) == 0 {
			continue
		}
		s, report := &g.shown[kind][group], first[r.remittances.list[line].Report]
		s.several = s.several || s.report > 0 && s.report != report
		s.report, s.own = report, s.own || r.isGiven(line)
		counted := func(other int32) bool { return sameKey(r.remittances.list[other].AWB, r.remittances.list[line].AWB) }
		if s.parcels < fewestListed && !slices.ContainsFunc(s.lines[:s.parcels], counted) {
			s.lines[s.parcels] = line
			s.parcels++
		}
	}
}

// addFolded adds the first character of a text to the key, case aside, and returns the rest.
func (g *couriersOf) addFolded(text []byte) []byte {
	r, n := foldedRune(text)
	if n == 1 { // ASCII, or a byte that is no character
		g.key = append(g.key, Upper(text[0]))
		return text[1:]
	}
	g.key = append(g.key, string(r)...)
	return text[n:]
}

func (g *couriersOf) courierOf(order int32) (groupKind, int32) {
	if carrier := g.of[byCarrier][order]; carrier != noGroup {
		return byCarrier, carrier
	}
	return g.alike(order)
}

// alike returns the group of the orders whose AWBs show the same courier as that of an order.
func (g *couriersOf) alike(order int32) (groupKind, int32) {
	form, few := g.of[byForm][order], len(g.all) < fewestNeighbours
	switch beginning := g.of[byBeginning][order]; {
	case g.sizes[byBeginning][beginning] >= fewestAlike && g.hasAWB(beginning):
		return byBeginning, beginning
	case few && g.sizes[byForm][form] >= fewestOfForm, g.formTells:
		return byForm, form
	}
	return ofAnyCourier, 0
}

// hasAWB says whether a group of byBeginning is of orders with an AWB.
func (g *couriersOf) hasAWB(beginning int32) bool {
	none, found := g.names[byBeginning][""]
	return !found || none != beginning
}

// shownTo is the first report, from 1, of the only courier whose lines bear AWBs with the form and beginning of an order's;
// 0: none is.
func (g *couriersOf) shownTo(order int32) int32 {
	beginning := g.of[byBeginning][order]
	if !g.hasAWB(beginning) {
		return 0
	}
	return g.shown[byBeginning][beginning].one()
}

// membersOf returns the concerned orders of a group.
func (g *couriersOf) membersOf(kind groupKind, group int32) []int32 {
	if kind == ofAnyCourier {
		return g.all
	}
	if len(g.members[kind]) == 0 {
		g.sortMembers(kind)
	}
	ends := g.ends[kind]
	return g.members[kind][ends[group]-g.sizes[kind][group] : ends[group]]
}

// sortMembers sorts the orders of a kind by group, in two passes over them.
func (g *couriersOf) sortMembers(kind groupKind) {
	ends := g.ends[kind][:0]
	at := int32(0)
	for _, size := range g.sizes[kind] {
		ends = append(ends, at)
		at += size
	}
	g.members[kind] = slices.Grow(g.members[kind][:0], int(at))[:at]
	for _, order := range g.all {
		if group := g.of[kind][order]; group != noGroup {
			g.members[kind][ends[group]] = order
			ends[group]++
		}
	}
	g.ends[kind] = ends
}
