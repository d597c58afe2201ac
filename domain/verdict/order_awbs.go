package verdict

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"milaan/domain"
)

// The AWBs of orders: those of each order, which are shared, and the cells that they were read from.

// roundedCell is a cell of an order with a rounded AWB, or that AWB alone.
type roundedCell struct {
	text  []byte
	order int32
	told  bool // only the report shows that the AWB is rounded

	remembered bool // by a ledger
}

// sharer is one of the orders with a shared AWB. awb is the first position of that AWB
// in Orders.noted.
type sharer struct{ awb, order int32 }

// notedAWB is an AWB of an order. Its key is in Orders.awbs, at the same position.
type notedAWB struct {
	hash  uint32 // of the key; 0: not computed yet
	zeros uint8  // how many stand before the digits in the export; the key is without them
	order int32
	next  int32 // position of the order's next AWB; 0: this is the last one
	moved bool  // the order does not have it, see movedFrom

	// Set only at the first position of an AWB.
	shared  bool // other orders have it too
	rounded bool // it was rounded, so it names no parcel
	told    bool // only the report shows that it is rounded
}

// MaxAWBs is how many AWBs one order may have, and maxTracking how many bytes an AWB
// cell may have. No order has that many parcels, so such a cell has no tracking
// numbers; and each line of a report might have to be compared with all of them.
// MaxTokens is how many AWBs all cells with several AWBs may have together: three for
// each row that an export may have over HTTP. An export without that limit may have
// three for each of its orders.
const (
	MaxAWBs     = 50
	maxTracking = 4096
	MaxTokens   = 3 * domain.MaxRows
)

// Track adds the AWBs of a cell, as exported, to an order. A cell may have several, and
// the cells of further rows and columns add more. Track returns false for more AWBs
// than MaxAWBs or MaxTokens allow, and for a cell that is too long.
func (o *Orders) Track(order *Order, cell []byte) bool {
	switch {
	case order.tracked() && bytes.Equal(o.trackingOf(order), cell):
		return true
	case len(cell) > maxTracking:
		return false
	case !order.tracked() && isPlainAWB(cell):
		o.note(order, o.texts.put(cell), 0)
		order.tracking = int32(len(o.noted))
		return true
	}
	var kept place
	few, rounded, blank := true, false, true
	EachAWB(cell, func(key []byte, reliable bool) bool {
		blank = false
		if o.tokens++; o.tokens > max(MaxTokens, 3*len(o.list)) {
			few = false
			return false
		}
		if !reliable {
			rounded = true
			return true
		}
		hash := o.names.hash(key)
		if o.has(order, key, hash) {
			return true
		}
		if order.awbs == MaxAWBs {
			few = false
			return false
		}
		if kept == 0 {
			kept = o.texts.put(cell)
		}
		o.note(order, o.texts.within(kept, key), hash)
		o.noted[len(o.noted)-1].zeros = zerosBefore(o.texts.at(kept), key)
		return true
	})
	if blank {
		return true // zeros, or a link without a number
	}
	if kept == 0 && (rounded || !order.tracked()) {
		kept = o.texts.put(cell)
	}
	if !order.tracked() {
		o.shared = append(o.shared, o.texts.at(kept))
		order.tracking = -int32(len(o.shared))
	}
	if rounded {
		order.rounded = true
		o.roundedCells = append(o.roundedCells, roundedCell{text: o.texts.at(kept), order: order.at, remembered: o.remembers})
	}
	return few
}

// trackingOf returns the first AWB cell of an order that is not blank, as exported; nil: there is none. Nearly every cell is one AWB
// and no more, and is stored as that.
func (o *Orders) trackingOf(order *Order) []byte {
	switch at := order.tracking; {
	case at > 0:
		return o.awb(at - 1)
	case at < 0:
		return o.Text(TextID(-at))
	}
	return nil
}

// zerosBefore counts the zeros before a number in a text, of which the number is a part.
func zerosBefore(text, number []byte) (zeros uint8) {
	if !isNumber(number) {
		return 0
	}
	for i := bytes.Index(text, number); i > 0 && text[i-1] == '0' && zeros < mostDigits; i-- {
		zeros++
	}
	return zeros
}

// note adds an AWB to an order. hash is the hash of its key, or 0 if it is to be
// computed when it is needed.
func (o *Orders) note(order *Order, key place, hash uint32) {
	at := int32(o.awbs.addHidden(key))
	o.noted = append(o.noted, notedAWB{hash: hash, order: order.at})
	if order.awbs == 0 {
		order.first = at
	}
	for i := range o.awbsOf(order) { // at most MaxAWBs
		if o.noted[i].next == 0 {
			o.noted[i].next = at
		}
	}
	order.awbs++
}

// awbsOf yields the position of each reliable AWB of an order.
func (o *Orders) awbsOf(order *Order) iter.Seq[int32] {
	return func(yield func(at int32) bool) {
		at := order.first
		for left := order.awbs; left > 0 && yield(at); left-- {
			at = o.noted[at].next
		}
	}
}

func (o *Orders) unlink(order *Order, at int32) {
	order.awbs--
	next := o.noted[at].next
	if order.first == at {
		order.first = next
		return
	}
	before := order.first
	for o.noted[before].next != at {
		before = o.noted[before].next
	}
	o.noted[before].next = next
}

func (o *Orders) awb(at int32) []byte { return o.awbs.key(at) }

