package domain

import (
	"bytes"
	"hash/maphash"
	"unicode"
	"unicode/utf8"
)

// MoneyWord is what a remittance status says of the money.
type MoneyWord uint8

// What a remittance status may say.
const (
	MoneyPaid    MoneyWord = iota // blank as well, but not N/A: a line that is listed is paid unless it says otherwise
	MoneyUnpaid                   // not yet, or not at all
	MoneyUnknown                  // neither: no money may hang on it
)

// Status is a status of a report, and what it says in the column of the money
// and in the column of the shipment.
type Status struct {
	Text      []byte // as it stands in the report, shortened if it is long; blank: there is none
	Money     MoneyWord
	Returned  bool // the parcel went back, or is on its way back
	NeverLeft bool // the parcel never left the shop
	None      bool // it says that there is none, such as N/A: no word on the shipment
}

// meaning is what a word says, in either column.
type meaning uint16

const (
	unpaidWhatever meaning = 1 << iota // whatever else the status says
	unpaidUnless                       // unless the status has a paid word
	unpaidAlone                        // if the status says nothing else
	paidWord
	paidAlone
	besidePaid // may stand beside a paid word
	returned
	neverLeft
	pickup
	pickedUp
)

// statusWordLists are the words of statuses (decisions, section 1), in small
// letters. A word that ends in … stands for every word that begins with it; words
// with a blank between them must stand next to each other.
var statusWordLists = map[meaning][]string{
	unpaidWhatever: {"not", "non", "never", "un…", "yet", "will", "being", "to be"},
	unpaidUnless: {"pending", "initiated", "processing", "in process", "in progress", "queued", "scheduled", "upcoming", "due",
		"awaiting", "awaited", "hold", "withheld", "fail…", "reject…", "bounce…", "return…", "cancel…", "revers…", "disput…", "outstanding"},
	unpaidAlone: {"no", "n", "false", "0"},
	paidWord: {"remitted", "paid", "settled", "credited", "transferred", "disbursed", "released", "processed",
		"complete…", "success…", "done", "closed"},
	paidAlone: {"yes", "y", "true", "1"},
	besidePaid: {"cod", "amount", "payment", "remittance", "to", "in", "on", "by", "via", "bank", "account", "seller", "merchant",
		"neft", "imps", "rtgs", "upi", "utr", "no", "fully"},
	returned:  {"rto", "r t o", "rts", "return…"},
	neverLeft: {"cancel…", "not picked", "manifest…", "ready to ship"},
	pickup:    {"pickup…"},
	pickedUp:  {"done", "complete…"},
}

// statusPhrases are the same by the first byte of the first word.
var statusPhrases = statusPhrasesOf(statusWordLists)

// statusPhrase is a word or several that stand next to each other; stem says that the
// last may go on.
type statusPhrase struct {
	words [][]byte
	stem  bool
	says  meaning
}

func statusPhrasesOf(lists map[meaning][]string) (byFirst [256][]statusPhrase) {
	for says, list := range lists {
		for _, text := range list {
			stem, isStem := bytes.CutSuffix([]byte(text), []byte("…"))
			p := statusPhrase{words: bytes.Fields(stem), stem: isStem, says: says}
			first := p.words[0][0]
			byFirst[first] = append(byFirst[first], p)
		}
	}
	return byFirst
}

// begins says that words begin with the phrase.
func (p *statusPhrase) begins(words [][]byte) bool {
	if len(words) < len(p.words) {
		return false
	}
	last := len(p.words) - 1
	for i, want := range p.words[:last] {
		if !bytes.Equal(words[i], want) {
			return false
		}
	}
	return bytes.Equal(words[last], p.words[last]) || p.stem && bytes.HasPrefix(words[last], p.words[last])
}

// longestStatus is how many bytes of a status are read. What is longer is prose,
// and what it says of the money is unknown.
const longestStatus = 1024

// statusReader takes statuses apart. Its memory is used again.
type statusReader struct {
	text  []byte
	words [][]byte
}

