package answer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// chunk is how many bytes are gathered before they are written. It is large because each
// write of an HTTP answer costs a few system calls. slack is the room beyond it for the
// last result, which is enough unless its names are enormous.
const (
	chunk = 256 << 10
	slack = 4 << 10
)

// Writer writes answers.
type Writer struct {
	words   peers.Wording
	names   peers.Names
	buffers sync.Pool
	helpers atomic.Int32 // goroutines that make results beside those that write answers
}

// New makes a Writer that puts reasons, warnings and errors into words, and uses names in
// the warnings and errors.
func New(words peers.Wording, names peers.Names) *Writer {
	return &Writer{words: words, names: names, buffers: sync.Pool{New: func() any {
		b := make([]byte, 0, chunk+slack)
		return &b
	}}}
}

// Write begins with the results, so that the first of them are sent before the rest is
// made.
func (w *Writer) Write(out io.Writer, o *ports.FinishedRun, resultsOnly bool) error {
	if a, ok := o.Begun.(*ahead); ok {
		o.Begun = nil
		if a.ends(o) {
			a.out = out
			return a.end(nil)
		}
		w.keep(a.b)
	}
	return w.stream(out, func(s *stream) error { return s.answer(o, resultsOnly) })
}

func (w *Writer) WriteResult(out io.Writer, o *ports.FinishedRun, i int) error {
	return w.stream(out, func(s *stream) error {
		f := o.Result(i)
		s.result(o.Reconciliation, i, &f)
		if err := s.besides(o, i, &f); err != nil {
			return err
		}
		if o.Remembers() {
			item := o.Item(i)
			s.b = appendGiven(s.b, `,"courier":`, []byte(item.Now.Courier))
			s.b = appendHistory(strconv.AppendBool(append(s.b, `,"in_export":`...), item.Exported), &item)
		}
		s.b = append(s.b, '}')
		return nil
	})
}

// WritePage writes what a page shows first in a line of its own, so that the page shows
// it while the results arrive.
func (w *Writer) WritePage(out io.Writer, o *ports.FinishedRun, words, letter peers.Wording, names peers.Names) error {
	return w.stream(out, func(s *stream) error {
		s.letter, s.words, s.names = letter, words, names
		s.b = append(s.b, '{')
		s.sums(o)
		s.about(o)
		s.b = append(s.b, ",\n"...)
		if err := s.findings(o); err != nil {
			return err
		}
		if err := s.included(o); err != nil {
			return err
		}
		s.b = append(s.b, '}', '\n')
		return nil
	})
}

// stream is an answer that is being written. Bytes are appended to b, and written when
// there are enough.
type stream struct {
	writer  *Writer
	words   peers.Wording
	names   peers.Names
	out     io.Writer
	b       []byte
	partial bool          // some of the answer has been written
	reason  domain.Reason // of the result at hand; a variable of its own would be allocated per row

	letter  peers.Wording // the words of the dispute letter, in an answer for a page; nil: it is for others
	dispute verdict.Dispute

	repeated int // where the answer of a duplicate says that it is one

	status     string // of the last result
	statusText []byte // as a JSON string
}

// stream lets compose append an answer to a buffer from the pool, and then writes what is
// left in the buffer. If compose returns an error, that is not written.
func (w *Writer) stream(out io.Writer, compose func(*stream) error) error {
	s := w.begin(out)
	return s.end(compose(s))
}

func (w *Writer) begin(out io.Writer) *stream {
	return &stream{writer: w, words: w.words, names: w.names, out: out, b: *w.buffers.Get().(*[]byte)}
}

// end writes what is left in the buffer, unless composing the answer has failed.
func (s *stream) end(err error) error {
	if err == nil {
		if sized, ok := s.out.(interface{ Size(n int) }); ok && !s.partial {
			sized.Size(len(s.b))
		}
		_, err = s.out.Write(s.b)
	}
	s.writer.keep(s.b)
	return err
}

// keep keeps a buffer for later answers, unless it has become large.
func (w *Writer) keep(b []byte) {
	if b != nil && cap(b) <= 2*(chunk+slack) {
		w.buffers.Put(new(b[:0]))
	}
}

func (s *stream) flushIfLong() error {
	if len(s.b) < chunk {
		return nil
	}
	_, err := s.out.Write(s.b)
	s.b, s.partial = s.b[:0], true
	return err
}

