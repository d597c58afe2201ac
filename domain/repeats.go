package domain

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"unicode/utf8"
)

// Lines that repeat another one exactly are the same money listed twice, as in
// order reports with a row per product (decisions, section 1).

// lineMark is what became of a line that repeats another one.
type lineMark uint8

const (
	leftOut  lineMark = 1 << iota // its money counts once, on the other line
	setAside                      // the same, but told by the order id alone: it may count after all
	silent                        // a line below has the later status
)

// repeatable says that it can be told which parcel or order a line is about.
func (r *Remittance) repeatable() bool { return !r.AWBRounded || len(r.OrderID) > 0 }

// tellsParcel says that the line bears an AWB that can be relied on.
func (r *Remittance) tellsParcel() bool { return len(r.AWB) > 0 && !r.AWBRounded }

// repeats says that two lines are the same money listed twice.
func (r *Remittance) repeats(s *Remittance) bool {
	return r.Listed == s.Listed && r.Stated == s.Stated && r.RemittedOn == s.RemittedOn &&
		sameKey(r.AWB, s.AWB) && sameKey(r.OrderID, s.OrderID) && sameKey(r.UTR, s.UTR)
}

// datedOn is the latest date of a line.
func (r *Remittance) datedOn() Day { return max(r.RemittedOn, r.DeliveredOn) }

// later says that the i-th line is dated after the k-th, or as late and lower in
// the report.
func later(list []Remittance, i, k int32) bool {
	a, b := list[i].datedOn(), list[k].datedOn()
	return a > b || a == b && i > k
}

// repeatFinder marks lines that repeat others.
type repeatFinder struct {
	marks  []lineMark // per line of the report
	found  bool
	group  []int32
	hashed []hashedLine
	hasher textHasher
}

// hashedLine is a line with a hash that is the same for those that repeat it.
// Long texts would else be compared again and again while lines are sorted.
type hashedLine struct {
	hash uint64
	awb  uint64 // the same for lines of one AWB
	line int32
}

// fewLines is up to how many lines are compared each with each.
const fewLines = 8

func (f *repeatFinder) reset(lines int) {
	f.marks = slices.Grow(f.marks[:0], lines)[:lines]
	clear(f.marks)
}

// find marks the repeats among some lines. Asked again of the same lines, or of
// more, it says the same of them.
func (f *repeatFinder) find(lines []int32, list []Remittance) {
	f.found = false
	if len(lines) <= fewLines {
		f.findFew(lines, list)
		return
	}
	f.hashed = f.hashed[:0]
	for _, i := range lines {
		if list[i].repeatable() {
			f.hashed = append(f.hashed, f.hash(list, i))
		}
	}
	slices.SortFunc(f.hashed, func(a, b hashedLine) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.line, b.line)) })
	for from := 0; from < len(f.hashed); {
		first := f.hashed[from]
		f.group = append(f.group[:0], first.line)
		for from++; from < len(f.hashed) && f.hashed[from].hash == first.hash && list[f.hashed[from].line].repeats(&list[first.line]); from++ {
			f.group = append(f.group, f.hashed[from].line)
		}
		f.markGroup(list)
	}
}

func (f *repeatFinder) findFew(lines []int32, list []Remittance) {
	var grouped [fewLines]bool
	for a, i := range lines {
		if grouped[a] || !list[i].repeatable() {
			continue
		}
		f.group = append(f.group[:0], i)
		for b := a + 1; b < len(lines); b++ {
			if k := lines[b]; !grouped[b] && list[k].repeatable() && list[k].repeats(&list[i]) {
				grouped[b] = true
				f.group = append(f.group, k)
			}
		}
		f.markGroup(list)
	}
}

