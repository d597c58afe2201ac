package sources

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestGrammar holds that what mail servers really send is accepted, and that no text can hide
// parentheses: where the library might read an answer differently, it is refused.
func TestGrammar(t *testing.T) {
	for name, c := range map[string]struct {
		sent string
		want error
	}{
		"a session": {"* OK [CAPABILITY IMAP4rev1 SASL-IR] Gimap ready for requests (1) {2} \"x\r\n" +
			"* CAPABILITY IMAP4rev1 AUTH=PLAIN X-GM-EXT-1\r\nT1 OK [CAPABILITY A] Welcome, it's \"you\r\n" +
			"+ go ahead\r\n* FLAGS (\\Answered \\Seen)\r\n* OK [PERMANENTFLAGS ()] Limited\r\n* 17 EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 7]\r\n" +
			"T2 OK [READ-ONLY] INBOX selected.\r\n* SEARCH 1 2 3\r\n* ESEARCH (TAG \"T3\") UID ALL 1:3\r\nT3 OK done\r\n", io.EOF},
		"a mail with texts of every kind": {"* 1 FETCH (UID 3 INTERNALDATE \"20-Nov-2026 10:00:00 +0530\" BODYSTRUCTURE ((\"TEXT\" \"PLAIN\" (\"NAME\" \"(((( \\\"x\\\\\") NIL NIL \"7BIT\" 3 1)" +
			"(\"A\" \"B\" (\"name\" {5}\r\n((\"\n)) NIL NIL \"base64\" 9) \"MIXED\") BODY[1]<0> {3}\r\n(((  ~x)\r\nT1 OK\r\n", io.EOF},
		"levels":                              {"* 1 FETCH (BODYSTRUCTURE " + strings.Repeat("(", mostNesting) + "\r\n", errNesting},
		"levels after a quoted text":          {"* 1 FETCH (\"\\\"\" " + strings.Repeat("(", mostNesting) + "\r\n", errNesting},
		"levels after a literal":              {"* 1 FETCH (A {2}\r\n\"( " + strings.Repeat("(", mostNesting) + "\r\n", errNesting},
		"levels in another answer":            {"* ESEARCH " + strings.Repeat("(", mostNesting+1) + "\r\n", errNesting},
		"a quoted text over two lines":        {"* 1 FETCH (A \"x\r\n", errAnswer},
		"an escaped end of line":              {"* 1 FETCH (A \"x\\\n", errAnswer},
		"a list that does not end":            {"* 1 FETCH (A\r\n", errAnswer},
		"a list that ends twice":              {"* 1 FETCH (A))\r\n", errAnswer},
		"a literal that is too long":          {"* 1 FETCH (A {1048577}\r\n", errLiteral},
		"a literal of a size beyond numbers":  {"* 1 FETCH (A {99999999999999999999999}\r\n", errLiteral},
		"a literal of no size":                {"* 1 FETCH (A {}\r\n", errLiteral},
		"a literal where none may be":         {"* ID (\"a\" {5}\r\n", errLiteral},
		"a literal after a status":            {"* OK ready {5}\r\n", errStatus},
		"a literal after a status, and blank": {"T1 OK ready {5} \r\n", errStatus},
		"a code that does not end":            {"* OK [UNSEEN 1\r\n", errStatus},
		"a status with the number of a mail":  {"* 1 OK {5}\r\n", errAnswer},
		"a word without a space":              {"*OK\r\n", errAnswer},
		"two spaces":                          {"*  OK\r\n", errAnswer},
		"a word that is too long":             {"* " + strings.Repeat("A", 33) + "\r\n", errAnswer},
		"a word of other letters":             {"* 1 \u017fEARCH\r\n", errAnswer},
		"a status of other letters":           {"* O\u212a\r\n", errAnswer},
		"a line that does not end":            {"T1 OK " + strings.Repeat("x", mostStatusBytes) + "\r\n", errStatus},
		"a quoted text that does not end":     {"* 1 FETCH (A \"" + strings.Repeat("x", 2*mostAnswerBytes), errLong},
		"a word that does not end":            {"* 1 FETCH (A " + strings.Repeat("x", 2*mostAnswerBytes), errLong},
		"an answer that does not end":         {"* CAPABILITY" + strings.Repeat(" A", mostOtherBytes/2) + "\r\n", errLong},
		"a mail that does not end":            {"* 1 FETCH (" + strings.Repeat(" A", mostAnswerBytes/2) + "\r\n", errLong},
		"a mail of many literals":             {"* 1 FETCH (A" + strings.Repeat(" {100000}\r\n"+strings.Repeat("x", 100_000), 21) + " )" + "\r\n", errLong},
		"mails without end":                   {strings.Repeat("* SEARCH"+strings.Repeat(" 1", 1000)+"\r\n", 200), errSearch},
	} {
		t.Run(name, func(t *testing.T) {
			for size := 1; size < 2*len(c.sent); size *= 2 { // however it arrives
				require.ErrorIs(t, accepted(c.sent, size), c.want)
			}
		})
	}
}

// accepted returns what is wrong with what a server sends, which arrives in pieces; io.EOF: nothing.
func accepted(sent string, size int) error {
	g := grammar{server: bufio.NewReader(iotest.HalfReader(strings.NewReader(sent)))}
	for piece := make([]byte, size); ; {
		if _, err := g.Read(piece); err != nil {
			return err
		}
	}
}

// FuzzGrammar holds that an answer is accepted or refused however it is read, and that what
// is accepted arrives as it was sent.
func FuzzGrammar(f *testing.F) {
	f.Add("* 1 FETCH (UID 3 BODY[1] {3}\r\n((( \"(\\\"\")\r\n* OK [A] x\r\nT1 OK\r\n", 20)
	f.Fuzz(func(t *testing.T, sent string, size int) {
		g := grammar{server: bufio.NewReader(strings.NewReader(sent))}
		got, want := io.ReadAll(&g)
		if err := accepted(sent, max(1, min(size, len(sent)))); (err == io.EOF) != (want == nil) {
			t.Fatalf("%v, and in pieces %v", want, err)
		}
		if !strings.HasPrefix(sent, string(got)) {
			t.Fatalf("%q", got)
		}
		if want == nil && (g.depth > mostNesting || g.literal > mostLiteral || g.searched > mostSearchBytes) {
			t.Fatalf("%+v", g)
		}
	})
}
