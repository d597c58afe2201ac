// Package ithink is iThink's remittance API on this machine for tests, in the shapes that it
// documents. It misbehaves as a test says.
package ithink

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"
)

// Whom New's servers let in.
const (
	AccessToken = "8ujik47cea32ed386b1f65c85fd9aaaf"
	SecretKey   = "65tghjmads9dbcd892ad4987jmn602a7"
)

// Line is a line of a payout.
type Line struct {
	AWB       string `json:"airway_bill_no"`
	Order     string `json:"order_no"`
	Price     string `json:"price"`
	Delivered string `json:"delivered_date"`
}

// Server is a server that runs until the test ends. It is safe for concurrent use.
type Server struct {
	*network.Unruly

	mu     sync.Mutex
	days   map[string][]Line
	asked  []string
	at     int // requests under way
	most   int
	answer func(w http.ResponseWriter, day string) bool
}

// New starts a server that has paid nothing.
func New(t testing.TB) *Server {
	s := &Server{Unruly: network.NewUnruly(t), days: map[string][]Line{}}
	server := &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	network.Serve(t, server.Serve, s.Unruly, server, s.Unruly)
	return s
}

// Settings returns how milaan connects to it.
func (s *Server) Settings() map[string]string {
	return map[string]string{"access_token": AccessToken, "secret_key": SecretKey, "base_url": "http://" + s.Addr().String()}
}

// Pay replaces the lines that are paid on a day such as 2026-11-20.
func (s *Server) Pay(day string, lines ...Line) { locked.Do(&s.mu, func() { s.days[day] = lines }) }

// Answer makes a function answer, for which it returns true. nil: as usual.
func (s *Server) Answer(do func(w http.ResponseWriter, day string) bool) {
	locked.Do(&s.mu, func() { s.answer = do })
}

// Asked returns the days that were asked for so far, and how many at the same time at most.
func (s *Server) Asked() (days []string, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(days, s.asked...), s.most
}

// answer is an answer as iThink documents it.
type answer struct {
	Status  string `json:"status"`
	Code    int    `json:"status_code"`
	Message string `json:"html_message,omitempty"`
	Data    any    `json:"data,omitempty"`
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Data struct {
			AccessToken string `json:"access_token"`
			SecretKey   string `json:"secret_key"`
			Day         string `json:"remittance_date"`
		} `json:"data"`
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
	d.DisallowUnknownFields()
	if r.Method != http.MethodPost || r.URL.Path != "/api_v3/remittance/get_details.json" || r.Header.Get("Content-Type") != "application/json" || d.Decode(&body) != nil {
		http.Error(w, "no such request", http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, body.Data.Day)
	s.at++
	s.most = max(s.most, s.at)
	do, lines := s.answer, s.days[body.Data.Day]
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.at--
		s.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "application/json")
	switch _, err := time.Parse(time.DateOnly, body.Data.Day); {
	case do != nil && do(w, body.Data.Day):
		return
	case body.Data.AccessToken != AccessToken || body.Data.SecretKey != SecretKey:
		reply(w, answer{Status: "error", Code: http.StatusBadRequest, Message: "Invalid access token or secret key."})
	case err != nil:
		reply(w, answer{Status: "error", Code: http.StatusBadRequest, Message: "Invalid remittance date."})
	default:
		if lines == nil {
			lines = []Line{}
		}
		reply(w, answer{Status: "success", Code: http.StatusOK, Data: lines})
	}
}

func reply(w http.ResponseWriter, a answer) {
	_ = json.NewEncoder(w).Encode(a) // a client that hangs up does not hear it
}
