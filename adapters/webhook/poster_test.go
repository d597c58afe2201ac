package webhook_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters/outbound"
	"milaan/adapters/webhook"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

const hook = "http://127.0.0.1:8080/hooks/T0PSECRET?token=hush-hush"

func delivered(status int) domain.Attempt {
	return domain.Attempt{Outcome: domain.OutcomeDelivered, Status: status}
}

// refused is an answer of an endpoint that says so, with the text that it gives, if any.
func refused(status int, text string) domain.Attempt {
	failure := fmt.Sprintf("answered with status %d instead of 2xx", status)
	if text != "" {
		failure += ": " + text
	}
	return domain.Attempt{Outcome: domain.OutcomeRefused, Status: status, Failure: failure}
}

func redirected(status int) domain.Attempt {
	const failure = "redirects are not followed: set the endpoint to the URL itself"
	return domain.Attempt{Outcome: domain.OutcomeRedirected, Status: status, Failure: failure}
}

func unreachable(failure string) domain.Attempt {
	return domain.Attempt{Outcome: domain.OutcomeUnreachable, Failure: failure}
}

var (
	late       = domain.Attempt{Outcome: domain.OutcomeTimeout, Failure: "no answer within 5s", Took: domain.PostLimit}
	unreadable = unreachable("no answer that could be read")
)

func answers(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func aborts(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// received is what comes of a POST to a receiver.
type received struct {
	receive http.HandlerFunc
	want    domain.Attempt
}

// The receivers of the table. None needs real time: the wire is a pipe, and the
// clock is the bubble's.
func TestReceivers(t *testing.T) {
	flush := func(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
	slow := refused(503, "come back later")
	slow.Took = domain.PostLimit
	justInTime := delivered(200)
	justInTime.Took = domain.PostLimit - time.Millisecond
	for name, c := range map[string]received{
		"200":                       {answers(200, "thank you"), delivered(200)},
		"204":                       {answers(204, ""), delivered(204)},
		"200 whose body never ends": {func(w http.ResponseWriter, r *http.Request) { flush(w); hangs(w, r) }, delivered(200)},
		"500":                       {answers(500, "out of order\n"), refused(500, "out of order")},
		"410 without a body":        {answers(410, ""), refused(410, "")},
		"redirects":                 {http.RedirectHandler("http://127.0.0.1:9/elsewhere", http.StatusFound).ServeHTTP, redirected(302)},
		"redirects for good": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://shop.example/")
			w.WriteHeader(308)
		}, redirected(308)},
		"hangs":                {hangs, late},
		"answers just in time": {func(http.ResponseWriter, *http.Request) { time.Sleep(justInTime.Took) }, justInTime},
		"answers too late":     {func(http.ResponseWriter, *http.Request) { time.Sleep(domain.PostLimit + time.Millisecond) }, late},
		"closes":               {aborts, unreachable("the connection was closed without an answer")},
		"slow body": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(503)
			for _, word := range []string{"come ", "back ", "later"} {
				_, _ = io.WriteString(w, word)
				flush(w)
				time.Sleep(2 * time.Second)
			}
			hangs(w, r)
		}, slow},
		"huge body": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			for range 1000 {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
					return
				}
			}
		}, refused(500, strings.Repeat("x", domain.MaxFailure))},
		"huge headers": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("x", 16<<10))
		}, unreadable},
		"zipped": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "" {
				w.WriteHeader(500)
			}
		}, delivered(200)},
		"unprintable":         {answers(500, " a\x00\x1b[31m\r\n\tb\xff\u202e\u2028c\u00a0नाम "), refused(500, "a[31m b c नाम")},
		"cut within a letter": {answers(500, "x"+strings.Repeat("म", 100)), refused(500, "x"+strings.Repeat("म", 66))},
		"repeats the URL": {func(w http.ResponseWriter, r *http.Request) {
			answers(404, "Cannot POST "+r.RequestURI+" nor "+r.URL.Path+" (token: "+r.URL.Query().Get("token")+")")(w, r)
		}, refused(404, "Cannot POST […] nor […] ([…]: […])")},
		"repeats the URL where the text is cut": {func(w http.ResponseWriter, r *http.Request) {
			answers(404, strings.Repeat("x", domain.MaxFailure-20)+r.RequestURI)(w, r)
		}, refused(404, strings.Repeat("x", domain.MaxFailure-20)+"[…]")},
	} {
		t.Run(name, func(t *testing.T) {
			c.try(t, hook, "127.0.0.1:8080", func(t *testing.T, w *network.Wire, receive http.HandlerFunc) (roots *x509.CertPool) {
				w.Serve(t, receive)
				return nil
			})
		})
	}
}