// answer appends a whole body.
func (s *stream) answer(o *ports.FinishedRun, resultsOnly bool) error {
	s.b = append(s.b, '{')
	if err := s.run(o, resultsOnly); err != nil {
		return err
	}
	s.b = append(s.b, '}', '\n')
	return nil
}

// run appends the fields of the contract's answer, and what is included besides.
func (s *stream) run(o *ports.FinishedRun, resultsOnly bool) error {
	if err := s.findings(o); err != nil || resultsOnly {
		return err
	}
	s.repeated = len(s.b)
	s.about(o)
	return s.included(o)
}

func (s *stream) findings(o *ports.FinishedRun) error {
	s.b = append(s.b, `"results":[`...)
	if s.letter == nil && o.Include == 0 && o.Len() >= worthAnotherCore && s.writer.takeHelper() {
		defer s.writer.helpers.Add(-1)
		if err := s.inTurns(o); err != nil {
			return err
		}
		s.b = append(s.b, ']')
		return nil
	}
	var order []int32 // nil: that of the export
	if s.letter != nil {
		order = o.ToActOn()
	}
	for at := range o.Len() {
		i := at
		if order != nil {
			i = int(order[at])
		}
		if at > 0 {
			s.b = append(s.b, ',')
		}
		f := o.Result(i)
		s.result(o.Reconciliation, i, &f)
		if err := s.besides(o, i, &f); err != nil {
			return err
		}
		s.b = append(s.b, '}')
		s.endRow()
		if err := s.flushIfLong(); err != nil {
			return err
		}
	}
	s.b = append(s.b, ']')
	return nil
}

// endRow ends a line after each object of a list in an answer for a page, which finds them by that.
func (s *stream) endRow() {
	if s.letter != nil {
		s.b = append(s.b, '\n')
	}
}

// about appends what the answer says of the run as a whole.
func (s *stream) about(o *ports.FinishedRun) {
	s.repeats(o)
	if o.Accepts() {
		s.b = o.Accepted.AppendRupees(append(s.b, `,"accepted_charges":`...))
	}
	s.b = append(s.b, `,"cycle_guidance":`...)
	s.value(view.NewGuidance(&o.Guidance))
	s.warnings(o.Warnings())
}

// repeats appends which run the answer repeats.
func (s *stream) repeats(o *ports.FinishedRun) {
	if o.Duplicate {
		s.b = append(s.b, `,"duplicate":true`...)
	}
	if o.Duplicate || s.letter != nil && o.Run.ID != "" {
		s.b = appendText(append(s.b, `,"run_id":`...), []byte(o.Run.ID))
	}
}

// besides appends what the request has asked for in each result, and what pages get.
func (s *stream) besides(o *ports.FinishedRun, i int, f *verdict.Result) error {
	if s.letter != nil && f.Flag.IsFlagged() && f.Shortfall > 0 {
		s.b = appendGiven(s.b, `,"courier":`, []byte(o.Item(i).Now.Courier))
		s.disputeOf(o.Reconciliation, i)
	}
	if o.Include.Has(domain.IncludeOrders) {
		s.details(o.Reconciliation, i, f)
	}
	if o.Include.Has(domain.IncludeLines) {
		return s.lines(o.Reconciliation, i)
	}
	return nil
}

// result begins the object of a result, with the contract's fields.
func (s *stream) result(r *verdict.Reconciliation, i int, f *verdict.Result) {
	b := s.b
	r.Explain(i, &s.reason)
	b = appendText(append(b, `{"awb":`...), f.AWB)
	b = appendText(append(b, `,"order_id":`...), f.OrderID)
	b = f.Due.AppendRupees(append(b, `,"cod_amount":`...))
	b = f.Remitted.AppendRupees(append(b, `,"remitted":`...))
	b = f.Shortfall.AppendRupees(append(b, `,"shortfall":`...))
	b = strconv.AppendInt(append(b, `,"days_overdue":`...), int64(f.DaysOverdue), 10)
	b = append(append(append(b, `,"flag":"`...), f.Flag.String()...), `","flag_reason":"`...)
	text := len(b)
	if b = s.words.AppendReason(b, &s.reason); s.reason.Quotes() {
		b = escaped(b, text)
	}
	if f.Status != s.status || len(s.statusText) == 0 {
		s.status, s.statusText = f.Status, appendText(s.statusText[:0], []byte(f.Status))
	}
	b = append(append(append(b, `","status":`...), s.statusText...), `,"match_mode":"`...)
	b = append(b, f.MatchMode.String()...)
	s.b = append(b, '"')
}