// split gives the words of a status: letters and digits, in small letters, with
// everything else as blanks between them.
func (s *statusReader) split(cell []byte) [][]byte {
	s.text = s.text[:0]
	for i := 0; i < len(cell); {
		c := cell[i]
		if c < utf8.RuneSelf {
			switch {
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
			case 'a' <= c && c <= 'z', isDigit(c):
			default:
				c = ' '
			}
			s.text = append(s.text, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(cell[i:])
		if r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			s.text = append(s.text, cell[i:i+n]...) // of a word that no list has
		} else {
			s.text = append(s.text, ' ')
		}
		i += n
	}
	s.words = s.words[:0]
	for rest := s.text; ; {
		for len(rest) > 0 && rest[0] == ' ' {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return s.words
		}
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		s.words = append(s.words, rest[:end])
		rest = rest[end:]
	}
}

// read reads the cell of a status. Money is never taken for paid because a word
// is unknown (decisions, section 1).
func (s *statusReader) read(cell []byte) Status {
	text := Unwrapped(cell)
	if IsSeparator(text) {
		return Status{}
	}
	words := s.split(text[:min(len(text), longestStatus)])
	var says meaning
	known := len(words) > 0 && len(text) <= longestStatus // beside paid words there is nothing else
	for i, word := range words {
		var here meaning
		for k := range statusPhrases[word[0]] {
			if p := &statusPhrases[word[0]][k]; p.begins(words[i:]) {
				here |= p.says
			}
		}
		says |= here
		known = known && (here&(paidWord|besidePaid) != 0 || isNumber(word))
	}
	return Status{
		Text:      text,
		Money:     moneyOf(says, len(words) == 1, known),
		Returned:  says&returned != 0,
		NeverLeft: says&neverLeft != 0 || says&(pickup|pickedUp) == pickup,
		None:      saysNone(text),
	}
}

func moneyOf(says meaning, alone, known bool) MoneyWord {
	switch {
	case says&unpaidWhatever != 0, alone && says&unpaidAlone != 0:
		return MoneyUnpaid
	case alone && says&paidAlone != 0, says&paidWord != 0 && known:
		return MoneyPaid
	case says&paidWord == 0 && says&unpaidUnless != 0:
		return MoneyUnpaid
	}
	return MoneyUnknown
}

func isNumber(word []byte) bool {
	for _, c := range word {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// statuses keeps the statuses of a report, each once, whatever its column. A
// report has few and says them on every line, so they are read once.
type statuses struct {
	kept   []Status // the first is none
	keys   [][]byte // the cells as they stood; of one that was too long, none
	slots  []slot   // at is a place among those kept
	seed   maphash.Seed
	reader statusReader
}

const (
	comparedStatus = 128  // bytes up to which a status is compared with others
	manyStatuses   = 4096 // more of them leave no memory behind
)

func (s *statuses) reset() {
	if len(s.kept) > manyStatuses {
		*s = statuses{}
	}
	clear(s.kept)
	clear(s.keys)
	clear(s.slots)
	s.kept, s.keys = append(s.kept[:0], Status{}), append(s.keys[:0], nil)
	s.seed = maphash.MakeSeed()
}

// add gives the place of a status among those kept; 0 is that of blank ones.
func (s *statuses) add(cell []byte, texts *arena) StatusID {
	switch {
	case len(cell) == 0:
		return 0
	case len(s.kept) == 0:
		s.reset()
	}
	if len(cell) > comparedStatus {
		read := s.reader.read(cell)
		read.Text = texts.keep(cutText(read.Text, comparedStatus))
		return s.keep(read, nil)
	}
	if 8*len(s.kept) >= 7*len(s.slots) {
		s.grow()
	}
	hash := uint32(maphash.Bytes(s.seed, cell))
	mask := uint32(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		switch {
		case at.at == 0:
			key := texts.keep(cell)
			id := s.keep(s.reader.read(key), key)
			*at = slot{hash: hash, at: uint32(id)}
			return s.given(id)
		case at.hash == hash && bytes.Equal(s.keys[at.at], cell):
			return s.given(StatusID(at.at))
		}
	}
}

func (s *statuses) keep(read Status, key []byte) StatusID {
	s.kept, s.keys = append(s.kept, read), append(s.keys, key)
	return StatusID(len(s.kept) - 1)
}

// given is 0 in place of a blank status.
func (s *statuses) given(id StatusID) StatusID {
	if len(s.kept[id].Text) == 0 {
		return 0
	}
	return id
}

// cutText cuts a text after at most so many bytes, at a character's edge.
func cutText(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func (s *statuses) grow() {
	old := s.slots
	s.slots = make([]slot, max(2*len(old), 64))
	mask := uint32(len(s.slots) - 1)
	for _, was := range old {
		if was.at == 0 {
			continue
		}
		i := was.hash & mask
		for s.slots[i].at != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = was
	}
}
