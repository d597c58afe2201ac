package sources

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"

	"milaan/domain"
)

// The limits of what a mail server sends, besides those of network.
const (
	mostNesting     = 64        // parentheses in each other; a mail has a handful of levels
	mostLiteral     = 1 << 20   // bytes of a text whose length the server states
	mostSearchBytes = 256 << 10 // of the numbers of mails that a connection lists in all
	mostStatusBytes = 16 << 10  // of a line for people
	mostAnswerBytes = 2 << 20   // about one mail, with its literals
	mostOtherBytes  = 64 << 10  // of an answer that is about no mail and lists none
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

var (
	// dataHead is the head of an answer that programs read. The library takes its letters as they
	// are in upper case, and those of other alphabets may become ours in upper case.
	dataHead = lazily(`^\* (?:[0-9]+ )?([A-Za-z][-+.=_A-Za-z0-9]{0,31})[ (\r\n]`)
	// statusHead is the head of a line for people: an answer to a command begins with its tag.
	statusHead = lazily(`^(?:[^*]|\* (?:[Oo][Kk]|(?i:NO|BAD|BYE|PREAUTH))[ \r\n])`)
	// literalSize announces a literal, which begins in the next line.
	literalSize = lazily(`\{([0-9]+)\}[ \r]*\n$`)
)

// grammar reads what a mail server sends, line by line, and refuses what the client library
// must not read. The library bounds neither how deep an answer is nested, and each level is a
// call of a function, nor how many mails it lists, nor how long it is or any text in it. grammar
// knows where quoted texts and literals are exactly as the library does, so that no text can
// hide parentheses from it, and refuses answers for which that is in doubt.
type grammar struct {
	server   *bufio.Reader
	line     []byte // what is left of a line that was accepted
	literal  int64  // bytes that are left of the literal after it
	open     bool   // the answer goes on after the literal
	fetch    bool   // the answer is about a mail, so it may have literals
	depth    int    // parentheses that are open in it
	length   int64  // bytes of it so far
	searched int    // bytes of lists of mails so far
}

func (g *grammar) Read(p []byte) (int, error) {
	if len(g.line) == 0 && g.literal > 0 {
		n, err := g.server.Read(p[:min(int64(len(p)), g.literal)])
		g.literal -= int64(n)
		return n, err
	}
	if len(g.line) == 0 {
		line, err := g.readLine()
		if err != nil {
			return 0, err
		}
		if err := g.accept(line); err != nil {
			return 0, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: err}
		}
		g.line = line
	}
	n := copy(p, g.line)
	g.line = g.line[n:]
	return n, nil
}

// readLine reads a line with its end, or as much as is too long for one.
func (g *grammar) readLine() (line []byte, err error) {
	for len(line) <= mostAnswerBytes {
		var part []byte
		part, err = g.server.ReadSlice('\n')
		if line = append(line, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
	return line, nil
}

// accept checks a line: an answer, or what follows a literal of one.
func (g *grammar) accept(line []byte) error {
	if len(line) > mostAnswerBytes {
		return errLong
	}
	if g.open {
		return g.data(line)
	}
	if statusHead().Match(line) {
		return status(line)
	}
	head := dataHead().FindSubmatch(line)
	if head == nil {
		return errAnswer
	}
	g.fetch, g.depth, g.length = false, 0, 0
	switch word := string(bytes.ToUpper(head[1])); {
	case line[2] <= '9':
		g.fetch = word == "FETCH"
		if !g.fetch && word != "EXISTS" && word != "RECENT" && word != "EXPUNGE" {
			return errAnswer
		}
	case word == "SEARCH" || word == "ESEARCH":
		if g.searched += len(line); g.searched > mostSearchBytes {
			return errSearch
		}
		return g.data(line)
	}
	if !g.fetch && len(line) > mostOtherBytes {
		return errLong
	}
	return g.data(line)
}

// status checks a line for people. The library reads its code in brackets to the ] wherever
// that is, so it must be in the same line.
func status(line []byte) error {
	_, code, begins := bytes.Cut(line, []byte("["))
	if len(line) > mostStatusBytes || begins && !bytes.Contains(code, []byte("]")) || literalSize().Match(line) {
		return errStatus
	}
	return nil
}

// data checks a line that programs read, or what follows a literal.
func (g *grammar) data(line []byte) error {
	g.open = false
	if g.length += int64(len(line)); g.length > mostAnswerBytes {
		return errLong
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			for i++; line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
				if line[i] == '\r' || line[i] == '\n' { // a text ends in the line in which it begins
					return errAnswer
				}
			}
		case '{':
			return g.announce(line[i:])
		case '(':
			if g.depth++; g.depth > mostNesting {
				return errNesting
			}
		case ')':
			if g.depth--; g.depth < 0 {
				return errAnswer
			}
		}
	}
	if g.depth != 0 {
		return errAnswer
	}
	return nil
}

// announce checks the size of a literal at the end of a line.
func (g *grammar) announce(end []byte) (err error) {
	size := literalSize().FindSubmatch(end)
	if !g.fetch || size == nil || len(size[0]) < len(end) {
		return errLiteral
	}
	if g.literal, err = strconv.ParseInt(string(size[1]), 10, 64); err != nil || g.literal > mostLiteral {
		return errLiteral
	}
	g.open = true
	g.length += g.literal
	return nil
}
