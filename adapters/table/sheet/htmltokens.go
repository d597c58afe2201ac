package sheet

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageTokens takes a page apart into the tokens of html.Tokenizer. The texts and the tags that nearly all
// of a page consists of it finds in the page itself, several times as fast. The rest it leaves to a tokenizer:
// comments, scripts, what breaks off, and what is so written that it would take many rules to read.
type pageTokens struct {
	content []byte
	from    int // where the current token stands
	at      int // where the next one does
	kind    html.TokenType
	is      atom.Atom       // the element of a tag; 0: one that HTML does not know
	attrs   []pageAttribute // of a start tag that was found here, if somebody asks for them
	room    []byte          // for a key and a value, or a text

	odd   *html.Tokenizer // has found the current token; nil: it was found here
	oddTo int
}

// oddBytes is how many bytes a tokenizer reads at least once it is begun: it takes as much memory, and the
// next comment may stand right behind the first.
const oddBytes = 4 << 10

// pageAttribute is where an attribute of a tag stands in a page.
type pageAttribute struct{ key, keyEnd, value, valueEnd int }

func (p *pageTokens) next() html.TokenType {
	p.from = p.at
	if p.odd == nil || p.at >= p.oddTo && p.leavesOdd() {
		if p.odd = nil; p.plain() {
			return p.kind
		}
		p.odd = html.NewTokenizer(bytes.NewReader(p.content[p.at:]))
		p.odd.SetMaxBuf(longestTag)
		p.oddTo = p.at + oddBytes
	}
	p.kind = p.odd.Next()
	p.at += len(p.odd.Raw())
	switch p.kind {
	case html.StartTagToken, html.SelfClosingTagToken:
		p.is = pageElement(p.raw()[len("<"):])
	case html.EndTagToken:
		p.is = pageElement(p.raw()[len("</"):])
	}
	return p.kind
}

// leavesOdd says that what follows the token of the tokenizer is read as if the page began there: no
// script or the like has begun, and the tokenizer has no error to tell.
func (p *pageTokens) leavesOdd() bool {
	switch p.kind {
	case html.TextToken, html.EndTagToken, html.CommentToken, html.DoctypeToken:
		return len(p.odd.Raw()) < longestTag
	}
	return false
}

// raw is the current token as it stands in the page.
func (p *pageTokens) raw() []byte { return p.content[p.from:p.at] }

// plain finds the next token, if it is one of those that are found here.
func (p *pageTokens) plain() bool {
	b := p.content[p.at:min(len(p.content), p.at+longestTag)]
	if len(b) < 2 {
		return false
	}
	if b[0] != '<' || !beginsToken(b[1]) {
		end := 0
		for {
			n := bytes.IndexByte(b[end+1:], '<')
			if n < 0 || end+n+3 >= len(b) {
				return false
			}
			if end += n + 1; beginsToken(b[end+1]) {
				break
			}
		}
		p.kind = html.TextToken
		p.at += end
		return true
	}
	name := 1
	p.kind = html.StartTagToken
	if b[1] == '/' {
		name, p.kind = 2, html.EndTagToken
	}
	if name == len(b) || !isLetter(b[name]) {
		return false
	}
	end := p.tag(b, name)
	if end < 0 {
		return false
	}
	p.at += end
	return true
}

// beginsToken says that a < before a character is no text.
func beginsToken(c byte) bool { return isLetter(c) || c == '/' || c == '!' || c == '?' }

func isPageBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

// tag finds the end of a tag whose name begins at a place, and its attributes; -1 if the tag is left to the
// tokenizer.
func (p *pageTokens) tag(b []byte, name int) (end int) {
	i := name
	for i < len(b) && !isPageBlank(b[i]) && b[i] != '/' && b[i] != '>' {
		i++
	}
	told := false // somebody asks for the attributes
	switch p.is = pageElement(b[name:]); p.is {
	case atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Textarea, atom.Title, atom.Xmp, atom.Plaintext:
		if p.kind == html.StartTagToken {
			return -1 // what follows is no markup
		}
	case atom.Table, atom.Td, atom.Th:
		told = p.kind == html.StartTagToken
	}
	p.attrs = p.attrs[:0]
	for i = afterBlanks(b, i); i < len(b); i = afterBlanks(b, i) {
		if b[i] == '>' {
			if i+1 == longestTag {
				return -1
			}
			return i + 1
		}
		a := pageAttribute{key: i}
		if b[i] == '=' {
			i++
		}
		for i < len(b) && !isPageBlank(b[i]) && b[i] != '/' && b[i] != '>' && b[i] != '=' {
			i++
		}
		a.keyEnd = i
		if i = afterBlanks(b, i); i == len(b) {
			return -1
		}
		switch b[i] {
		case '/':
			i++
		case '=':
			if a.value, a.valueEnd, i = valueIn(b, i+1); i < 0 {
				return -1
			}
		}
		if !told || !asked(b[a.key:a.keyEnd]) {
			continue
		}
		if p.has(b, a) || !p.isPlain(b[a.value:a.valueEnd]) {
			return -1
		}
		p.attrs = append(p.attrs, a)
	}
	return -1
}

