package sources

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"

	"milaan/domain"
)

// FuzzMailServer holds that nothing that a server answers to a search, a list of mails and a
// mail makes the library or the connector panic or wait for ever, or gives names or contents
// that are longer than they may be.
func FuzzMailServer(f *testing.F) {
	const structure = `* 1 FETCH (UID 1 INTERNALDATE "10-Nov-2026 09:00:00 +0000" BODYSTRUCTURE (("text" "plain" NIL NIL NIL "7bit" 3 1)("text" "csv" ("name" "a.csv") NIL NIL "base64" 8 1) "mixed"))` + "\r\n"
	f.Add("* SEARCH 1\r\n", structure, "* 1 FETCH (UID 1 BODY[2]<0> {8}\r\nQVdCLEFt)\r\n")
	f.Add("* ESEARCH (TAG \"T1\") UID ALL 1:3\r\n", "* 1 FETCH (UID 1 BODY[HEADER.FIELDS (FROM SUBJECT)]<0> {3}\r\na:b)\r\n"+structure, "* 1 FETCH (UID 1 BODY[2]<0> \"QVdC\")\r\n")
	f.Add("* OK [CLOSED] x\r\n* 2 EXPUNGE\r\n* BYE\r\n", "* 1 FETCH (FLAGS (\\Seen))\r\n", "* 1 FETCH (UID 1 BODY[2]<0> NIL)\r\n")
	f.Fuzz(func(t *testing.T, searched, listed, read string) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			in := bufio.NewScanner(theirs)
			for answers := []string{searched, listed, read, read}; in.Scan(); {
				tag, command, _ := strings.Cut(in.Text(), " ")
				var answer string
				switch {
				case strings.HasPrefix(command, "CAPABILITY"):
					answer = "* CAPABILITY IMAP4rev1\r\n"
				case len(answers) == 0:
					return
				default:
					answer, answers = answers[0], answers[1:]
				}
				if _, err := fmt.Fprintf(theirs, "%s%s OK done\r\n", answer, tag); err != nil {
					return
				}
			}
		}()
		if err := ours.SetDeadline(time.Now().Add(waitLimit)); err != nil {
			t.Fatal(err)
		}
		w := newWire(unhurried{ours}, "* OK [CAPABILITY IMAP4rev1] ready\r\n")
		m := &mailbox{wire: w, client: imapclient.New(w, &imapclient.Options{WordDecoder: words}), validity: 1}
		defer func() {
			_ = ours.Close()
			_ = m.close()
		}()
		const limit = 1 << 16
		files, err := m.list(t.Context(), query{matches: func(string) bool { return true }, most: 100})
		if len(files) > 100+structuresAtOnce*mostAttachments {
			t.Fatalf("%d files", len(files))
		}
		for _, file := range files {
			if len(file.Name) > domain.MaxFileName || strings.ContainsAny(file.Name, "/\\\r\n\x00") {
				t.Fatalf("name %q", file.Name)
			}
			if err == nil {
				var content []byte
				if content, err = m.read(t.Context(), file, limit); len(content) > limit+1 {
					t.Fatalf("%d bytes", len(content))
				}
			}
		}
	})
}

// waitLimit is how long a server is waited for that does not answer to the end.
const waitLimit = 200 * time.Millisecond

// unhurried keeps the deadline that a test has set.
type unhurried struct{ net.Conn }

func (unhurried) SetReadDeadline(time.Time) error  { return nil }
func (unhurried) SetWriteDeadline(time.Time) error { return nil }
