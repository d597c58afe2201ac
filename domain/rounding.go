package domain

import (
	"bytes"
	"cmp"
	"slices"
)

// A spreadsheet rounds long numbers: to 1.90408E+12, and where that is turned
// back into digits, to 1904080000000. Several parcels then bear one number, which
// is no identity (decisions, section 1). The first kind is told by its look; the
// second is decided here, by who bears it.

const (
	fewestRoundedDigits = 11 // fewer digits are shown whole
	fewestRoundedZeros  = 5  // at the end: one AWB of 100,000 has them by chance
)

// looksRounded says that an AWB may have been rounded to zeros.
func looksRounded(awb []byte) bool {
	n := len(awb)
	if n < fewestRoundedDigits || awb[n-1] != '0' || string(awb[n-fewestRoundedZeros:]) != "00000" {
		return false
	}
	for _, b := range awb {
		if !isDigit(b) {
			return false
		}
	}
	return true
}

// rounding finds the AWBs that were rounded to zeros.
type rounding struct {
	awbs   keyIndex // that look rounded, and are on some line
	states []roundingState
}

// roundingState is what lines with positive amounts say of one AWB.
type roundingState struct {
	named    int32 // the first that names an order, or noLine
	nameless int32 // the first that names none, or noLine
	rounded  bool
}

// mark marks the lines and orders whose AWB names no parcel.
func (r *rounding) mark(orders *Orders, remittances *Remittances) {
	if len(remittances.zeros) == 0 && len(orders.sharers) == 0 {
		return
	}
	found := false
	for _, s := range orders.sharers {
		if looksRounded(orders.awbs.keys[s.awb]) {
			orders.noted[s.awb].rounded, found = true, true
		}
	}
	r.awbs.reset()
	r.states = r.states[:0]
	for _, i := range remittances.zeros {
		r.addLine(orders, remittances.list, i)
	}
	for _, i := range remittances.zeros {
		line := &remittances.list[i]
		if !r.states[r.awbs.find(line.AWB)].rounded {
			continue
		}
		line.AWBRounded = true
		if at := orders.awbs.find(line.AWB); at >= 0 {
			owner := &orders.noted[at]
			owner.told = owner.told || !owner.rounded
			owner.rounded, found = true, true
		}
	}
	if found {
		orders.forgetRounded()
	}
}

// look adds one line to what is known of its AWB.
func (r *rounding) addLine(orders *Orders, lines []Remittance, i int32) {
	line := &lines[i]
	at, isNew := r.awbs.add(line.AWB)
	if isNew {
		state := roundingState{named: noLine, nameless: noLine}
		if owner := orders.awbs.find(line.AWB); owner >= 0 {
			state.rounded = orders.noted[owner].rounded
		}
		r.states = append(r.states, state)
	}
	state := &r.states[at]
	switch {
	case state.rounded || line.amount() <= 0:
	case len(line.OrderID) > 0:
		if state.named == noLine {
			state.named = i
		}
		state.rounded = !orders.sameNamed(&lines[state.named], line)
	default:
		if state.nameless == noLine {
			state.nameless = i
		}
		state.rounded = lines[state.nameless].amount() != line.amount()
	}
}

// sameNamed says that two lines name the same order, known or not.
func (o *Orders) sameNamed(a, b *Remittance) bool {
	first, second := o.Find(a.OrderID), o.Find(b.OrderID)
	if first < 0 && second < 0 {
		return sameKey(a.OrderID, b.OrderID)
	}
	return first == second
}

// forgetRounded takes the AWBs that are marked as rounded from their orders.
func (o *Orders) forgetRounded() {
	owner := func(key []byte) *notedAWB { return &o.noted[o.awbs.find(key)] }
	for i, key := range o.awbs.keys {
		if looksRounded(key) && owner(key).rounded {
			order := &o.list[o.noted[i].order]
			order.rounded = true
			o.unlink(order, int32(i))
			o.roundedCells = append(o.roundedCells, roundedCell{text: key, order: order.at, told: owner(key).told})
		}
	}
}

// roundedDigits gives the digits that a rounded AWB still has, and how many it
// had in all; false for a text that is no number.
func roundedDigits(awb []byte, into []byte) (digits []byte, length int, ok bool) {
	s := cutPointZero(idText(awb))
	mantissa, exponent, found := bytes.Cut(s, []byte("E"))
	if !found {
		mantissa, exponent, found = bytes.Cut(s, []byte("e"))
	}
	digits = into[:0]
	for _, b := range mantissa {
		switch {
		case isDigit(b):
			digits = append(digits, b)
		case b != '.':
			return nil, 0, false
		}
	}
	length = len(digits)
	if found {
		power, rest := cutNumber(bytes.TrimPrefix(exponent, []byte("+")))
		if len(rest) > 0 || power > mostDigits {
			return nil, 0, false
		}
		length = power + 1
	}
	digits = bytes.TrimRight(digits, "0")
	return digits[:min(len(digits), spreadsheetDigits)], length, len(digits) > 0 && len(digits) <= length
}

