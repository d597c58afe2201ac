package sources

import (
	"errors"
	"strings"
)

// The limits of what a mail server sends, besides those of network.
const (
	mostNesting     = 64        // parentheses in each other; a mail has a handful of levels
	mostLiteral     = 1 << 20   // bytes of a text whose length the server states
	mostSearchBytes = 256 << 10 // of the numbers of mails that a connection lists in all
	mostStatusBytes = 16 << 10  // of a line for people
	mostAnswerBytes = 2 << 20   // about one mail, with its literals
	mostOtherBytes  = 64 << 10  // of an answer that is about no mail and lists none
	mostToken       = 64 << 10  // of a word or a quoted text
	mostWord        = 32        // bytes of the word that says what an answer is about
)

// What is wrong with an answer of a mail server, for the log.
var (
	errNesting = errors.New("imap: too many levels in an answer")
	errLiteral = errors.New("imap: a text in an answer is too long, or stands where none may")
	errSearch  = errors.New("imap: too many mails in an answer")
	errStatus  = errors.New("imap: a status line is too long, or does not end")
	errLong    = errors.New("imap: an answer is too long")
	errAnswer  = errors.New("imap: an answer that is no IMAP")
)

// grammar checks the bytes that a mail server sends before the client library reads them.
// The library bounds neither how deep an answer is nested, and each level is a call of a
// function, nor how many mails it lists, nor how long it is or any text in it. grammar knows
// where quoted texts and literals are exactly as the library does, so that no text can hide
// parentheses from it, and refuses answers for which that is in doubt.
type grammar struct {
	state    grammarState
	word     []byte // of the head of an answer, as far as it has been read
	number   bool   // the head began with a number
	fetch    bool   // the answer is about a mail, so it may have literals
	search   bool   // it lists mails
	depth    int    // parentheses that are open
	length   int    // bytes of the answer so far
	token    int    // of the word or quoted text so far
	searched int    // bytes of lists of mails so far
	literal  int64  // size of the literal: read so far, or left
	digits   int    // of that size
	bracket  int    // status line: 1 after [, 2 after ] that follows it
	tail     tail
}

type grammarState uint8

const (
	atStart   grammarState = iota // of a line
	afterStar                     // of an answer to no command
	inHead                        // in the word that says what it is about
	inStatus                      // in a line for people: to its end
	inData
	inQuoted
	inEscape // after \ in a quoted text
	inSize   // of a literal
	afterSize
	inLiteral
)

// tail tells whether a line ends like one that announces a literal: {digits}.
type tail uint8

const (
	tailNone tail = iota
	tailOpen
	tailDigit
	tailClosed
)

func (t tail) after(b byte) tail {
	switch {
	case b == '{':
		return tailOpen
	case b >= '0' && b <= '9' && (t == tailOpen || t == tailDigit):
		return tailDigit
	case b == '}' && t == tailDigit:
		return tailClosed
	case (b == ' ' || b == '\r') && t == tailClosed:
		return tailClosed
	}
	return tailNone
}

// accept checks further bytes.
func (g *grammar) accept(p []byte) error {
	for len(p) > 0 {
		if g.state == inLiteral {
			n := min(int64(len(p)), g.literal)
			p = p[n:]
			g.length += int(n)
			if g.literal -= n; g.literal == 0 {
				g.state = inData
			}
			continue
		}
		if err := g.next(p[0]); err != nil {
			return err
		}
		p = p[1:]
	}
	return nil
}

// next checks one byte that is not in a literal.
func (g *grammar) next(b byte) error {
	if err := g.count(); err != nil {
		return err
	}
	switch g.state {
	case atStart:
		return g.start(b)
	case afterStar:
		if b != ' ' {
			return errAnswer
		}
		g.state = inHead
	case inHead:
		return g.head(b)
	case inStatus:
		return g.status(b)
	case inData:
		return g.data(b)
	case inQuoted:
		return g.quoted(b)
	case inEscape:
		if isLineEnd(b) {
			return errAnswer
		}
		g.state = inQuoted
	case inSize:
		return g.size(b)
	case afterSize:
		return g.begin(b)
	}
	return nil
}