// has says whether an order has the AWB with this key. hash is the hash of the key.
func (o *Orders) has(order *Order, key []byte, hash uint32) bool {
	for i := range o.awbsOf(order) {
		n := &o.noted[i]
		if n.hash == 0 {
			n.hash = o.names.hash(o.awb(i))
		}
		if n.hash == hash && sameKey(o.awb(i), key) {
			return true
		}
	}
	return false
}

// listSeparator stands between the AWBs of one order in a result.
const listSeparator = ", "

// AWBs appends the reliable AWBs of an order as exported, each once.
func (o *Orders) AWBs(dst []byte, order *Order) []byte {
	for i := range o.awbsOf(order) {
		if i != order.first {
			dst = append(dst, listSeparator...)
		}
		for range o.noted[i].zeros {
			dst = append(dst, '0')
		}
		dst = append(dst, o.awb(i)...)
	}
	return dst
}

// allAWBs appends the AWBs of an order as exported, those that are rounded too: with one less, the next run would take
// it for another order's alone. sortRounded comes first.
func (o *Orders) allAWBs(dst []byte, order *Order) []byte {
	dst = o.AWBs(dst, order)
	add := func(awb []byte) {
		if len(dst) > 0 {
			dst = append(dst, listSeparator...)
		}
		dst = append(dst, awb...)
	}
	for _, c := range o.roundedOf(order.at) {
		if LooksRounded(c.text) {
			add(c.text)
			continue
		}
		EachAWB(c.text, func(key []byte, reliable bool) bool {
			if !reliable {
				add(key)
			}
			return true
		})
	}
	return dst
}

// indexAWBs makes the AWBs findable and finds those that are shared. It does so only
// once after Reset.
func (o *Orders) indexAWBs() {
	if o.indexedAWBs {
		return
	}
	o.indexedAWBs = true
	o.awbs.expect(0)
	var firsts [keysAtOnce]int32
	for at, n := range o.noted {
		if at%keysAtOnce == 0 {
			o.awbs.show(at, firsts[:min(len(o.noted)-at, keysAtOnce)])
		}
		first := int(firsts[at%keysAtOnce])
		owner := &o.noted[first]
		if owner.order == n.order {
			continue
		}
		if o.remembers && o.movedFrom(&o.list[n.order], at, first) {
			o.unlink(&o.list[n.order], int32(at))
			o.noted[at].moved = true
			continue
		}
		if !owner.shared {
			owner.shared = true
			o.sharers = append(o.sharers, sharer{awb: int32(first), order: owner.order})
		}
		o.sharers = append(o.sharers, sharer{awb: int32(first), order: n.order})
	}
	slices.SortFunc(o.sharers, sharer.compare)
}

// movedFrom says whether an order has the AWB at a place by a ledger alone, and the export has another AWB for the order, and this one,
// first at another place, for another order: the shop has corrected it.
func (o *Orders) movedFrom(order *Order, at, first int) bool {
	return at >= o.exportedAWBs && int(order.at) < o.exported && int(order.first) < o.exportedAWBs && first < o.exportedAWBs
}

// HasAWB says whether some order has an AWB, given in the form of AWBKey. The readers of
// several reports may ask at the same time.
func (o *Orders) HasAWB(awb []byte) bool {
	o.asking.Lock()
	defer o.asking.Unlock()
	o.indexAWBs()
	return o.awbs.find(awb) >= 0
}

// sharersOf returns the orders with a shared AWB, in the order of the export.
func (o *Orders) sharersOf(awb int32) []sharer {
	return sectionOf(o.sharers, awb, func(s sharer) int32 { return s.awb })
}

// bears says whether an order has the AWB that is first at a place in Orders.noted, as a reliable one.
func (o *Orders) bears(order int, awb int32) bool {
	n := &o.noted[awb]
	if n.rounded || !n.shared {
		return !n.rounded && int(n.order) == order
	}
	_, shares := slices.BinarySearchFunc(o.sharers, sharer{awb, int32(order)}, sharer.compare)
	return shares
}

func (s sharer) compare(other sharer) int {
	return cmp.Or(cmp.Compare(s.awb, other.awb), cmp.Compare(s.order, other.order))
}

// placeOfShared is by what shared AWBs are sorted: by the first order that has one, and then by its place among that order's AWBs.
func (o *Orders) placeOfShared(awb int32) (place int32) {
	first := o.sharersOf(awb)[0].order
	for at := range o.awbsOf(&o.list[first]) {
		if sameKey(o.awb(at), o.awb(awb)) {
			break
		}
		place++
	}
	return first*MaxAWBs + place
}

// sections yields the parts of a list that is sorted by a key, each with one of the keys.
func sections[E any, K comparable](sorted []E, keyOf func(*E) K) iter.Seq[[]E] {
	return func(yield func([]E) bool) {
		for rest := sorted; len(rest) > 0; {
			n := 1
			for n < len(rest) && keyOf(&rest[n]) == keyOf(&rest[0]) {
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// sectionOf returns the elements with a key from a list that is sorted by these keys.
func sectionOf[E any](sorted []E, key int32, keyOf func(E) int32) []E {
	place := func(key int32) int {
		at, _ := slices.BinarySearchFunc(sorted, key, func(e E, key int32) int { return cmp.Compare(keyOf(e), key) })
		return at
	}
	return sorted[place(key):place(key+1)]
}
