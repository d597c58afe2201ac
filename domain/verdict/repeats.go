package verdict

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"milaan/domain"
)

// Some reports list the same money twice, such as order reports with a row per
// product. Lines that repeat another one exactly count once (guide: verdict 1).

// lineMark says how a line that repeats another one counts.
type lineMark uint8

const (
	leftOut     lineMark = 1 << iota // the money counts on the other line only
	setAside                         // the same, known by the order id alone: it may count after all, unless left out too
	silent                           // the status does not count: a repeat further down has a status
	replaced                         // it is of a parcel that another one replaces: only what was remitted counts
	corrected                        // a later report corrects it, so that it counts nowhere
	listedAgain                      // beside corrected: another report has the same line, of which this one does not say all
)

// apart says that a line has another AWB than the line that it repeats, so that its status
// and its delivery are not those of that line's parcel.
func (l lineMark) apart(line *Remittance) bool { return l&setAside != 0 && line.tellsParcel() }

// counts says whether the line is neither left out nor set aside.
func (l lineMark) counts() bool { return l&(leftOut|setAside) == 0 }

// mayCount says whether the line is set aside, and its money may count after all.
func (l lineMark) mayCount() bool { return l&(leftOut|setAside) == setAside }

// repeatable says whether the line shows which parcel or order it is about.
func (r *Remittance) repeatable() bool { return !r.AWBRounded || len(r.OrderID) > 0 }

// tellsParcel says whether the line has a reliable AWB.
func (r *Remittance) tellsParcel() bool { return len(r.AWB) > 0 && !r.AWBRounded }

// repeats says whether two lines are the same money, listed twice.
func (r *Remittance) repeats(s *Remittance) bool {
	return r.repeatsButAWB(s) && sameKey(r.AWB, s.AWB)
}

// repeatsButAWB says whether two lines are alike in all but the AWB.
func (r *Remittance) repeatsButAWB(s *Remittance) bool {
	return r.Listed == s.Listed && r.Stated == s.Stated && r.RemittedOn == s.RemittedOn &&
		sameKey(r.OrderID, s.OrderID) && sameUTR(r.UTR, s.UTR)
}

func (r *Remittance) datedOn() domain.Day { return max(r.RemittedOn, r.DeliveredOn) }

// later says whether the i-th line is dated after the k-th. Of two lines with the
// same date, the lower one in the report is the later one.
func later(list []Remittance, i, k int32) bool {
	a, b := list[i].datedOn(), list[k].datedOn()
	return a > b || a == b && i > k
}

type repeatFinder struct {
	marks  []lineMark // for each line of the report
	found  bool       // the last call of find has found repeats
	group  []int32
	groups []grouped // what the last call of find has found, if told says so
	told   bool
	hashed []hashedLine
	moved  []movedDelivery
	hasher textHasher
}

// movedDelivery is the delivery that a line had before it got that of a repeat.
type movedDelivery struct {
	line   int32
	from   domain.Day
	beside bool // the repeat is told by the order id alone: it may be no repeat in the next run
}

func (f *repeatFinder) moveDelivery(list []Remittance, line int32, to domain.Day) {
	if list[line].DeliveredOn != to {
		f.moved = append(f.moved, movedDelivery{line: line, from: list[line].DeliveredOn})
		list[line].DeliveredOn = to
	}
}

// moveBack gives the lines the deliveries that they had.
func (f *repeatFinder) moveBack(list []Remittance) {
	for _, m := range slices.Backward(f.moved) {
		list[m.line].DeliveredOn = m.from
	}
	f.moved = f.moved[:0]
}

// moveBeside is moveDelivery for a repeat that names the order of a line with an AWB.
func (f *repeatFinder) moveBeside(list []Remittance, line int32, to domain.Day) {
	before := len(f.moved)
	f.moveDelivery(list, line, to)
	for i := range f.moved[before:] {
		f.moved[before+i].beside = true
	}
}

// ownDeliveries are those of lines that have another one from repeats beside them.
func (f *repeatFinder) ownDeliveries() map[int32]domain.Day {
	own := map[int32]domain.Day{}
	for _, m := range slices.Backward(f.moved) {
		if m.beside {
			own[m.line] = m.from
		}
	}
	return own
}

// grouped is a line that repeats another one, or is repeated: kept is the one of them
// that counts, and speaks the one that has the status, or noLine.
type grouped struct{ line, kept, speaks int32 }

// hashedLine is a line with a hash that is equal for lines that repeat each other,
// so that sorting lines does not compare long texts again and again.
type hashedLine struct {
	hash uint64
	line int32
}

// fewLines is the number of lines up to which each is compared with each.
const fewLines = 8

func (f *repeatFinder) reset(lines int) {
	f.marks = slices.Grow(f.marks[:0], lines)[:lines]
	clear(f.marks)
}

