package domain

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// claim is what the courier's file says of one order: the lines that belong to
// it, summed. Lines of one parcel are summed because split payouts and
// reversals are normal (decisions, section 1).
type claim struct {
	first       int32 // the latest line linked; none is -1
	lines       int32
	collected   Paise
	remitted    Paise
	deliveredOn Day // the latest
	remittedOn  Day // the latest on which money moved
	returned    bool
	byAWB       bool // matched on an AWB
}

// matching says which lines of the courier's file belong to which order: by
// AWB if some line bears one of the order's, else by order id; a line belongs to
// one order only, and AWBs go first (decisions, section 3).
type matching struct {
	claims  []claim // one per order, and one more for the lines nobody claims
	next    []int32 // per line: the line linked before it to the same claim
	scratch []int32
	hashed  []hashedLine // scratch
	hasher  maphash.Hash
}

const noLine = -1

func (m *matching) match(orders *Orders, remittances *Remittances) {
	n := orders.Len()
	m.claims = slices.Grow(m.claims[:0], n+1)[:n+1]
	for i := range m.claims {
		m.claims[i] = claim{first: noLine}
	}
	m.next = slices.Grow(m.next[:0], remittances.Len())[:remittances.Len()]

	orders.indexAWBs()
	unclaimed := int32(n)
	for i := range remittances.list {
		m.next[i] = noLine
		line := &remittances.list[i]
		if owner := ownerByAWB(orders, line); owner >= 0 {
			m.claims[owner].byAWB = true
			m.link(owner, int32(i), line)
		} else {
			m.link(unclaimed, int32(i), line)
		}
	}
	m.claimByOrderID(orders, remittances)
	for i := range m.claims {
		if m.claims[i].lines > 1 {
			m.dropRepeats(&m.claims[i], remittances)
		}
	}
}

// ownerByAWB finds the order that bears the line's AWB, or noLine.
func ownerByAWB(orders *Orders, line *Remittance) int32 {
	if line.AWBRounded {
		return noLine
	}
	at := orders.awbs.find(line.AWB)
	if at < 0 {
		return noLine
	}
	owner := orders.awbOrders[at]
	if owner.contested {
		if named := orderOf(orders, line); named >= 0 && orders.bears(&orders.list[named], line.AWB, orders.names.hash(line.AWB)) {
			return int32(named)
		}
	}
	return owner.order
}

// orderOf finds the order that the line names by its id, or -1. The id of a
// cloned order (1001-C) stands for the order itself where nobody bears it.
func orderOf(orders *Orders, line *Remittance) int {
	at := orders.names.find(line.OrderID)
	if original, cloned := cutClone(line.OrderID); at < 0 && cloned {
		return orders.names.find(original)
	}
	return at
}

// claimByOrderID gives the lines that no AWB has claimed to the orders they
// name, if those were not matched by AWB.
func (m *matching) claimByOrderID(orders *Orders, remittances *Remittances) {
	unclaimed := int32(len(m.claims) - 1)
	rest := m.claims[unclaimed].first
	m.claims[unclaimed] = claim{first: noLine}
	for rest != noLine {
		i := rest
		rest = m.next[i]
		line := &remittances.list[i]
		owner := unclaimed
		if at := orderOf(orders, line); at >= 0 && !m.claims[at].byAWB {
			owner = int32(at)
		}
		m.link(owner, i, line)
	}
}

// link adds a line to a claim.
func (m *matching) link(owner, i int32, line *Remittance) {
	c := &m.claims[owner]
	m.next[i], c.first = c.first, i
	c.lines++
	c.collected += line.Collected
	c.remitted += line.Remitted
	c.deliveredOn = max(c.deliveredOn, line.DeliveredOn)
	c.returned = c.returned || line.Returned
	if line.Remitted != 0 {
		c.remittedOn = max(c.remittedOn, line.RemittedOn)
	}
}

// fewLines is up to how many lines are compared each with each.
const fewLines = 8

// dropRepeats takes money that is listed twice out of a claim's sums. What a
// repeated line says besides money still counts.
func (m *matching) dropRepeats(c *claim, remittances *Remittances) {
	lines := m.scratch[:0]
	for i := c.first; i != noLine; i = m.next[i] {
		lines = append(lines, i)
	}
	m.scratch = lines
	list := remittances.list
	if len(lines) <= fewLines {
		for k, i := range lines {
			if slices.ContainsFunc(lines[:k], func(j int32) bool { return list[i].repeats(&list[j]) == 0 }) {
				c.drop(&list[i])
			}
		}
		return
	}
	m.hashed = m.hashed[:0]
	for _, i := range lines {
		m.hashed = append(m.hashed, hashedLine{hash: m.hash(&list[i]), line: i})
	}
	slices.SortFunc(m.hashed, func(a, b hashedLine) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return list[a.line].repeats(&list[b.line])
	})
	for k := 1; k < len(m.hashed); k++ {
		if last, again := &m.hashed[k-1], &m.hashed[k]; last.hash == again.hash && list[again.line].repeats(&list[last.line]) == 0 {
			c.drop(&list[again.line])
		}
	}
}

// hashedLine is a line with a hash that is the same for those that repeat it.
// Long texts would else be compared again and again while lines are sorted.
type hashedLine struct {
	hash uint64
	line int32
}

func (m *matching) hash(r *Remittance) uint64 {
	m.hasher.Reset()
	var numbers [20]byte
	binary.LittleEndian.PutUint64(numbers[:], uint64(r.Remitted))
	binary.LittleEndian.PutUint64(numbers[8:], uint64(r.Collected))
	binary.LittleEndian.PutUint32(numbers[16:], uint32(r.RemittedOn))
	_, _ = m.hasher.Write(numbers[:])
	for _, text := range [...][]byte{r.AWB, r.UTR, r.OrderID} {
		hashFold(&m.hasher, text)
	}
	return m.hasher.Sum64()
}

func (c *claim) drop(line *Remittance) {
	c.lines--
	c.collected -= line.Collected
	c.remitted -= line.Remitted
}