// count counts a byte that is not in a literal.
func (g *grammar) count() error {
	g.length++
	most := mostOtherBytes
	switch {
	case g.fetch:
		most = mostAnswerBytes
	case g.search:
		most = mostSearchBytes
		if g.searched++; g.searched > mostSearchBytes {
			return errSearch
		}
	}
	if g.token++; g.length > most || g.token > mostToken {
		return errLong
	}
	return nil
}

// start checks the first byte of a line. An answer to a command, which begins with its tag,
// is a status line.
func (g *grammar) start(b byte) error {
	*g = grammar{searched: g.searched, length: 1, word: g.word[:0]}
	if b == '*' {
		g.state = afterStar
		return nil
	}
	g.state = inStatus
	return g.status(b)
}

// head checks a byte of the words that say what an answer is about: a word, or a number and a
// word.
func (g *grammar) head(b byte) error {
	if isAtom(b) {
		if g.word = append(g.word, b); len(g.word) > mostWord || b >= 0x80 {
			return errAnswer
		}
		return nil
	}
	if len(g.word) == 0 {
		return errAnswer
	}
	word := strings.ToUpper(string(g.word))
	g.word = g.word[:0]
	switch {
	case !g.number && word[0] >= '0' && word[0] <= '9':
		if g.number = true; b != ' ' {
			return errAnswer
		}
		return nil
	case g.number && word == "FETCH":
		g.fetch = true
	case g.number:
		if word != "EXISTS" && word != "RECENT" && word != "EXPUNGE" {
			return errAnswer
		}
	case word == "OK", word == "NO", word == "BAD", word == "BYE", word == "PREAUTH":
		g.state = inStatus
		return g.status(b)
	case word == "SEARCH", word == "ESEARCH":
		g.search = true
	}
	g.state = inData
	return g.data(b)
}

// status checks a byte of a line for people. The library reads its code in brackets to the ]
// wherever that is, so it must be in the same line.
func (g *grammar) status(b byte) error {
	if g.length > mostStatusBytes {
		return errStatus
	}
	switch {
	case b == '\n':
		if g.bracket == 1 || g.tail == tailClosed {
			return errStatus
		}
		g.state = atStart
	case b == '[' && g.bracket == 0:
		g.bracket = 1
	case b == ']' && g.bracket == 1:
		g.bracket = 2
	}
	g.tail = g.tail.after(b)
	return nil
}

// data checks a byte of an answer that programs read, outside of texts.
func (g *grammar) data(b byte) error {
	if !isAtom(b) {
		g.token = 0
	}
	switch b {
	case '\n':
		if g.depth != 0 {
			return errAnswer
		}
		g.state, g.search = atStart, false
	case '"':
		g.state = inQuoted
	case '{':
		if !g.fetch {
			return errLiteral
		}
		g.state, g.literal, g.digits = inSize, 0, 0
	case '(':
		if g.depth++; g.depth > mostNesting {
			return errNesting
		}
	case ')':
		if g.depth--; g.depth < 0 {
			return errAnswer
		}
	}
	return nil
}

// quoted checks a byte of a quoted text, which ends in the line in which it begins.
func (g *grammar) quoted(b byte) error {
	switch {
	case isLineEnd(b):
		return errAnswer
	case b == '"':
		g.state = inData
	case b == '\\':
		g.state = inEscape
	}
	return nil
}

// size checks a byte of the size of a literal.
func (g *grammar) size(b byte) error {
	switch {
	case b >= '0' && b <= '9':
		g.digits++
		if g.literal = 10*g.literal + int64(b-'0'); g.literal > mostLiteral {
			return errLiteral
		}
	case b == '}' && g.digits > 0:
		g.state = afterSize
	default:
		return errLiteral
	}
	return nil
}

// begin checks a byte between the size of a literal and its first byte.
func (g *grammar) begin(b byte) error {
	switch b {
	case ' ', '\r':
	case '\n':
		if g.state = inLiteral; g.literal == 0 {
			g.state = inData
		}
	default:
		return errLiteral
	}
	return nil
}

func isLineEnd(b byte) bool { return b == '\r' || b == '\n' }

// isAtom says whether a byte may stand in a word, as the library sees it.
func isAtom(b byte) bool {
	switch b {
	case '(', ')', '{', ' ', '%', '*', '"', '\\', ']', 0x7f:
		return false
	}
	return b >= 0x20
}
