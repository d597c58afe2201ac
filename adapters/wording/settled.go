package wording

import "milaan/domain"

// settled is the reason of an order that is fully remitted, of which nothing else
// is to be said, made ready when the language is read: nine of ten reasons are it.
type settled struct {
	ready bool
	ways  [2][]segment // without a date of the remittance, and with one
}

// segment is words and the value that follows them, if any.
type segment struct {
	words string
	value value
}

// settle makes the settled reasons ready. A language whose words for them tell of
// more than the amounts and the date goes the way of all other reasons.
func (c *Catalogue) settle() {
	beginning := segment{words: c.phrases[fullyRemitted] + c.colon}
	for i, told := range [...]reason{{Flag: domain.Reconciled}, {Flag: domain.Reconciled, RemittedOn: 1}} {
		if c.advice[domain.Reconciled].choose(&told) != nil {
			return
		}
		segments, ok := flatten([]segment{beginning}, c.figures[whole].choose(&told), &told)
		if !ok {
			return
		}
		c.settled.ways[i] = segments
	}
	c.settled.ready = true
}

// flatten appends a wording without its groups; false if it tells of a value that
// settled cannot.
func flatten(into []segment, w wording, of *reason) ([]segment, bool) {
	ok := len(w) > 0
	for i := range w {
		p := &w[i]
		if last := &into[len(into)-1]; last.value == noValue {
			last.words += p.words
		} else {
			into = append(into, segment{words: p.words})
		}
		into[len(into)-1].value = p.value
		switch {
		case p.group != nil && p.group.told(of):
			into, ok = flatten(into, p.group, of)
		case p.value != noValue && p.value != due && p.value != remitted && p.value != remittedOn:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return into, ok
}

func (s *settled) append(dst []byte, r *domain.Reason) []byte {
	way := s.ways[0]
	if r.RemittedOn != domain.NoDay {
		way = s.ways[1]
	}
	for i := range way {
		dst = append(dst, way[i].words...)
		switch way[i].value {
		case due:
			dst = r.Due.AppendText(dst)
		case remitted:
			dst = r.Remitted.AppendText(dst)
		case remittedOn:
			dst = r.RemittedOn.AppendTo(dst)
		}
	}
	return dst
}
