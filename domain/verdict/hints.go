package verdict

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"

	"milaan/domain"
)

// hints finds the unclaimed line that looks like an order's own, for an order that
// no line lists. Such a line has the amount that is due, and its AWB or its order
// id has the same digits as that of the order, or its order id has them before a suffix,
// as in 1001-R1 and 1001_1. There is a hint only if exactly one
// line is like that (guide: verdict 4).
type hints struct {
	ready bool
	looks []look // sorted by hash
	seed  maphash.Seed
	key   []byte // scratch
}

// look is a hash of the digits of a line's id and one of the line's amounts.
// Different ids may have the same hash once in billions of runs. Storing the digits
// themselves would need several times the memory, at a time when the memory of a
// run is no longer counted: while the answer is written.
type look struct {
	hash uint64
	line int32
}

// several stands for more than one line with the same look.
const several = -2

// The kinds of looks.
const (
	looksByAWB = 'A'
	looksByID  = 'I'
)

func (h *hints) reset() { h.ready = false }

// index collects the looks of all unclaimed lines. It is called when the first
// order asks for a hint.
func (h *hints) index(r *Reconciliation) {
	const most = 4 // looks that nearly every line has at most
	h.ready, h.seed = true, maphash.MakeSeed()
	m := &r.matching
	unclaimed := &m.claims[len(r.decided)]
	h.looks = slices.Grow(h.looks[:0], most*int(unclaimed.lines))
	for i := unclaimed.first; i != noLine; i = m.next[i] {
		if !m.repeats.marks[i].counts() {
			continue
		}
		line := &m.lines[i]
		h.note(line, line.Listed, i)
		if line.Stated != line.Listed {
			h.note(line, line.Stated, i)
		}
	}
	slices.SortFunc(h.looks, func(a, b look) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.line, b.line)) })
}

// longestLook is how many bytes an id may have whose digits are compared.
const longestLook = 100

// hashLook returns the hash of an id's digits and an amount; false if the id has no
// digits or is too long, or the amount is not positive.
func (h *hints) hashLook(kind byte, id []byte, amount domain.Paise) (hash uint64, looks bool) {
	if len(id) > longestLook || amount <= 0 {
		return 0, false
	}
	h.key = append(strconv.AppendInt(append(h.key[:0], kind), int64(amount), 10), '/')
	before := len(h.key)
	for _, b := range id {
		if isDigit(b) {
			h.key = append(h.key, b)
		}
	}
	return maphash.Bytes(h.seed, h.key), len(h.key) > before
}

// note adds the looks of the i-th line with one of its amounts.
func (h *hints) note(line *Remittance, amount domain.Paise, i int32) {
	add := func(kind byte, id []byte) {
		if hash, looks := h.hashLook(kind, id, amount); looks {
			h.looks = append(h.looks, look{hash: hash, line: i})
		}
	}
	if line.tellsParcel() {
		add(looksByAWB, line.AWB)
	}
	add(looksByID, line.OrderID)
	add(looksByID, cutSuffix(line.OrderID))
}

// longestSuffix is how many bytes the suffix of an order id may have with its sign.
const longestSuffix = 4

// cutSuffix returns an order id without the suffix that a courier or an app gives to a
// further parcel of an order; nil if it has none with a digit: the digits are the same then.
func cutSuffix(id []byte) []byte {
	at := bytes.LastIndexAny(id, "-_/.")
	if at <= 0 || len(id)-at > longestSuffix || !HasDigit(id[at:]) {
		return nil
	}
	return id[:at]
}

// find returns the one line that looks like an order's own, or noLine; and by which
// id it does, which is the AWB if it does by both.
func (h *hints) find(r *Reconciliation, o *Order, due domain.Paise) (line int32, kind byte) {
	if r.Tally.Unclaimed == 0 {
		return noLine, 0
	}
	if !h.ready {
		h.index(r)
	}
	found, kind := h.findLine(looksByID, r.orders.names.key(o.at), due), byte(looksByID)
	for i := range r.orders.awbsOf(o) {
		if line := h.findLine(looksByAWB, r.orders.awb(i), due); line != noLine {
			if found != noLine && line != found {
				return noLine, 0 // two lines, or more
			}
			found, kind = line, looksByAWB
		}
	}
	return max(found, noLine), kind
}

// findLine returns the line with this look, several, or noLine.
func (h *hints) findLine(kind byte, id []byte, amount domain.Paise) int32 {
	hash, looks := h.hashLook(kind, id, amount)
	if !looks {
		return noLine
	}
	at, found := slices.BinarySearchFunc(h.looks, hash, func(l look, hash uint64) int { return cmp.Compare(l.hash, hash) })
	switch {
	case !found:
		return noLine
	case at+1 < len(h.looks) && h.looks[at+1].hash == hash:
		return several
	}
	return h.looks[at].line
}