// warnings appends the warnings of the run (guide: verdict 6); nothing if there are
// none.
func (s *stream) warnings(all []domain.Warning) {
	if len(all) == 0 {
		return
	}
	views := make([]view.AnswerWarning, len(all))
	for i := range all {
		views[i] = view.NewAnswerWarning(&all[i], s.words.Warning(&all[i], s.names))
	}
	s.b = append(s.b, `,"warnings":`...)
	s.value(views)
}

// value appends the JSON of a view, in which <, > and & are not escaped. It is for what an answer
// has few of.
func (s *stream) value(v any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // texts and numbers always encode
	s.b = append(s.b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}

// appendText appends a JSON string. Nearly every text needs no escaping and is
// copied whole.
func appendText(b, text []byte) []byte {
	b = append(b, '"')
	if plain(text) {
		return append(append(b, text...), '"')
	}
	return append(appendEscaped(slices.Grow(b, len(text)), text), '"') // a list of AWBs may have many MB
}

// escaped escapes, for a JSON string, the end of b from start on. Reasons and warnings
// repeat texts of the files, and very few of these need it.
func escaped(b []byte, start int) []byte {
	if fitsString(b[start:]) {
		return b
	}
	end := len(b)
	b = appendEscaped(b, b[start:end])
	return append(b[:start], b[end:]...)
}

func appendEscaped(b, text []byte) []byte {
	for {
		n := fitting(text)
		b, text = append(b, text[:n]...), text[n:]
		if len(text) == 0 {
			return b
		}
		switch c := text[0]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n') // as short as in a request, so that no answer outgrows it
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ':
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', hex[0], hex[0], hex[c>>4], hex[c&15])
		default:
			b = append(b, "\ufffd"...) // no UTF-8
		}
		text = text[1:]
	}
}

// plain says whether a text is ASCII that needs no escaping.
func plain(text []byte) bool {
	if last := len(text) - 8; last >= 0 {
		odd := oddBytes(binary.LittleEndian.Uint64(text[last:]))
		for at := 0; at < last; at += 8 {
			odd |= oddBytes(binary.LittleEndian.Uint64(text[at:]))
		}
		return odd == 0
	}
	for _, c := range text {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// oddBytes sets the highest bit of each of eight bytes that is a control character, a quote,
// a backslash or not ASCII. Bytes above such a byte may be marked by mistake, so only the
// lowest mark counts.
func oddBytes(x uint64) uint64 {
	const each = 0x0101010101010101 // a byte, eight times
	quote, backslash := x^'"'*each, x^'\\'*each
	return (x | (x - ' '*each) | (quote - each) | (backslash - each)) & (0x80 * each)
}

// fitsString says whether a text is UTF-8 that a JSON string may hold as it is.
func fitsString(text []byte) bool { return fitting(text) == len(text) }

// fitting returns how many bytes at the beginning of a text a JSON string may hold as they
// are. It is for long texts with characters beyond ASCII, such as reasons, and looks at
// eight bytes at a time.
func fitting(text []byte) int {
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			odd := oddBytes(binary.LittleEndian.Uint64(text[i:]))
			if odd == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(odd) / 8
		}
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				return i
			}
			i++
			continue
		}
		// A byte from 0xc2 to 0xdf begins a character with any continuation byte, one
		// from 0xe0 to 0xef with any two, but for what is too short or a surrogate.
		if 0xc2 <= c && c < 0xe0 && i+1 < len(text) && text[i+1]&0xc0 == 0x80 {
			for i += 2; i+1 < len(text) && 0xc2 <= text[i] && text[i] < 0xe0 && text[i+1]&0xc0 == 0x80; {
				i += 2 // another one is the likeliest to follow
			}
			continue
		}
		if c&0xf0 == 0xe0 && i+2 < len(text) && text[i+1]&0xc0 == 0x80 && text[i+2]&0xc0 == 0x80 && (c != 0xe0 || text[i+1] >= 0xa0) &&
			(c != 0xed || text[i+1] < 0xa0) {
			i += 3
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}
