package service

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"milaan/config"
	"milaan/tests/fakes/web"
	"milaan/tests/only"
)

// unread is what the service cannot read as HTTP/1 or will not, and what
// net/http answers to it by itself.
var unread = []struct {
	name, request, status, media string
}{
	{"no HTTP at all", "hello\r\n\r\n", "400", plainText},
	{"two lengths", "POST /reconcile HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "400", plainText},
	{"unknown expectation", "POST /reconcile HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: a miracle\r\n\r\n{}", "417", ""},
	{"long header", "GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + strings.Repeat("x", 40<<10) + "\r\n\r\n", "431", plainText},
	{"unknown transfer encoding", "POST /reconcile HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501", plainText},
	{"version to come", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", "505", plainText},
}

const plainText = "text/plain; charset=utf-8"

// describedUnread finds the statuses that the description lists.
var describedUnread = regexp.MustCompile("(?m)^- `(\\d{3})` if ")

// TestUnreadRequests provokes every answer that does not come from the service
// itself, and holds the description against them.
func TestUnreadRequests(t *testing.T) {
	t.Parallel()
	cert, key, trust := web.Certificate(t)
	s := Start(t, Options{})
	secure := Start(t, Options{Trust: trust, Settings: func(c *config.Config) { c.HTTP.TLSCert, c.HTTP.TLSKey = cert, key }})
	text := s.description.doc.Info.Description
	_, after, found := strings.Cut(text, "**Answers that are not JSON.**")
	require.True(t, found)
	section, _, found := strings.Cut(after, "**Privacy.**")
	require.True(t, found)
	described, provoked := map[string]bool{}, map[string]bool{}
	for _, status := range describedUnread.FindAllStringSubmatch(section, -1) {
		described[status[1]] = true
	}

	for _, u := range unread {
		a := spoken1(t, s.URL, u.request)
		require.Equal(t, u.status, fmt.Sprint(a.Status), u.name)
		require.Equal(t, u.media, a.Header.Get("Content-Type"), u.name)
		require.Equal(t, u.media == "", len(a.Body) == 0, "%s: %s", u.name, a.Body)
		require.Empty(t, a.Header.Get("X-Request-Id"), u.name)
		require.Empty(t, a.Message(), u.name)
		provoked[u.status] = true
	}
	a := spoken1(t, strings.Replace(secure.URL, "https", "http", 1), "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	require.Equal(t, 400, a.Status)
	require.Contains(t, string(a.Body), "HTTP request to an HTTPS server")

	trusting := &tls.Config{RootCAs: trust, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12}
	var long []hpack.HeaderField
	for range 8 { // far more, and the server ends the connection instead
		long = append(long, hpack.HeaderField{Name: "x-long", Value: strings.Repeat("x", 4<<10)})
	}
	a = spoken2(t, secure.URL, trusting, long...)
	require.Equal(t, 431, a.Status)
	require.Contains(t, string(a.Body), "<h1>")
	require.Empty(t, a.Header.Get("X-Request-Id"))
	a = spoken2(t, secure.URL, trusting, hpack.HeaderField{Name: "connection", Value: "close"})
	require.Equal(t, 400, a.Status)
	require.Equal(t, plainText, a.Header.Get("Content-Type"))
	a = spoken2(t, secure.URL, trusting)
	require.Equal(t, 200, a.Status, "what is good is served")
	require.NotEmpty(t, a.Header.Get("X-Request-Id"))

	require.Equal(t, described, provoked)
	docs := string(s.Get(t, "/docs").Body)
	for status := range provoked {
		require.Contains(t, docs, "<li><code>"+status+"</code> if ")
	}
	a = spoken1(t, s.URL, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	a.Refused(t, 404, "no such path")
	require.NotEmpty(t, a.Header.Get("X-Request-Id"))
}

// connect opens a connection to a service's address.
func connect(t *testing.T, url string) net.Conn {
	t.Helper()
	_, address, _ := strings.Cut(url, "://")
	connection := only.Value((&net.Dialer{}).DialContext(t.Context(), "tcp", address))(t)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(workTime)))
	return connection
}

// spoken1 sends bytes and reads the answer of HTTP/1 to them.
func spoken1(t *testing.T, url, request string) Answer {
	t.Helper()
	connection := connect(t, url)
	go func() { _, _ = io.WriteString(connection, request) }() // the service may not take all of it
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err, "%.60q", request)
	defer func() { _ = response.Body.Close() }()
	body := only.Value(io.ReadAll(response.Body))(t)
	return Answer{Status: response.StatusCode, Header: response.Header, Body: body}
}

// spoken2 asks GET /healthz over HTTP/2, frame by frame: Go's own client keeps
// to what a server allows.
func spoken2(t *testing.T, url string, trusting *tls.Config, header ...hpack.HeaderField) Answer {
	t.Helper()
	_, address, _ := strings.Cut(url, "://")
	named := trusting.Clone()
	named.ServerName, _, _ = net.SplitHostPort(address)
	connection := tls.Client(connect(t, url), named)
	require.NoError(t, only.Err(io.WriteString(connection, http2.ClientPreface)))
	framer := http2.NewFramer(connection, connection)
	require.NoError(t, framer.WriteSettings())

	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, field := range append([]hpack.HeaderField{
		{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: address}, {Name: ":path", Value: "/healthz"},
	}, header...) {
		require.NoError(t, encoder.WriteField(field))
	}
	first := block.Next(16 << 10)
	require.NoError(t, framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: first, EndStream: true, EndHeaders: block.Len() == 0}))
	for block.Len() > 0 {
		next := block.Next(16 << 10)
		require.NoError(t, framer.WriteContinuation(1, block.Len() == 0, next))
	}

	a := Answer{Header: http.Header{}}
	decoder := hpack.NewDecoder(4096, func(f hpack.HeaderField) {
		if f.Name == ":status" {
			_, _ = fmt.Sscan(f.Value, &a.Status)
			return
		}
		a.Header.Add(f.Name, f.Value)
	})
	for {
		frame := only.Value(framer.ReadFrame())(t)
		switch f := frame.(type) {
		case *http2.HeadersFrame:
			require.NoError(t, only.Err(decoder.Write(f.HeaderBlockFragment())))
		case *http2.DataFrame:
			a.Body = append(a.Body, f.Data()...)
		case *http2.GoAwayFrame:
			t.Fatalf("the connection is given up: %v", f.ErrCode)
		}
		if h := frame.Header(); h.StreamID == 1 && h.Flags.Has(http2.FlagDataEndStream) {
			return a
		}
	}
}
