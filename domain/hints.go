package domain

import "strconv"

// hints finds, for an order that no line lists, the one unclaimed line that looks
// like its own: it has the order's amount, and the same digits in its AWB or its
// order id (decisions, section 4).
type hints struct {
	ready bool
	looks keyIndex // kind, amount and digits
	keys  arena
	lines []int32 // per look: the line that has it, or several
	key   []byte  // scratch
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
	h.ready = true
	h.looks.reset()
	h.keys.reset()
	h.lines = h.lines[:0]
	m := &r.matching
	for i := m.claims[len(r.decisions)].first; i != noLine; i = m.next[i] {
		if m.repeats.marks[i]&(dropped|setAside) != 0 {
			continue
		}
		line := &m.lines[i]
		for _, amount := range [...]Paise{line.Listed, line.Stated} {
			if line.tellsParcel() {
				h.note(looksByAWB, line.AWB, amount, i)
			}
			h.note(looksByID, line.OrderID, amount, i)
		}
	}
}

// longestLook is how many bytes an id may have that is looked at for digits.
const longestLook = 100

// look writes what an id with an amount looks like; false if that is nothing.
func (h *hints) look(kind byte, id []byte, amount Paise) bool {
	h.key = append(strconv.AppendInt(append(h.key[:0], kind), int64(amount), 10), '/')
	before := len(h.key)
	if len(id) > longestLook || amount <= 0 {
		return false
	}
	for _, b := range id {
		if isDigit(b) {
			h.key = append(h.key, b)
		}
	}
	return len(h.key) > before
}

func (h *hints) note(kind byte, id []byte, amount Paise, line int32) {
	if !h.look(kind, id, amount) {
		return
	}
	if at := h.looks.find(h.key); at >= 0 {
		if h.lines[at] != line {
			h.lines[at] = several
		}
		return
	}
	h.looks.add(h.keys.keep(h.key))
	h.lines = append(h.lines, line)
}

// find is the one line that looks like an order's, or noLine.
func (h *hints) find(r *Reconciliation, o *Order, due Paise) int32 {
	if r.Tally.Unclaimed == 0 {
		return noLine
	}
	if !h.ready {
		h.index(r)
	}
	found := h.line(looksByID, r.orders.names.keys[o.at], due)
	if o.awbs == 0 {
		return max(found, noLine)
	}
	for i := o.first; ; {
		n := &r.orders.noted[i]
		if line := h.line(looksByAWB, n.key, due); line != noLine && line != found {
			if found != noLine {
				return noLine // two lines, or more
			}
			found = line
		}
		if i = n.next; i == 0 {
			return max(found, noLine)
		}
	}
}

func (h *hints) line(kind byte, id []byte, amount Paise) int32 {
	if !h.look(kind, id, amount) {
		return noLine
	}
	at := h.looks.find(h.key)
	if at < 0 {
		return noLine
	}
	return h.lines[at]
}