// settle marks the lines of one group of repeats: all but one that is paid, and
// all but the lowest that has a status, which stands for all of them and has their
// latest delivery.
func (f *repeatFinder) markGroup(list []Remittance) {
	if len(f.group) < 2 {
		return
	}
	f.found = true
	kept, speaks, delivered := f.group[0], int32(noLine), NoDay
	for _, i := range f.group {
		if comparePay(&list[i], &list[kept]) > 0 || comparePay(&list[i], &list[kept]) == 0 && i < kept {
			kept = i
		}
		if list[i].HasStatus {
			speaks = max(speaks, i)
		}
		delivered = max(delivered, list[i].DeliveredOn)
	}
	for _, i := range f.group {
		var mark lineMark
		if i != kept {
			if mark = setAside; list[i].tellsParcel() {
				mark = leftOut
			}
		}
		if speaks != noLine && i != speaks {
			mark |= silent
		}
		f.marks[i] = mark
	}
	if speaks != noLine {
		list[speaks].DeliveredOn = delivered
	}
}

// comparePay puts the line that is paid after one that is not.
func comparePay(a, b *Remittance) int {
	switch paidA, paidB := a.Remitted != 0, b.Remitted != 0; {
	case paidA && !paidB:
		return 1
	case paidB && !paidA:
		return -1
	}
	return cmp.Or(cmp.Compare(a.Remitted, b.Remitted), cmp.Compare(a.Collected, b.Collected))
}

func (f *repeatFinder) hash(list []Remittance, i int32) hashedLine {
	awb, hash := f.hasher.line(&list[i])
	return hashedLine{awb: awb, hash: hash, line: i}
}

// Once tells the lines that repeat one before, and the parcels that had a line
// before. The zero value has seen none.
type Once struct {
	lines, parcels map[uint64]struct{}
	hasher         textHasher
}

// Line says that a line repeats none before.
func (o *Once) Line(r *Remittance) bool {
	if !r.repeatable() {
		return true
	}
	_, hash := o.hasher.line(r)
	return isFirst(&o.lines, hash)
}

// Parcel says that no line before has the AWB of a line, or the order id where
// there is no AWB.
func (o *Once) Parcel(r *Remittance) bool {
	id := r.AWB
	if len(id) == 0 {
		id = r.OrderID
	}
	o.hasher.begin()
	o.hasher.text(id)
	return isFirst(&o.parcels, o.hasher.sum())
}

func isFirst(seen *map[uint64]struct{}, hash uint64) bool {
	if *seen == nil {
		*seen = map[uint64]struct{}{}
	}
	_, again := (*seen)[hash]
	(*seen)[hash] = struct{}{}
	return !again
}

// textHasher hashes texts so that letters of either case are the same. It folds
// a stretch at a time: one character at a time takes many times longer, and a
// whole text may be large. Its seed is the process's, so that nobody can prepare
// texts that collide. begin starts anew, and sum is of all since then.
type textHasher struct {
	hash  maphash.Hash
	chunk [512]byte
	used  int
}

func (h *textHasher) begin() {
	h.hash.Reset()
	h.used = 0
}

func (h *textHasher) sum() uint64 {
	h.flush()
	return h.hash.Sum64()
}

// line gives a hash of a line's AWB, and one of all that lines which repeat each
// other have in common.
func (h *textHasher) line(r *Remittance) (awb, all uint64) {
	h.begin()
	h.text(r.AWB)
	awb = h.sum()
	h.number(uint64(r.Listed))
	h.number(uint64(r.Stated))
	h.number(uint64(r.RemittedOn))
	h.text(r.UTR)
	h.text(r.OrderID)
	return awb, h.sum()
}

func (h *textHasher) flush() {
	_, _ = h.hash.Write(h.chunk[:h.used])
	h.used = 0
}

func (h *textHasher) room(bytes int) {
	if h.used+bytes > len(h.chunk) {
		h.flush()
	}
}

func (h *textHasher) number(n uint64) {
	h.room(8)
	binary.LittleEndian.PutUint64(h.chunk[h.used:], n)
	h.used += 8
}

func (h *textHasher) text(s []byte) {
	for len(s) > 0 {
		h.room(utf8.UTFMax)
		n := min(len(s), len(h.chunk)-h.used)
		for k := 1; n < len(s) && k < utf8.UTFMax && !utf8.RuneStart(s[n]); k++ {
			n-- // not into a character
		}
		h.used = len(appendFolded(h.chunk[:h.used], s[:n]))
		s = s[n:]
	}
	h.room(1)
	h.chunk[h.used] = 0xff // ends no text
	h.used++
}
