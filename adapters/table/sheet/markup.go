package sheet

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// The limits of XML. Excel's longest cell has 32,767 characters.
const (
	pieceSize    = 256 << 10 // bytes that are inflated at once
	longestToken = 1 << 20
	longestName  = 1 << 10
	deepest      = 200 // elements in one another
)

// token is what stands next in XML.
type token uint8

// The tokens. An element without content is opened and closed.
const (
	ended  token = iota // nothing stands next, or an error
	opened              // name and attributes are set
	closed              // name is set
	texted              // text is set
)

// markup reads XML while it is inflated, and holds no more of it than the token that it
// reads. It checks that elements are closed as they were opened, and expands no entities
// but the five of XML: a document type is an error, as other readers expand what it says.
type markup struct {
	in       *part
	buf      []byte
	at       int // of the next byte in buf
	end      int // of what was read into buf
	done     bool
	err      error
	inflated int64 // how many bytes were read from in

	name   []byte // without prefix
	attrs  []byte // of the opened element, as they stand
	text   []byte // as it stands
	cdata  bool   // the text has no references
	typed  bool   // a document type may stand there, which declares nothing itself
	empty  bool   // the opened element has no content: its closing is the next token
	depth  int    // how many elements are open, with the one just opened and without the one just closed
	rooted bool   // the first element has been opened

	open []byte // the names of the open elements
	ends []int32
}

func newMarkup(in *part) *markup {
	need := int(min(pieceSize, in.size+1)) // and one byte, to see the end
	if a := in.archive; len(a.buffer) < need {
		a.buffer = make([]byte, need)
	}
	return &markup{in: in, buf: in.archive.buffer}
}

// eachElement calls do for each element of a part, once it is opened. typed is as in markup.
func (a *archive) eachElement(part string, typed bool, do func(m *markup) error) error {
	in, err := a.open(part)
	if err != nil {
		return err
	}
	defer in.Close()
	m := newMarkup(in)
	m.typed = typed
	for {
		switch m.next() {
		case ended:
			return m.err
		case opened:
			if err := do(m); err != nil {
				return err
			}
		}
	}
}

// fail ends the XML.
func (m *markup) fail(err error) token {
	m.err = cmp.Or(m.err, err)
	return ended
}

// malformed ends the XML for something that it may not have.
func (m *markup) malformed(what string) token {
	return m.fail(fmt.Errorf("%w: %s", ErrBroken, what))
}

// more reads more bytes behind those that are not used yet, and returns false at the end.
// What at and slices of buf stand for moves.
func (m *markup) more() bool {
	if m.done || m.err != nil {
		return false
	}
	if m.at > 0 {
		m.end = copy(m.buf, m.buf[m.at:m.end])
		m.at = 0
	}
	if m.end == len(m.buf) {
		if m.end >= longestToken {
			m.fail(ErrLarge)
			return false
		}
		m.buf = append(m.buf, make([]byte, len(m.buf))...)
		m.in.archive.buffer = m.buf
	}
	from := m.end
	for m.end < len(m.buf) {
		n, err := m.in.Read(m.buf[m.end:])
		m.end += n
		m.inflated += int64(n)
		if errors.Is(err, io.EOF) {
			m.done = true
			return m.end > from
		}
		if err != nil {
			m.fail(err)
			return false
		}
		if n > 0 && len(m.buf)-m.end < pieceSize/4 {
			break
		}
	}
	return true
}

// index is where a byte stands, from m.at+from on; it reads until it is there. -1 if it
// does not come.
func (m *markup) index(from int, b byte) int {
	for {
		if n := bytes.IndexByte(m.buf[m.at+from:m.end], b); n >= 0 {
			return from + n
		}
		from = m.end - m.at
		if !m.more() {
			return -1
		}
	}
}

func (m *markup) next() token {
	if m.empty {
		m.empty = false
		return m.close()
	}
	for m.err == nil {
		if m.at == m.end && !m.more() {
			break
		}
		if m.buf[m.at] != '<' {
			n := m.index(0, '<')
			if n < 0 {
				n = m.end - m.at
			}
			m.text, m.cdata = m.buf[m.at:m.at+n], false
			m.at += n
			if m.depth > 0 {
				return texted
			}
			if len(bytes.TrimSpace(bytes.TrimPrefix(m.text, []byte("\ufeff")))) > 0 {
				return m.malformed("text outside of all elements")
			}
			continue
		}
		for m.end-m.at < len("<![CDATA[") && m.more() {
		}
		if m.end-m.at < 2 {
			return m.malformed("it ends in a tag")
		}
		switch m.buf[m.at+1] {
		case '/':
			return m.closeTag()
		case '?':
			if !m.instruction() {
				return ended
			}
		case '!':
			if t := m.declaration(); t != opened {
				return t
			}
		default:
			return m.openTag()
		}
	}
	if m.err == nil && (m.depth > 0 || !m.rooted) {
		return m.malformed("it ends too early")
	}
	return ended
}