// try posts once to the receiver, which is served on a wire that is dialled by address.
func (c received) try(t *testing.T, endpoint, address string, serve func(*testing.T, *network.Wire, http.HandlerFunc) *x509.CertPool) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		var posts atomic.Int32
		roots := serve(t, w, func(rw http.ResponseWriter, r *http.Request) {
			posts.Add(1)
			_, _ = io.Copy(io.Discard, r.Body)
			c.receive(rw, r)
		})
		resolver := network.Always(map[string][]string{"example.com": {publicAddress}})
		s := newPoster(world{AllowLoopback: roots == nil, Resolver: resolver, Dial: w.Dial, RootCAs: roots}, time.Now)
		got := s.Post(t.Context(), endpoint, nil, []byte("{}"))
		require.Equal(t, c.want, got)
		require.True(t, utf8.ValidString(got.Failure))
		require.EqualValues(t, 1, posts.Load(), "an attempt is one POST")
		require.Equal(t, []string{address}, w.Addresses())
	})
}

// Whatever takes the time, it is five seconds for all of it.
func TestTheLimitIsForTheWholePost(t *testing.T) {
	for name, settings := range map[string]world{
		"looking up": {Resolver: silent{}},
		"connecting": {Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }},
		"TLS":        {Dial: func(context.Context, string, string) (net.Conn, error) { ours, _ := net.Pipe(); return ours, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if settings.Resolver == nil {
					settings.Resolver = network.Always(map[string][]string{"shop.example": {publicAddress}})
				} else {
					settings.Dial = network.Unused(t)
				}
				s := newPoster(settings, time.Now)
				require.Equal(t, late, s.Post(t.Context(), "https://shop.example/", nil, []byte("{}")))
				if name == "looking up" {
					began := time.Now()
					require.Equal(t, domain.RuleNameServers, s.Check(t.Context(), domain.FieldEndpoint, "https://shop.example/")[0].Rule)
					require.Equal(t, domain.PostLimit, time.Since(began))
				}
			})
		})
	}
}

func TestAStopOfTheServiceEndsAPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		w.Serve(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // a server watches for the end of a connection only after the body
			<-r.Context().Done()
		})
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		s := newPoster(world{AllowLoopback: true, Dial: w.Dial}, time.Now)
		require.Equal(t, domain.Attempt{Outcome: domain.OutcomeUnreachable, Took: time.Second, Failure: "the service stopped before an answer came"},
			s.Post(ctx, hook, nil, []byte("{}")))
	})
}

func TestWhatIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		body := []byte(`{"brand":"नाम"}`)
		signed := domain.Webhook{Secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}.Headers("evt_1", time.Now(), body)
		w.Serve(t, func(_ http.ResponseWriter, r *http.Request) {
			require.Equal(t, body, only.Value(io.ReadAll(r.Body))(t))
			require.Equal(t, "POST", r.Method)
			require.Equal(t, "/hooks/T0PSECRET?token=hush-hush", r.RequestURI)
			require.Equal(t, "127.0.0.1:8080", r.Host)
			require.Equal(t, int64(len(body)), r.ContentLength)
			require.Equal(t, "Milaan-Webhooks/1", r.Header.Get("User-Agent"))
			for _, h := range signed {
				require.Equal(t, []string{h.Value}, r.Header.Values(h.Name))
			}
		})
		headers := append(signed, domain.Header{Name: "User-Agent", Value: "Milaan-Webhooks/1"})
		now := time.Unix(0, 0)
		s := newPoster(world{AllowLoopback: true, Dial: w.Dial}, func() time.Time { now = now.Add(time.Minute); return now })
		require.Equal(t, domain.Attempt{Outcome: domain.OutcomeDelivered, Status: 200, Took: time.Minute}, s.Post(t.Context(), hook, headers, body))
	})
}

// secureReceiver answers over TLS as example.com and 127.0.0.1, and returns
// what trusts it.
func secureReceiver(t *testing.T, w *network.Wire, handler http.HandlerFunc) *x509.CertPool {
	server := httptest.NewUnstartedServer(handler)
	require.NoError(t, server.Listener.Close())
	server.Listener, server.EnableHTTP2 = w, true
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // its complaints are what the test is about
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return roots
}

func TestTheHostProvesWhoItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		var received []string
		roots := secureReceiver(t, w, func(_ http.ResponseWriter, r *http.Request) { received = append(received, r.Proto) })
		resolver := network.Always(map[string][]string{"example.com": {publicAddress}, "other.example": {publicAddress}})
		s := newPoster(world{Resolver: resolver, Dial: w.Dial, RootCAs: roots}, time.Now)
		for range 2 {
			require.Equal(t, delivered(200), s.Post(t.Context(), "https://example.com/", nil, []byte("{}")))
			synctest.Wait()
		}
		require.Equal(t, []string{"HTTP/2.0", "HTTP/2.0"}, received)
		require.Equal(t, []string{publicAddress + ":443", publicAddress + ":443"}, w.Addresses(), "no connection is kept")

		invalid := unreachable("the host's certificate is not valid for it")
		require.Equal(t, invalid, s.Post(t.Context(), "https://other.example/", nil, []byte("{}")), "another's certificate")
		s = newPoster(world{Resolver: resolver, Dial: w.Dial, RootCAs: x509.NewCertPool()}, time.Now)
		require.Equal(t, invalid, s.Post(t.Context(), "https://example.com/", nil, []byte("{}")), "nobody's certificate")
		require.Len(t, received, 2)
	})
}

// HTTP/2 has ways of its own to end a stream and to send again.
func TestReceiversOverHTTP2(t *testing.T) {
	for name, c := range map[string]received{
		"500":               {answers(500, "out of order\n"), refused(500, "out of order")},
		"hangs":             {hangs, late},
		"resets the stream": {aborts, unreadable},
		"huge headers": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("x", 2*16<<10))
		}, unreadable},
	} {
		t.Run(name, func(t *testing.T) { c.try(t, "https://example.com/", publicAddress+":443", secureReceiver) })
	}
}

func TestAHostThatDoesNotSpeakTLS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := network.NewWire()
		w.Serve(t, func(http.ResponseWriter, *http.Request) {})
		s := newPoster(world{AllowLoopback: true, Dial: w.Dial}, time.Now)
		require.Equal(t, unreachable("the host does not speak https on this port"),
			s.Post(t.Context(), "https://127.0.0.1/", nil, []byte("{}")))
	})
}

// TestOverTheLoopback goes over real sockets of this machine.
func TestOverTheLoopback(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/reset" {
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}))
	defer server.Close()
	s := newPoster(world{AllowLoopback: true}, time.Now)
	require.Empty(t, s.Check(t.Context(), domain.FieldEndpoint, server.URL))
	require.Equal(t, domain.OutcomeDelivered, s.Post(t.Context(), server.URL, nil, []byte("{}")).Outcome)
	reset := s.Post(t.Context(), server.URL+"/reset", nil, []byte("{}"))
	require.Equal(t, domain.OutcomeUnreachable, reset.Outcome)
	require.NotContains(t, reset.Failure, "127.0.0.1")

	strict := newPoster(world{}, time.Now)
	require.Equal(t, domain.OutcomeForbidden, strict.Post(t.Context(), server.URL, nil, []byte("{}")).Outcome, "saved under another setting")

	server.Close()
	gone := s.Post(t.Context(), server.URL, nil, []byte("{}"))
	require.Equal(t, domain.OutcomeUnreachable, gone.Outcome)
	require.Equal(t, "no answer: connection refused", gone.Failure)
}

func TestTheModulePosts(t *testing.T) {
	var poster ports.Poster
	registry := prometheus.NewPedanticRegistry()
	register := func(c []prometheus.Collector) { registry.MustRegister(c...) }
	app := fx.New(webhook.Module(), fx.NopLogger, fx.Supply(webhook.Settings{Guards: outbound.New(outbound.Settings{Dial: network.Unused(t)})}), fx.Provide(func() ports.Clock { return time.Now }),
		fx.Populate(&poster), fx.Invoke(fx.Annotate(register, fx.ParamTags(`group:"collectors"`))))
	require.NoError(t, app.Err())
	require.Equal(t, domain.OutcomeForbidden, poster.Post(t.Context(), "https://127.0.0.1/", nil, []byte("{}")).Outcome)
	families := only.Value(registry.Gather())(t)
	require.Len(t, families, 1)
	require.Equal(t, "milaan_webhook_attempts_total", families[0].GetName())
	counted := map[string]float64{}
	for _, m := range families[0].GetMetric() {
		counted[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
	}
	require.Equal(t, map[string]float64{"delivered": 0, "refused": 0, "redirected": 0, "timeout": 0, "unreachable": 0, "forbidden": 1}, counted)
}
