package imap

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"milaan/tests/fakes/network"
)

// Hostile is a server that lets everybody in, in plain text, and answers as a test says.
type Hostile struct{ *network.Unruly }

// NewHostile starts a server. answer writes what is answered to a command, given without its
// tag, before its completion; it may write anything, and an error ends the connection. The
// server itself answers what it takes to open a mailbox.
func NewHostile(t testing.TB, answer func(w io.Writer, command string) error) *Hostile {
	h := &Hostile{network.NewUnruly(t)}
	network.Serve(t, func(l net.Listener) error {
		for {
			conn, err := l.Accept()
			if err != nil {
				return err
			}
			go func() {
				defer conn.Close()
				_ = serve(conn, answer)
			}()
		}
	}, h, h)
	return h
}

func serve(conn io.ReadWriter, answer func(io.Writer, string) error) error {
	w := bufio.NewWriter(conn)
	if _, err := w.WriteString("* OK [CAPABILITY IMAP4rev1] ready\r\n"); err != nil {
		return err
	}
	in := bufio.NewScanner(conn)
	for {
		if err := w.Flush(); err != nil || !in.Scan() {
			return err
		}
		tag, command, _ := strings.Cut(in.Text(), " ")
		word, _, _ := strings.Cut(command, " ")
		switch word {
		case "CAPABILITY":
			fmt.Fprint(w, "* CAPABILITY IMAP4rev1\r\n")
		case "STARTTLS":
			fmt.Fprintf(w, "%s NO never\r\n", tag)
			continue
		case "EXAMINE":
			fmt.Fprint(w, "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] fine\r\n")
		}
		if err := answer(w, command); err != nil {
			_ = w.Flush()
			return err
		}
		fmt.Fprintf(w, "%s OK done\r\n", tag)
	}
}

// Settings returns how milaan connects to it, and takes everybody's mails.
func (h *Hostile) Settings() map[string]string {
	host, port := h.HostPort()
	return map[string]string{"host": host, "port": port, "user": User, "password": "x", "sender_check": "off"}
}