// find marks the repeats among some lines. If it is called again with the same
// lines, or with further ones, it marks the same repeats again.
func (f *repeatFinder) find(lines []int32, list []Remittance) {
	f.found, f.groups = false, f.groups[:0]
	if len(lines) <= fewLines {
		f.findFew(lines, list)
		return
	}
	f.hashed = f.hashed[:0]
	for _, i := range lines {
		if list[i].repeatable() {
			f.hashed = append(f.hashed, hashedLine{hash: f.hasher.line(&list[i]), line: i})
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

// findFew is find for at most fewLines lines.
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

// markGroup marks the lines of one group of repeats. One line counts, and if one of
// them is paid, it is that one. The lowest line with a status gives the status of
// the whole group, and the latest delivery.
func (f *repeatFinder) markGroup(list []Remittance) {
	if len(f.group) < 2 {
		return
	}
	f.found = true
	kept, speaks, delivered := f.group[0], int32(noLine), domain.NoDay
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
		if f.told {
			f.groups = append(f.groups, grouped{line: i, kept: kept, speaks: speaks})
		}
	}
	if speaks == noLine {
		speaks = kept
	}
	f.moveDelivery(list, speaks, delivered)
}

// comparePay orders lines by what was paid on them: an unpaid line comes before a
// paid one.
func comparePay(a, b *Remittance) int {
	switch paidA, paidB := a.Remitted != 0, b.Remitted != 0; {
	case paidA && !paidB:
		return 1
	case paidB && !paidA:
		return -1
	}
	return cmp.Or(cmp.Compare(a.Remitted, b.Remitted), cmp.Compare(a.Collected, b.Collected))
}

// SeenLines finds the lines that repeat an earlier one, and the parcels that had an
// earlier line. The zero value is ready to use.
type SeenLines struct {
	lines, parcels map[uint64]struct{}
	hasher         textHasher
}

// IsNewLine says whether a line repeats none of the lines given before.
func (s *SeenLines) IsNewLine(r *Remittance) bool {
	if !r.repeatable() {
		return true
	}
	return isFirst(&s.lines, s.hasher.line(r))
}

// IsNewParcel says whether no line given before has the AWB of this line, or its order
// id if it has no AWB.
func (s *SeenLines) IsNewParcel(r *Remittance) bool {
	id := r.AWB
	if len(id) == 0 {
		id = r.OrderID
	}
	return isFirst(&s.parcels, s.hasher.id(id))
}

func isFirst(seen *map[uint64]struct{}, hash uint64) bool {
	if *seen == nil {
		*seen = map[uint64]struct{}{}
	}
	_, again := (*seen)[hash]
	(*seen)[hash] = struct{}{}
	return !again
}

// textHasher hashes texts without regard to the case of letters. It folds up to 512
// bytes at a time, because one character at a time takes many times longer, and a
// whole text may be large. The seed is drawn once per process, so that nobody can
// prepare texts that collide. Reset begins a new hash, and Sum64 is the hash of
// everything since then.
type textHasher struct {
	maphash.Hash

	chunk [512]byte
	key   []byte // scratch
}

// line returns a hash of everything that lines which repeat each other have in common.
func (h *textHasher) line(r *Remittance) uint64 {
	h.Reset()
	h.text(r.AWB)
	return h.payment(r)
}

// sameButAWB returns a hash of the same, without the AWB.
func (h *textHasher) sameButAWB(r *Remittance) uint64 {
	h.Reset()
	return h.payment(r)
}

func (h *textHasher) payment(r *Remittance) uint64 {
	for i, n := range [...]uint64{uint64(r.Listed), uint64(r.Stated), uint64(r.RemittedOn)} {
		binary.LittleEndian.PutUint64(h.chunk[8*i:], n)
	}
	_, _ = h.Write(h.chunk[:3*8])
	h.utr(r.UTR)
	h.text(r.OrderID)
	return h.Sum64()
}

// utr adds the form of a UTR that is equal however a file writes it.
func (h *textHasher) utr(utr []byte) {
	if isPlainUTR(utr) {
		h.text(utr)
		return
	}
	if h.key = appendUTRKey(h.key[:0], utr); cap(h.key) > largeText {
		defer func() { h.key = nil }()
	}
	h.text(h.key)
}

// id returns a hash of an AWB or an order id.
func (h *textHasher) id(id []byte) uint64 {
	h.Reset()
	h.text(id)
	return h.Sum64()
}

func (h *textHasher) text(s []byte) {
	for len(s) > 0 {
		part := domain.CutText(s, len(h.chunk))
		if len(part) == 0 {
			part = s[:min(len(s), len(h.chunk))] // not text
		}
		_, _ = h.Write(appendFolded(h.chunk[:0], part))
		s = s[len(part):]
	}
	_ = h.WriteByte(0xff) // marks the end of the text; this byte is no part of any UTF-8 text
}