// instruction passes over <?…?>. The one at the beginning may say that the text is UTF-8,
// or ASCII, and nothing else.
func (m *markup) instruction() bool {
	end := m.past("?>")
	if end < 0 {
		return false
	}
	tag := m.buf[m.at : m.at+end]
	if !m.rooted && bytes.HasPrefix(tag, []byte("<?xml ")) {
		if coding := attribute(tag[len("<?xml"):len(tag)-len("?>")], "encoding"); coding != nil && !bytes.EqualFold(coding, []byte("utf-8")) &&
			!bytes.EqualFold(coding, []byte("us-ascii")) && !bytes.EqualFold(coding, []byte("utf8")) {
			m.malformed("it is not UTF-8")
			return false
		}
	}
	m.at += end
	return true
}

// past is where the bytes after a text begin that ends a comment or the like, counted
// from m.at; -1 if it does not come.
func (m *markup) past(text string) int {
	for from := 0; ; {
		n := m.index(from, text[len(text)-1])
		if n < 0 {
			m.malformed("it ends in a comment or a declaration")
			return -1
		}
		if from = n + 1; from >= len(text) && string(m.buf[m.at+from-len(text):m.at+from]) == text {
			return from
		}
	}
}

// declaration passes over a comment, and returns texted for CDATA and opened if what
// follows is to be read.
func (m *markup) declaration() token {
	switch rest := m.buf[m.at:m.end]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		m.at += len("<!--") // <!--> is no comment
		end := m.past("-->")
		if end < 0 {
			return ended
		}
		m.at += end
		return opened
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && m.depth > 0:
		end := m.past("]]>")
		if end < 0 {
			return ended
		}
		m.text, m.cdata = m.buf[m.at+len("<![CDATA["):m.at+end-len("]]>")], true
		m.at += end
		return texted
	}
	if rest := m.buf[m.at:m.end]; m.typed && !m.rooted && bytes.HasPrefix(rest, []byte("<!DOCTYPE")) {
		end := m.past(">")
		if end >= 0 && bytes.IndexByte(m.buf[m.at:m.at+end], '[') < 0 {
			m.at += end
			return opened
		}
	}
	return m.malformed("it declares something")
}

// tagEnd is where the > of a tag stands, counted from m.at, which is none in an
// attribute's value; -1 if there is none.
func (m *markup) tagEnd() int {
	from := 1
	for {
		end := m.index(from, '>')
		if end < 0 {
			m.malformed("it ends in a tag")
			return -1
		}
		rest := m.buf[m.at+from : m.at+end]
		if bytes.Count(rest, []byte{'"'})%2 == 0 && bytes.IndexByte(rest, '\'') < 0 && bytes.IndexByte(rest, '<') < 0 { // nearly every tag
			return end
		}
		quote, closing := byte(0), from
		for i, c := range rest {
			switch {
			case quote == 0 && (c == '"' || c == '\''):
				quote, closing = c, from+i+1
			case quote == 0 && c == '<':
				m.malformed("a tag in a tag")
				return -1
			case c == quote:
				quote = 0
			}
		}
		if quote == 0 {
			return end
		}
		n := m.index(max(closing, end), quote) // > in a value
		if n < 0 {
			m.malformed("it ends in a tag")
			return -1
		}
		from = n + 1
	}
}

// openTag reads <name attributes>.
func (m *markup) openTag() token {
	end := m.tagEnd()
	if end < 0 {
		return ended
	}
	tag := m.buf[m.at+1 : m.at+end]
	m.at += end + 1
	m.empty = len(tag) > 0 && tag[len(tag)-1] == '/'
	if m.empty {
		tag = tag[:len(tag)-1]
	}
	n := nameEnd(tag)
	name := tag[:n]
	if n > longestName {
		return m.fail(ErrLarge)
	}
	if n == 0 || name[0]-'a' > 25 && name[0]-'A' > 25 && name[0] != '_' && name[0] < utf8.RuneSelf {
		return m.malformed("an element without a name")
	}
	if m.depth == 0 && m.rooted {
		return m.malformed("a second document")
	}
	if m.depth++; m.depth > deepest {
		return m.malformed("too many elements in one another")
	}
	if m.in.archive.tags == 0 && !m.in.archive.takeTags() {
		return m.fail(ErrLarge)
	}
	m.in.archive.tags--
	m.rooted = true
	m.open = append(m.open, name...)
	m.ends = append(m.ends, int32(len(m.open)))
	m.name, m.attrs = localName(name), tag[n:]
	return opened
}

