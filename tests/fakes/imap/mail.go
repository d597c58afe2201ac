package imap

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"strings"
	"time"
)

// Mail is a mail as couriers send them.
type Mail struct {
	From, Subject string
	Date          time.Time
	Attachments   []Attachment
	// Above are the lines that stand above all others, as a mail server adds them, and Below
	// those that stand below them.
	Above, Below []string
}

// Attachment is a file in a mail.
type Attachment struct {
	// Name is the name of the file. Disposition and Type replace the headers that would be
	// made of it.
	Name              string
	Type, Disposition string
	Encoding          string // blank: base64
	Content           []byte
	// Raw says that Content is encoded already.
	Raw bool
}

func (m Mail) Bytes() []byte {
	var b bytes.Buffer
	for _, line := range m.Above {
		b.WriteString(line + "\r\n")
	}
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%d@courier.example>\r\nMIME-Version: 1.0\r\n",
		m.From, User, m.Subject, m.Date.Format(time.RFC1123Z), m.Date.UnixNano())
	for _, line := range m.Below {
		b.WriteString(line + "\r\n")
	}
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=edge\r\n\r\n--edge\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n"+
		"--inner\r\nContent-Type: text/plain\r\n\r\nPlease find attached.\r\n--inner\r\nContent-Type: text/html\r\n\r\n<p>Please find attached.</p>\r\n--inner--\r\n")
	for _, a := range m.Attachments {
		b.WriteString("--edge\r\n")
		a.write(&b)
	}
	b.WriteString("--edge--\r\n")
	return b.Bytes()
}

func (a Attachment) write(b *bytes.Buffer) {
	encoding := cmp.Or(a.Encoding, "base64")
	fmt.Fprintf(b, "Content-Type: %s\r\nContent-Disposition: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n",
		cmp.Or(a.Type, "application/octet-stream"), cmp.Or(a.Disposition, fmt.Sprintf("attachment; filename=%q", a.Name)), encoding)
	switch {
	case a.Raw:
		b.Write(a.Content)
	case strings.EqualFold(encoding, "base64"):
		text := base64.StdEncoding.EncodeToString(a.Content)
		for len(text) > 76 {
			b.WriteString(text[:76] + "\r\n")
			text = text[76:]
		}
		b.WriteString(text)
	case strings.EqualFold(encoding, "quoted-printable"):
		w := quotedprintable.NewWriter(b)
		_, _ = w.Write(a.Content) // a buffer takes everything
		_ = w.Close()
	default:
		b.Write(a.Content)
	}
	b.WriteString("\r\n")
}
