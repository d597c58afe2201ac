// Package msg91 is a server on this machine that stands in for MSG91 in tests. It takes phone
// codes as MSG91's API does, and keeps them for the test.
package msg91

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"milaan/tests/fakes/locked"
)

// AuthKey and Template are what the server takes; it refuses others.
const (
	AuthKey  = "canary-authkey-91"
	Template = "661ddf18d6fc0557e03feb72"
)

// Message is a code that was sent.
type Message struct {
	Mobile string // such as 919876543210
	Code   string
	Expiry int // minutes
}

// Server is a running fake.
type Server struct {
	URL string

	mu        sync.Mutex
	sent      []Message
	requests  int
	intercept http.HandlerFunc
}

// New starts a server on 127.0.0.1, which ends with the test.
func New(t testing.TB) *Server {
	s := &Server{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Intercept lets a function answer requests in the server's place; nil: none.
func (s *Server) Intercept(by http.HandlerFunc) { locked.Do(&s.mu, func() { s.intercept = by }) }

// Sent lists the codes that were sent, in their order.
func (s *Server) Sent() []Message {
	return locked.Get(&s.mu, func() []Message { return slices.Clone(s.sent) })
}

// Last is the code that was sent last; the zero Message if there is none.
func (s *Server) Last() Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sent) == 0 {
		return Message{}
	}
	return s.sent[len(s.sent)-1]
}

// Requests is how many requests there were.
func (s *Server) Requests() int { return locked.Get(&s.mu, func() int { return s.requests }) }

// ServeHTTP answers 200 also to what MSG91 refuses, as MSG91 does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil {
		intercept(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodPost || r.URL.Path != "/api/v5/otp" || r.URL.RawQuery != "" {
		http.NotFound(w, r)
		return
	}
	var asked struct {
		Template string `json:"template_id"`
		Mobile   string `json:"mobile"`
		OTP      string `json:"otp"`
		Expiry   int    `json:"otp_expiry"`
	}
	err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&asked)
	switch {
	case r.Header.Get("Authkey") != AuthKey:
		refuse(w, "207", "Authentication failure")
	case err != nil || r.Header.Get("Content-Type") != "application/json" || asked.OTP == "":
		refuse(w, "201", "Invalid request")
	case asked.Template != Template:
		refuse(w, "400", "Template ID Missing or Invalid Template")
	case len(asked.Mobile) != len("919876543210"):
		refuse(w, "202", "Invalid mobile number "+asked.Mobile)
	default:
		s.mu.Lock()
		s.sent = append(s.sent, Message{Mobile: asked.Mobile, Code: asked.OTP, Expiry: asked.Expiry})
		s.mu.Unlock()
		_, _ = io.WriteString(w, `{"request_id":"3763646c3058373530393938","type":"success"}`)
	}
}

func refuse(w http.ResponseWriter, code, message string) {
	_ = json.NewEncoder(w).Encode(map[string]string{"type": "error", "code": code, "message": message})
}