// asked says whether somebody asks for the attributes of a name, in letters of any case.
func asked(name []byte) bool {
	is := func(known string) bool { return len(name) == len(known) && bytes.EqualFold(name, []byte(known)) }
	switch first := name[:min(len(name), 1)]; string(first) {
	case "c", "C":
		return is("class") || is("colspan")
	case "d", "D":
		return is("data-t") || is("data-v") || is("data-z")
	case "i", "I":
		return is("id")
	case "r", "R":
		return is("rowspan")
	case "s", "S":
		return is("style")
	case "x", "X":
		return is("x:num") || is("x:str")
	}
	return false
}

func afterBlanks(b []byte, i int) int {
	for i < len(b) && isPageBlank(b[i]) {
		i++
	}
	return i
}

// valueIn finds the value of an attribute behind its =, and where the tag goes on; -1 if it breaks off.
func valueIn(b []byte, i int) (from, to, next int) {
	if i = afterBlanks(b, i); i == len(b) {
		return 0, 0, -1
	}
	switch b[i] {
	case '>':
		return i, i, i
	case '"', '\'':
		n := bytes.IndexByte(b[i+1:], b[i])
		if n < 0 {
			return 0, 0, -1
		}
		return i + 1, i + 1 + n, i + n + 2
	}
	for from = i; i < len(b); i++ {
		if b[i] == '>' || isPageBlank(b[i]) {
			return from, i, i
		}
	}
	return 0, 0, -1
}

// has says that the tag may have had an attribute of the same name.
func (p *pageTokens) has(b []byte, a pageAttribute) bool {
	for _, was := range p.attrs {
		if was.keyEnd-was.key == a.keyEnd-a.key && bytes.EqualFold(b[was.key:was.keyEnd], b[a.key:a.keyEnd]) {
			return true
		}
	}
	return false
}

// isPlain says that the value of an attribute is what stands there, but for references that appendPlain
// replaces.
func (p *pageTokens) isPlain(value []byte) bool {
	references := false
	for _, c := range value {
		if c == '\r' || c == 0 {
			return false
		}
		references = references || c == '&'
	}
	if references {
		p.room, references = appendPlain(p.room[:0], value)
		return references
	}
	return true
}

// appendPlain appends a text of a page with its references replaced. It is false if there is one that is not
// written as programs write them, such as &copy without a semicolon.
func appendPlain(dst, text []byte) ([]byte, bool) { return appendReplaced(dst, text, pageReference) }

// pageReference is reference for pages, which have characters of Windows-1252 where XML has control characters.
func pageReference(name []byte) (rune, bool) {
	if string(name) == "nbsp" {
		return '\u00a0', true
	}
	r, known := reference(name)
	return r, known && (r < 0x80 || r >= 0xa0)
}

// text is the current text with its references replaced. It is good until the next token.
func (p *pageTokens) text() []byte {
	if p.odd != nil {
		return p.odd.Text()
	}
	text := p.raw()
	if bytes.IndexByte(text, '&') < 0 {
		return text
	}
	var plain bool
	if p.room, plain = appendPlain(p.room[:0], text); plain {
		return p.room
	}
	return []byte(html.UnescapeString(string(text)))
}

// eachAttribute calls found with the attributes of the current tag that somebody asks for, and perhaps with
// others. Key and value are good until found returns.
func (p *pageTokens) eachAttribute(found func(key, value []byte)) {
	if p.odd != nil {
		for _, more := p.odd.TagName(); more; {
			var key, value []byte
			key, value, more = p.odd.TagAttr()
			found(key, value)
		}
		return
	}
	for _, a := range p.attrs {
		p.room = p.room[:0]
		for _, c := range p.content[p.from+a.key : p.from+a.keyEnd] {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			p.room = append(p.room, c)
		}
		n := len(p.room)
		p.room, _ = appendPlain(p.room, p.content[p.from+a.value:p.from+a.valueEnd])
		found(p.room[:n], p.room[n:])
	}
}

// pageElement is the element of a tag, by what stands in the tag; 0: it is not known, or has a longer name than those that matter here.
func pageElement(tag []byte) atom.Atom {
	if len(tag) > 2 && tag[0] == 't' && (tag[2] == '>' || tag[2] == ' ') { // nearly every tag
		switch tag[1] {
		case 'd':
			return atom.Td
		case 'r':
			return atom.Tr
		case 'h':
			return atom.Th
		}
	}
	var lower [9]byte
	n := 0
	for n < len(tag) && tag[n] > ' ' && tag[n] != '/' && tag[n] != '>' {
		if n == len(lower) {
			return 0
		}
		c := tag[n]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[n] = c
		n++
	}
	return atom.Lookup(lower[:n])
}
