package domain

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
)

// hints finds, for an order that no line lists, the one unclaimed line that looks
// like its own: it has the order's amount, and the same digits in its AWB or its
// order id (decisions, section 4).
type hints struct {
	ready bool
	looks []look // by hash
	seed  maphash.Seed
	key   []byte // scratch
}

// look is what an id of a line looks like with one of its amounts, as a hash: two
// looks that differ have the same once in some billions of runs. The texts would
// take several times the memory, while the answer is written, when nothing counts
// it anymore.
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

// index notes the looks of all unclaimed lines, for the first order that asks.
func (h *hints) index(r *Reconciliation) {
	const most = 4 // looks of one line
	h.ready, h.seed = true, maphash.MakeSeed()
	m := &r.matching
	unclaimed := &m.claims[len(r.decisions)]
	h.looks = slices.Grow(h.looks[:0], most*int(unclaimed.lines))
	for i := unclaimed.first; i != noLine; i = m.next[i] {
		if m.repeats.marks[i]&(leftOut|setAside) != 0 {
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

// longestLook is how many bytes an id may have that is looked at for digits.
const longestLook = 100

// look is the hash of what an id with an amount looks like; false if that is
// nothing.
func (h *hints) hashLook(kind byte, id []byte, amount Paise) (hash uint64, looks bool) {
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

// note notes what a line looks like with one of its amounts.
func (h *hints) note(line *Remittance, amount Paise, i int32) {
	if line.tellsParcel() {
		if hash, looks := h.hashLook(looksByAWB, line.AWB, amount); looks {
			h.looks = append(h.looks, look{hash: hash, line: i})
		}
	}
	if hash, looks := h.hashLook(looksByID, line.OrderID, amount); looks {
		h.looks = append(h.looks, look{hash: hash, line: i})
	}
}

// find is the one line that looks like an order's, and by which of its ids, the AWB
// if by both; noLine if there is none.
func (h *hints) find(r *Reconciliation, o *Order, due Paise) (line int32, kind byte) {
	if r.Tally.Unclaimed == 0 {
		return noLine, 0
	}
	if !h.ready {
		h.index(r)
	}
	found, kind := h.findLine(looksByID, r.orders.names.keys[o.at], due), byte(looksByID)
	if o.awbs == 0 {
		return max(found, noLine), kind
	}
	for i := o.first; ; {
		if line := h.findLine(looksByAWB, r.orders.awb(i), due); line != noLine {
			if found != noLine && line != found {
				return noLine, 0 // two lines, or more
			}
			found, kind = line, looksByAWB
		}
		if i = r.orders.noted[i].next; i == 0 {
			return max(found, noLine), kind
		}
	}
}

// line is the line that looks like this, or several, or noLine.
func (h *hints) findLine(kind byte, id []byte, amount Paise) int32 {
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
