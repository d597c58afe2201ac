package verdict

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
)

// MoneyWord is what a remittance status says about the money.
type MoneyWord uint8

// What a remittance status may say.
const (
	MoneyPaid    MoneyWord = iota // also for a blank cell, but not for N/A: a listed line is paid unless it says otherwise
	MoneyUnpaid                   // not paid yet, or never
	MoneyUnknown                  // neither: no decision about money may rest on it
)

// Status is a status of a report, and what it means in a column of the money and in
// a column of the shipment.
type Status struct {
	Text      []byte // as the report writes it, shortened if it is long; blank: there is no status
	Money     MoneyWord
	Returned  bool // the parcel went back, or is on its way back
	OnWayBack bool // the parcel is still on its way back; Returned is set too
	NeverLeft bool // the parcel never left the shop
	Reversed  bool // the money is unpaid because it went back or did not arrive, such as a transfer that bounced
	None      bool // the cell says that there is no status, such as N/A
}

// meaning is a set of things that a word can say, in either column.
type meaning uint16

const (
	unpaidWhatever meaning = 1 << iota // the money is unpaid, whatever else the status says
	unpaidUnless                       // the money is unpaid, unless the status also has a paid word
	wentBack                           // unpaid money went back or did not arrive
	unpaidAlone                        // the money is unpaid if the status is this word alone
	paidWord                           // the money is paid, if every other word is known too
	paidAlone                          // the money is paid if the status is this word alone
	besidePaid                         // may stand beside a paid word
	returned
	onWayBack // the parcel is on its way, if it is returned and has not arrived
	arrived
	neverLeft
	pickup
	pickedUp
)

// statusWordLists are the words of statuses in lower case (guide: verdict 1). A
// word that ends in … stands for every word that begins with it. Words with a blank
// between them must stand next to each other.
var statusWordLists = map[meaning][]string{
	unpaidWhatever: {"not", "non", "never", "un…", "yet", "will", "being", "to be"},
	unpaidUnless: {"pending", "initiated", "processing", "in process", "in progress", "queued", "scheduled", "upcoming", "due",
		"awaiting", "awaited", "hold", "withheld", "fail…", "reject…", "bounce…", "return…", "cancel…", "revers…", "disput…", "outstanding"},
	wentBack:    {"fail…", "reject…", "bounce…", "return…", "cancel…", "revers…", "disput…"},
	unpaidAlone: {"no", "n", "false", "0"},
	paidWord: {"remitted", "paid", "settled", "credited", "transferred", "disbursed", "released", "processed",
		"complete…", "success…", "done", "closed"},
	paidAlone: {"yes", "y", "true", "1"},
	besidePaid: {"cod", "amount", "payment", "remittance", "to", "in", "on", "by", "via", "bank", "account", "seller", "merchant",
		"neft", "imps", "rtgs", "upi", "utr", "no", "fully"},
	returned: {"rto", "r t o", "rts", "return…"},
	onWayBack: {"transit", "initiated", "pending", "process", "processing", "undelivered", "dispatched", "out for", "ofd", "lock",
		"requested"},
	arrived:   {"delivered", "complete…", "received"},
	neverLeft: {"cancel…", "not picked", "manifest…", "ready to ship"},
	pickup:    {"pickup…"},
	pickedUp:  {"done", "complete…"},
}

// statusPhrases are the same words by the first byte of the first word.
var statusPhrases = indexStatusPhrases(statusWordLists)

// statusPhrase is one word, or several that stand next to each other. stem says
// that the last word may be longer.
type statusPhrase struct {
	words [][]byte
	stem  bool
	says  meaning
}

func indexStatusPhrases(lists map[meaning][]string) (byFirst [256][]statusPhrase) {
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

// longestStatus is how many bytes of a status are read. A longer text is prose, and
// what it says about the money is unknown.
const longestStatus = 1024

// statusReader reads statuses. The next status uses its memory again.
type statusReader struct {
	text  []byte
	words [][]byte
}

// split returns the words of a status: letters and digits, in lower case. Every
// other character separates words.
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
			s.text = append(s.text, cell[i:i+n]...) // part of a word that is in no list
		} else {
			s.text = append(s.text, ' ')
		}
		i += n
	}
	s.words = slices.AppendSeq(s.words[:0], bytes.FieldsSeq(s.text))
	return s.words
}

// read reads the cell of a status. Money is never taken for paid because a word is
// unknown (guide: verdict 1).
func (s *statusReader) read(cell []byte) Status {
	text := domain.Unwrap(cell)
	if domain.IsSeparator(text) {
		return Status{}
	}
	words := s.split(text[:min(len(text), longestStatus)])
	var says meaning
	known := len(words) > 0 && len(text) <= longestStatus // every word is known
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
	money := moneyOf(says, len(words) == 1, known)
	return Status{
		Text:      text,
		Money:     money,
		Reversed:  money == MoneyUnpaid && says&wentBack != 0,
		Returned:  says&returned != 0,
		OnWayBack: says&(returned|onWayBack|arrived) == returned|onWayBack,
		NeverLeft: says&neverLeft != 0 || says&(pickup|pickedUp) == pickup,
		None:      domain.SaysNone(text),
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

// isNumber says whether a text has no other characters than digits.
func isNumber(word []byte) bool {
	for _, c := range word {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// statuses keeps the statuses of a report, each once, whatever its column. A report
// has few different ones and repeats them on every line, so each is read once.
type statuses struct {
	kept   []Status // by StatusID; the first stands for a blank cell
	cells  keyIndex // the cells as the report writes them, at the same positions
	reader statusReader
}

const (
	comparedStatus = 128  // bytes; a longer status is kept anew each time it comes
	manyStatuses   = 4096 // a report with more of them leaves no memory for the next one
)

// reset forgets the statuses. The next ones are kept in texts.
func (s *statuses) reset(texts *arena) {
	if len(s.kept) > manyStatuses {
		*s = statuses{}
	}
	clear(s.kept)
	s.cells.exact = true
	s.cells.reset(texts)
	s.kept = s.kept[:0]
	s.keep(Status{})
}

// append adds the statuses of others, without comparing them. It returns by how much
// their places grow.
func (s *statuses) append(others *statuses, texts *arena) int {
	if len(others.kept) == 0 {
		return 0
	}
	if len(s.kept) == 0 {
		s.reset(texts)
	}
	before := len(s.kept) - 1
	for _, status := range others.kept[1:] {
		s.keep(status)
	}
	return before
}

// add returns the StatusID of a cell, which is 0 if the cell is blank.
func (s *statuses) add(cell []byte, texts *arena) StatusID {
	switch {
	case len(cell) == 0:
		return 0
	case len(s.kept) == 0:
		s.reset(texts)
	}
	if len(cell) > comparedStatus {
		read := s.reader.read(cell)
		read.Text = texts.keep(domain.CutText(read.Text, comparedStatus))
		return s.keep(read)
	}
	at, isNew := s.cells.add(cell)
	if isNew {
		s.cells.keys[at] = texts.put(cell)
		s.kept = append(s.kept, s.reader.read(s.cells.key(int32(at))))
	}
	if len(s.kept[at].Text) == 0 {
		return 0
	}
	return StatusID(at)
}

// keep adds a status that no cell is compared with.
func (s *statuses) keep(read Status) StatusID {
	s.kept = append(s.kept, read)
	return StatusID(s.cells.addHidden(0))
}
