// Package web serves sites on this machine that stand in for those of the internet in tests.
// One Server has as many sites as are wanted, each below a path of its own.
package web

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"milaan/tests/fakes/locked"
)

// Server serves sites.
type Server struct {
	mu      sync.Mutex
	sites   map[string]*Site
	servers []*http.Server
	serving sync.WaitGroup
	base    string
	now     func() time.Time
}

// New starts a server on 127.0.0.1, which ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{sites: map[string]*Site{}, now: time.Now}
	base, err := s.Listen("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	s.base = base
	t.Cleanup(s.Close)
	return s
}

// Listen also serves all sites on another address of this machine, such as 127.0.0.2, and
// returns its URL.
func (s *Server) Listen(ip string) (base string, err error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
	if err != nil {
		return "", err
	}
	return s.Serve(listener), nil
}

// Serve also serves all sites on a listener, and returns its URL.
func (s *Server) Serve(listener net.Listener) (base string) {
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	s.mu.Lock()
	s.servers = append(s.servers, server)
	s.mu.Unlock()
	s.serving.Go(func() { _ = server.Serve(listener) })
	return "http://" + listener.Addr().String()
}

// Close ends all servers and their connections.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.servers {
		_ = server.Close()
	}
	s.serving.Wait()
}

// SetClock gives all sites another clock.
func (s *Server) SetClock(now func() time.Time) { locked.Do(&s.mu, func() { s.now = now }) }

// Now is the time by the clock of the sites.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	now := s.now
	s.mu.Unlock()
	return now()
}

// AddSite adds a site with a name such as kolam-kitchen. serve answers its requests, each with
// its path below the site, such as /orders.
func (s *Server) AddSite(name string, serve func(w http.ResponseWriter, r *http.Request, path string)) *Site {
	site := &Site{server: s, name: name, serve: serve, requests: map[string]int{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sites[name] = site
	return site
}

// ServeHTTP answers for the site that the first part of the path names.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s.mu.Lock()
	site := s.sites[name]
	s.mu.Unlock()
	if site == nil {
		http.NotFound(w, r)
		return
	}
	site.answer(w, r, "/"+path)
}

// Site is one site of a Server.
type Site struct {
	server *Server
	name   string
	serve  func(w http.ResponseWriter, r *http.Request, path string)

	mu        sync.Mutex
	requests  map[string]int // by path
	intercept func(w http.ResponseWriter, r *http.Request) (handled bool)
}

// Name is what the site was added as.
func (s *Site) Name() string { return s.name }

func (s *Site) URL() string { return s.URLAt(s.server.base) }

// URLAt is the address of the site on another one that Listen or Serve returned.
func (s *Site) URLAt(base string) string { return base + "/" + s.name }

// Now is the time by the clock of the sites.
func (s *Site) Now() time.Time { return s.server.Now() }

// Intercept lets a function answer requests before the site does; nil: none. It is called
// without a lock, for several requests at the same time.
func (s *Site) Intercept(by func(w http.ResponseWriter, r *http.Request) (handled bool)) {
	locked.Do(&s.mu, func() { s.intercept = by })
}

// Requests is how many requests there were, those that were intercepted included.
func (s *Site) Requests() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.requests {
		n += of
	}
	return n
}

// RequestsOf is how many of them were for a path.
func (s *Site) RequestsOf(path string) int {
	return locked.Get(&s.mu, func() int { return s.requests[path] })
}

func (s *Site) answer(w http.ResponseWriter, r *http.Request, path string) {
	s.mu.Lock()
	s.requests[path]++
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil && intercept(w, r) {
		return
	}
	s.serve(w, r, path)
}

// Reply answers with a value in JSON.
func Reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// Status is an interceptor that answers with a status alone, the given number of times from now on; -1: every
// time.
func Status(status, times int) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if times == 0 {
			return false
		}
		times--
		w.WriteHeader(status)
		return true
	}
}