// closeTag reads </name>.
func (m *markup) closeTag() token {
	end := m.index(2, '>')
	if end < 0 {
		return m.malformed("it ends in a tag")
	}
	name := m.buf[m.at+2 : m.at+end]
	name = name[:nameEnd(name)]
	m.at += end + 1
	if m.depth == 0 || !bytes.Equal(name, m.last()) {
		return m.malformed("an element is closed that is not open")
	}
	return m.close()
}

// last is the name of the element that was opened last.
func (m *markup) last() []byte {
	from := int32(0)
	if n := len(m.ends); n > 1 {
		from = m.ends[n-2]
	}
	return m.open[from:]
}

// close closes the element that was opened last.
func (m *markup) close() token {
	name := m.last()
	m.name = localName(name)
	m.open, m.ends = m.open[:len(m.open)-len(name)], m.ends[:len(m.ends)-1]
	m.depth--
	return closed
}

// skip reads up to the end of the element that was just opened.
func (m *markup) skip() {
	for depth := m.depth; ; {
		if t := m.next(); t == ended || t == closed && m.depth < depth {
			return
		}
	}
}

func nameEnd(tag []byte) int {
	for i, c := range tag {
		if c <= ' ' {
			return i
		}
	}
	return len(tag)
}

func localName(name []byte) []byte { return name[bytes.IndexByte(name, ':')+1:] }

// nextAttribute reads the first of attributes, and returns those that follow it. Its
// value stands as in the XML. It returns no name at the end.
func nextAttribute(attrs []byte) (name, value, rest []byte) {
	i := 0
	for i < len(attrs) && attrs[i] <= ' ' {
		i++
	}
	from := i
	if i++; i >= len(attrs) {
		return nil, nil, nil
	}
	if attrs[i] != '=' || attrs[from] == '=' { // names of one letter are the most frequent
		n := bytes.IndexByte(attrs[from:], '=')
		if n < 0 {
			return nil, nil, nil
		}
		i = from + n
	}
	to := i
	for to > from && attrs[to-1] <= ' ' {
		to--
	}
	for i++; i < len(attrs) && attrs[i] <= ' '; i++ {
	}
	if i == len(attrs) || attrs[i] != '"' && attrs[i] != '\'' {
		return nil, nil, nil
	}
	quote, begin := attrs[i], i+1
	if begin < len(attrs) && attrs[begin] == quote {
		return attrs[from:to], attrs[begin:begin], attrs[begin+1:]
	}
	n := bytes.IndexByte(attrs[begin:], quote)
	if n < 0 {
		return nil, nil, nil
	}
	return attrs[from:to], attrs[begin : begin+n], attrs[begin+n+1:]
}

// attribute is the value of an attribute as it stands in the XML; nil if there is none.
func attribute(attrs []byte, wanted string) []byte {
	for {
		name, value, rest := nextAttribute(attrs)
		if name == nil {
			return nil
		}
		if n := len(name) - len(wanted); n >= 0 && string(name[n:]) == wanted && (n == 0 || string(localName(name)) == wanted) {
			return value
		}
		attrs = rest
	}
}

// textOf is an attribute's value, with its references replaced.
func textOf(attrs []byte, name string) (string, bool) {
	value := attribute(attrs, name)
	if bytes.IndexByte(value, '&') < 0 {
		return string(value), true
	}
	text, ok := appendText(nil, value)
	return string(text), ok
}

// appendText appends a text of XML, and returns false for a reference that is none of
// XML's own.
func appendText(dst, text []byte) ([]byte, bool) { return appendReplaced(dst, text, reference) }

// appendReplaced appends a text with its references replaced by the characters that they stand for. It is
// false for one that stands for none.
func appendReplaced(dst, text []byte, character func(name []byte) (rune, bool)) ([]byte, bool) {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:n]...)
		text = text[n+1:]
		end := bytes.IndexByte(text[:min(len(text), 12)], ';')
		if end < 0 {
			return dst, false
		}
		r, ok := character(text[:end])
		if !ok {
			return dst, false
		}
		dst, text = utf8.AppendRune(dst, r), text[end+1:]
	}
}

// reference is the character that stands between & and ;.
func reference(name []byte) (rune, bool) {
	switch string(name) {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

// fits says that a cell may have the given number of bytes, and ends the XML if not.
func (m *markup) fits(bytes int) bool {
	if bytes > longestToken {
		m.fail(ErrLarge)
	}
	return bytes <= longestToken
}

// appendToken appends the text of the token just read.
func (m *markup) appendToken(dst []byte) []byte {
	if !m.fits(len(dst) + len(m.text)) {
		return dst
	}
	if m.cdata {
		return append(dst, m.text...)
	}
	dst, ok := appendText(dst, m.text)
	if !ok {
		m.malformed("an entity that it declares itself")
	}
	return dst
}

// used is how many bytes have been read as tokens.
func (m *markup) used() int64 { return m.inflated - int64(m.end-m.at) }
