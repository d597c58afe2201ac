package verdict

import (
	"bytes"
	"cmp"
	"slices"

	"milaan/domain"
)

// A spreadsheet rounds long numbers to 1.90408E+12. If that is turned back into
// digits, it becomes 1904080000000. Then several parcels have the same number, so it
// identifies none of them (guide: verdict 1). AWBKey recognises the first form by
// its exponent. This file recognises the second form by the orders and lines that have
// the number.

const (
	fewestRoundedDigits = 11 // spreadsheets show numbers with fewer digits in full
	fewestRoundedZeros  = 5  // at the end of the number; by chance one AWB in 100,000 has them
)

// LooksRounded says whether an AWB looks as if it was rounded to zeros.
func LooksRounded(awb []byte) bool {
	n := len(awb)
	if n < fewestRoundedDigits || awb[n-1] != '0' || string(awb[n-fewestRoundedZeros:]) != "00000" {
		return false
	}
	return isNumber(awb)
}

type rounding struct {
	awbs   keyIndex        // the AWBs of lines that look rounded
	states []roundingState // at the same positions as awbs
}

// roundingState is what is known about one AWB from the lines with positive
// amounts.
type roundingState struct {
	named    int32 // the first line that names an order, or noLine
	nameless int32 // the first line that names no order, or noLine
	rounded  bool
}

// mark marks the lines and orders whose AWB was rounded to zeros.
func (r *rounding) mark(orders *Orders, remittances *Remittances) {
	if len(remittances.zeros) == 0 && len(orders.sharers) == 0 {
		return
	}
	found := false
	for _, s := range orders.sharers {
		if LooksRounded(orders.awb(s.awb)) {
			orders.noted[s.awb].rounded, found = true, true
		}
	}
	r.awbs.reset(new(arena))
	defer r.awbs.reset(nil)
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

// addLine adds one line to what is known about its AWB.
func (r *rounding) addLine(orders *Orders, lines []Remittance, i int32) {
	line := &lines[i]
	at, isNew := r.awbs.add(line.AWB)
	if isNew {
		r.awbs.keys[at] = r.awbs.texts.put(line.AWB)
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

// sameNamed says whether two lines name the same order, which need not be in the
// export.
func (o *Orders) sameNamed(a, b *Remittance) bool {
	first, second := o.Find(a.OrderID), o.Find(b.OrderID)
	if first < 0 && second < 0 {
		return sameKey(a.OrderID, b.OrderID)
	}
	return first == second
}

// forgetRounded removes from the orders all AWBs that are marked as rounded.
func (o *Orders) forgetRounded() {
	owner := func(key []byte) *notedAWB { return &o.noted[o.awbs.find(key)] }
	for i := range o.awbs.keys {
		if key := o.awb(int32(i)); LooksRounded(key) && owner(key).rounded && !o.noted[i].moved {
			order := &o.list[o.noted[i].order]
			order.rounded = true
			o.unlink(order, int32(i))
			o.roundedCells = append(o.roundedCells, roundedCell{text: key, order: order.at, told: owner(key).told})
		}
	}
}

// roundedDigits returns the digits that a rounded AWB still has, and how many
// digits it had before. ok is false for a text that is no number. The digits are
// built in the memory of into.
func roundedDigits(awb []byte, into []byte) (digits []byte, length int, ok bool) {
	s := cutPointZero(idText(awb))
	mantissa, exponent, found := bytes.Cut(s, []byte("E"))
	if !found {
		mantissa, exponent, found = bytes.Cut(s, []byte("e"))
	}
	digits = into[:0]
	for _, b := range mantissa {
		switch {
		case b == '0' && len(digits) == 0:
		case isDigit(b):
			digits = append(digits, b)
		case b != '.' && b != ',': // which is some spreadsheets' point
			return nil, 0, false
		}
	}
	length = len(digits)
	if found {
		power, rest := domain.CutNumber(bytes.TrimPrefix(exponent, []byte("+")))
		if len(rest) > 0 || power > mostDigits {
			return nil, 0, false
		}
		length = power + 1
	}
	digits = bytes.TrimRight(digits, "0")
	return digits[:min(len(digits), spreadsheetDigits)], length, len(digits) > 0 && len(digits) <= length
}

const (
	spreadsheetDigits = 15 // how many digits of a number a spreadsheet keeps
	mostDigits        = 60 // more than the AWB of any courier has
)

// roundedLines are the unclaimed lines that have no order id and whose AWB was
// rounded. Each of them may belong to some order.
type roundedLines struct {
	any     bool
	keys    []roundedKey // sorted by the first search
	sorted  bool
	counts  uint16 // bit n is set if some AWB has n digits left
	scratch []byte
}

// roundedKey holds how many digits an AWB had, then the digits that are left, then
// zeros.
type roundedKey [1 + spreadsheetDigits]byte

func makeRoundedKey(length int, digits []byte) (key roundedKey) {
	key[0] = byte(length)
	copy(key[1:], digits)
	return key
}

func (k roundedKey) compare(other roundedKey) int { return bytes.Compare(k[:], other[:]) }

func (r *roundedLines) reset() { r.any, r.sorted, r.counts, r.keys = false, false, 0, r.keys[:0] }

// add adds an unclaimed line. All lines are added before the first search.
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

// search returns the place of a key, or where it would be, and whether it is there.
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

// sortRounded sorts the cells with rounded AWBs by order, for roundedOf.
func (o *Orders) sortRounded() {
	slices.SortStableFunc(o.roundedCells, func(a, b roundedCell) int { return cmp.Compare(a.order, b.order) })
}

// roundedOf returns the cells with rounded AWBs of one order. sortRounded comes
// first.
func (o *Orders) roundedOf(order int32) []roundedCell {
	return sectionOf(o.roundedCells, order, func(c roundedCell) int32 { return c.order })
}

// couldBe says whether one of the lines may be the order's own. It may be if it has
// as many digits as an AWB of the order and the same leading digits, or if the
// order has no AWB. sortRounded comes first.
func (r *roundedLines) couldBe(orders *Orders, o *Order) bool {
	switch {
	case !r.any:
		return false
	case !o.tracked():
		return true
	case o.rounded && slices.ContainsFunc(orders.roundedOf(o.at), func(c roundedCell) bool { return r.fitsRounded(c.text) }):
		return true
	}
	for i := range orders.awbsOf(o) {
		if r.fits(orders.awb(i)) {
			return true
		}
	}
	return false
}

// fits says whether an AWB, rounded to fewer digits, is the AWB of one of the
// lines.
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
		if key[n]++; roundsUp && awb[n-1] != '9' && r.has(key) { // 1.99 rounds up to 2, which has fewer digits
			return true
		}
	}
	return false
}

// fitsRounded says whether one of the rounded AWBs in a cell may be the same number
// as the AWB of one of the lines, as far as the two still have their digits.
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
