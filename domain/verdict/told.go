package verdict

// A line may have no order id, and no order its AWB, and yet its order be known: by the id of a line for which it stands, because a
// report that has ids is corrected by one that has none (guide: verdict 3). The id stands beside the line, not in it: else the line would
// not be the same when a report lists it again.

// standsFor says that a line counts in place of another one of its parcel.
type standsFor struct{ line, other int32 }

// standFor notes that a line stands for another one, if it may need its order id.
func (c *corrections) standFor(m *matching, line, other int32) {
	if l := &m.lines[line]; len(l.OrderID) == 0 && l.tellsParcel() && m.orders.awbs.find(l.AWB) < 0 {
		c.standing = append(c.standing, standsFor{line, other})
	}
}

// learnOrders gives lines the order ids of those for which they stand, and says whether there are such lines that had none. Where the ids
// differ, a line gets none.
func (m *matching) learnOrders(standing []standsFor) (more bool) {
	for learned := true; learned; more = more || learned {
		learned = false
		for _, s := range standing {
			id, is := m.told[s.other]
			if own := m.lines[s.other].OrderID; len(own) > 0 {
				id, is = own, true
			}
			known, has := m.told[s.line]
			if !is || has && (len(known) == 0 || sameKey(known, id)) {
				continue
			}
			if has {
				id = nil
			}
			if m.told == nil {
				m.told = map[int32][]byte{}
			}
			m.told[s.line], learned = id, true
		}
	}
	if more {
		m.tellRepeats()
	}
	return more
}

// tellRepeats gives lines the order ids of those that they repeat.
func (m *matching) tellRepeats() {
	if len(m.told) == 0 {
		return
	}
	hasher, looks, ids := &m.corrections.hasher, newLooks(len(m.told)), make(map[uint64][]byte, len(m.told))
	for i, id := range m.told {
		looks.add(&m.lines[i])
		hash := hasher.line(&m.lines[i])
		if known, is := ids[hash]; is && !sameKey(known, id) {
			id = nil
		}
		ids[hash] = id
	}
	for i := range m.lines {
		if line := &m.lines[i]; looks.mayHave(line) && len(line.OrderID) == 0 && line.tellsParcel() {
			if id, is := ids[hasher.line(line)]; is {
				m.told[int32(i)] = id
			}
		}
	}
}