const (
	spreadsheetDigits = 15 // as many digits of a number does a spreadsheet keep
	mostDigits        = 60 // no courier's AWB has more
)

// roundedLines are the unclaimed lines without order id whose AWB was rounded:
// one of them could be an order's own.
type roundedLines struct {
	any     bool
	keys    []roundedKey // sorted once all are added
	sorted  bool
	counts  uint16 // bit n: some have n digits left
	scratch []byte
}

// roundedKey is how many digits an AWB had, the digits that are left, and zeros.
type roundedKey [1 + spreadsheetDigits]byte

func makeRoundedKey(length int, digits []byte) (key roundedKey) {
	key[0] = byte(length)
	copy(key[1:], digits)
	return key
}

func (k roundedKey) compare(other roundedKey) int { return bytes.Compare(k[:], other[:]) }

func (r *roundedLines) reset() {
	r.any, r.sorted, r.counts, r.keys = false, false, 0, r.keys[:0]
}

// add notes an unclaimed line. All are added before it is asked for one.
func (r *roundedLines) add(line *Remittance) {
	if !line.AWBRounded || len(line.OrderID) > 0 {
		return
	}
	r.any = true
	digits, length, ok := roundedDigits(line.AWB, r.scratch)
	if !ok || length > mostDigits {
		return
	}
	r.scratch = digits
	r.keys = append(r.keys, makeRoundedKey(length, digits))
	r.counts |= 1 << len(digits)
}

// search is where a key is, or would be, and whether it is there.
func (r *roundedLines) search(key roundedKey) (at int, found bool) {
	if !r.sorted {
		r.sorted = true
		slices.SortFunc(r.keys, roundedKey.compare)
		r.keys = slices.Compact(r.keys)
	}
	return slices.BinarySearchFunc(r.keys, key, roundedKey.compare)
}

func (r *roundedLines) has(key roundedKey) bool {
	_, found := r.search(key)
	return found
}

// sortRounded puts the cells with rounded AWBs in order, so that those of an order
// are found.
func (o *Orders) sortRounded() {
	slices.SortStableFunc(o.roundedCells, func(a, b roundedCell) int { return cmp.Compare(a.order, b.order) })
}

// roundedOf are the cells of an order with rounded AWBs, once they are sorted.
func (o *Orders) roundedOf(order int32) []roundedCell {
	from, _ := slices.BinarySearchFunc(o.roundedCells, order, func(c roundedCell, order int32) int { return cmp.Compare(c.order, order) })
	to := from
	for to < len(o.roundedCells) && o.roundedCells[to].order == order {
		to++
	}
	return o.roundedCells[from:to]
}

// couldBe says that one of the lines could be the order's own: it has as many
// digits as an AWB of the order and the same leading ones, or the order has no
// AWB. The rounded ones are sorted before.
func (r *roundedLines) couldBe(orders *Orders, o *Order) bool {
	switch {
	case !r.any:
		return false
	case !o.tracked():
		return true
	case o.rounded && slices.ContainsFunc(orders.roundedOf(o.at), func(c roundedCell) bool { return r.fitsRounded(c.text) }):
		return true
	case o.awbs == 0:
		return false
	}
	for i := o.first; ; {
		if r.fits(orders.awb(i)) {
			return true
		}
		if i = orders.noted[i].next; i == 0 {
			return false
		}
	}
}

// fits says that an AWB, rounded to fewer digits, is one of the lines'.
func (r *roundedLines) fits(awb []byte) bool {
	if len(awb) > mostDigits {
		return false
	}
	for n := 1; n <= min(spreadsheetDigits, len(awb)); n++ {
		if !isDigit(awb[n-1]) {
			return false
		}
		if r.counts&(1<<n) == 0 {
			continue
		}
		key := makeRoundedKey(len(awb), awb[:n])
		if r.has(key) {
			return true
		}
		roundsUp := n < len(awb) && awb[n] >= '5' && isDigit(awb[n])
		if roundsUp && increment(key[1:1+n]) && r.has(key) {
			return true
		}
	}
	return false
}

// fitsRounded says that a rounded AWB among those of a cell could be the same
// number as one of the lines', as far as the two still have their digits.
func (r *roundedLines) fitsRounded(cell []byte) bool {
	for len(cell) > 0 {
		end, separator := awbEnd(cell)
		digits, length, ok := roundedDigits(cell[:end], r.scratch)
		cell = cell[end+separator:]
		if !ok || length > mostDigits {
			continue
		}
		r.scratch = digits
		key := makeRoundedKey(length, digits)
		if at, _ := r.search(key); at < len(r.keys) && bytes.HasPrefix(r.keys[at][:], key[:1+len(digits)]) {
			return true // the line has more digits
		}
		for n := 1; n < len(digits); n++ {
			if r.has(makeRoundedKey(length, digits[:n])) {
				return true
			}
		}
	}
	return false
}

// increment adds one to digits; false where that makes one more.
func increment(digits []byte) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return true
		}
		digits[i] = '0'
	}
	return false
}
