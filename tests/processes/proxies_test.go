package processes_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/web"
	"milaan/tests/needed"
	"milaan/tests/only"
)

// proxy is a real one with the README's configuration, before a replica.
type proxy struct {
	secure, plain string // its addresses, for HTTPS and for plain HTTP
	trust         *x509.CertPool
	journal       *journal
}

// proxied are the proxies that the README has a snippet for. Each takes the
// snippet, which is changed in its addresses and its certificate alone, and
// returns the command that runs it in a folder.
var proxied = []struct {
	name string
	run  func(t *testing.T, dir, cert, key, service string, p *proxy) *exec.Cmd
	// ownLimit is from which size of a body on, in bytes, the proxy refuses it
	// itself; 0: never.
	ownLimit int
	// lingers says that it reads on after an early answer, which an HTTP/1 client
	// that sends all before it reads would else not see.
	lingers bool
}{
	{"nginx", runNginx, 66 << 20, true},
	{"caddy", runCaddy, 0, false},
}

func runNginx(t *testing.T, dir, cert, key, service string, p *proxy) *exec.Cmd {
	t.Helper()
	program := needed.Program(t, "nginx")
	text := replaced(t, snippet(t, "nginx"),
		"127.0.0.1:8080", service,
		"listen 443 ssl http2;", "listen "+p.secure+" ssl http2;\n    listen "+p.plain+";",
		"/etc/ssl/milaan.shop.example.pem", cert,
		"/etc/ssl/milaan.shop.example.key", key)
	around := `daemon off;
master_process off; # the workers of a test that runs as root could not walk into its folder
pid nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
    access_log off;
`
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		around += "    " + kind + "_temp_path " + filepath.Join(dir, kind) + ";\n"
	}
	config := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(config, []byte(around+text+"}\n"), 0o600))
	return exec.Command(program, "-p", dir, "-c", config, "-e", "stderr")
}

func runCaddy(t *testing.T, dir, cert, key, service string, p *proxy) *exec.Cmd {
	t.Helper()
	program := needed.Program(t, "caddy")
	text := replaced(t, snippet(t, "caddy"), "127.0.0.1:8080", service)
	secure := replaced(t, text, "milaan.shop.example {", "https://"+p.secure+" {\n\ttls "+cert+" "+key)
	plain := replaced(t, text, "milaan.shop.example {", "http://"+p.plain+" {")
	return caddyWith(t, program, dir, secure+plain)
}

// caddyWith is Caddy with a configuration, to which a certificate is given; nothing is looked for
// outside this machine.
func caddyWith(t *testing.T, program, dir, text string) *exec.Cmd {
	t.Helper()
	options := "{\n\tadmin off\n\tauto_https off\n\tstorage file_system " + dir + "\n\tdefault_bind 127.0.0.1\n}\n"
	config := filepath.Join(dir, "Caddyfile")
	require.NoError(t, os.WriteFile(config, []byte(options+text), 0o600))
	command := exec.Command(program, "run", "--config", config, "--adapter", "caddyfile")
	command.Env = []string{"HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}
	return command
}

// Two instances behind the Caddyfile of the containers are restarted in turn, as the guide says: no
// request fails. Caddy asks for their health twenty times as often as it is shipped to.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	program := needed.Program(t, "caddy")
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: only Linux has more loopback addresses than one, for instances with the same ports")
	}
	in := newInstallation(t, clone(t))
	accounts := in.accounts(t, 130, -1) // a key has 10 requests in 60 s, and one is sent every 50 ms
	rules := only.Value(os.ReadFile("../../.packaging/container/Caddyfile"))(t)
	cert, key, trust := web.Certificate(t)
	p := &proxy{secure: freeAddress(t), trust: trust, journal: in.newJournal()}
	_, metrics := only.Both(net.SplitHostPort(freeAddress(t)))(t)
	_, public := only.Both(net.SplitHostPort(freeAddress(t)))(t)
	hosts := []string{"127.0.0.31", "127.0.0.32"}
	command := caddyWith(t, program, t.TempDir(), replaced(t, string(rules),
		"{$SITE} {", "https://"+p.secure+" {\n\ttls "+cert+" "+key,
		"{$UPSTREAMS}", hosts[0]+":"+public+" "+hosts[1]+":"+public,
		"health_port 9090", "health_port "+metrics, "health_interval 2s", "health_interval 100ms"))
	command.Stdout, command.Stderr = p.journal, p.journal
	// Caddy alone asks for /readyz: twice, because the first answer may not have reached it.
	launch := func(host string) *replica {
		r := in.launch(t, "MILAAN_ADDR="+host+":"+public, "MILAAN_METRICS_ADDR="+host+":"+metrics,
			"MILAAN_TRUSTED_PROXIES=127.0.0.1", "MILAAN_PUBLIC_URL=https://"+p.secure, "MILAAN_DRAIN_DELAY=2s")
		await(t, "Caddy to see that "+host+" is ready", func() bool {
			return strings.Count(r.journal.text(), `"route":"/readyz","status":200`) > 1
		})
		return r
	}
	startUntilCleanup(t, command)
	replicas := []*replica{launch(hosts[0]), launch(hosts[1])}

	done, flowing := make(chan struct{}), make(chan map[int]int)
	client, clock := p.client(t, "127.0.0.21", true), time.NewTicker(50*time.Millisecond)
	defer clock.Stop()
	go func() {
		statuses := map[int]int{}
		for i := 0; !closed(done); i++ {
			<-clock.C
			statuses[send(client, request(t, "POST", "https://"+p.secure+"/reconcile", bytes.NewReader(runBody(brandOf(i))),
				"Content-Type", "application/json", "Authorization", "Bearer "+accounts[i%len(accounts)].key)).status]++
		}
		flowing <- statuses
	}()
	for i, host := range hosts {
		replicas[i].stop(t)
		replicas[i] = launch(host)
	}
	close(done)
	statuses := <-flowing
	require.Greater(t, statuses[http.StatusOK], 10)
	require.Len(t, statuses, 1, "%v\n%s", statuses, p.journal.text())
	for _, r := range replicas {
		r.stop(t)
	}
}

// replaced changes a text in places that it must have, given in pairs.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// client speaks to the proxy from an address of this machine, as one of many
// clients would.
func (p *proxy) client(t *testing.T, from string, http2 bool) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{
		TLSClientConfig:       &tls.Config{RootCAs: p.trust, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:     http2,
		ExpectContinueTimeout: waitLimit,
		DialContext:           dialer.DialContext,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: waitLimit}
}

// runOf is a body of POST /reconcile of a size in bytes.
func runOf(brand string, size int) []byte {
	body := runBody(brand)
	return append(append(make([]byte, 0, size), body...), bytes.Repeat([]byte(" "), size-len(body))...)
}

// The README's ways of putting a proxy before the service let through what the
// service takes, and nothing that a client may forge. The large bodies keep a processor busy for 4 s.
func TestProxies(t *testing.T) {
	heavy(t)
	t.Parallel()
	for _, kind := range proxied {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			needed.Program(t, kind.name)
			if runtime.GOOS != "linux" {
				t.Skip("NOT TESTED: only Linux has more loopback addresses than one, for clients to come from")
			}
			in := newInstallation(t, "")
			accounts := in.accounts(t, 2, -1)
			service := freeAddress(t)
			cert, key, trust := web.Certificate(t)
			p := &proxy{secure: freeAddress(t), plain: freeAddress(t), trust: trust, journal: in.newJournal()}
			command := kind.run(t, t.TempDir(), cert, key, service, p)
			command.Stdout, command.Stderr = p.journal, p.journal
			ended := startUntilCleanup(t, command)
			settings := []string{"MILAAN_ADDR=" + service, "MILAAN_TRUSTED_PROXIES=127.0.0.1", "MILAAN_PUBLIC_URL=https://" + p.secure}
			r := in.launch(t, append(settings, "MILAAN_METRICS_ADDR=127.0.0.1:0")...)

			one, other := p.client(t, "127.0.0.21", false), p.client(t, "127.0.0.22", true)
			ask := func(c *http.Client, base, method, path string, body []byte, header ...string) answer {
				t.Helper()
				return send(c, request(t, method, base+path, bytes.NewReader(body), header...))
			}
			await(t, "the service to be ready behind "+kind.name, func() bool {
				select {
				case <-ended:
					t.Fatalf("%s ended:\n%s", kind.name, p.journal.text())
				case <-r.ended:
					t.Fatalf("the service ended:\n%s", r.journal.text())
				default:
				}
				return ask(one, "https://"+p.secure, "GET", "/readyz", nil).status == http.StatusOK
			})

			// HTTPS is demanded, whatever the client says of itself.
			for _, forged := range []string{"", "https"} {
				refused(t, ask(one, "http://"+p.plain, "GET", "/demo", nil, "X-Forwarded-Proto", forged), 403, "HTTPS only")
			}
			require.Equal(t, 200, ask(one, "https://"+p.secure, "GET", "/healthz", nil, "X-Forwarded-Proto", "http").status)
			require.NotEmpty(t, ask(one, "https://"+p.secure, "GET", "/healthz", nil).header.Get("Strict-Transport-Security"))
			refused(t, ask(browser, "http://"+service, "GET", "/demo", nil), 403, "HTTPS only")

			// Bodies of up to 25 MB get through, and larger ones get the service's 413.
			post := func(c *http.Client, account account, body []byte, header ...string) answer {
				return ask(c, "https://"+p.secure, "POST", "/reconcile", body, append(header, "Content-Type", "application/json", "Authorization", "Bearer "+account.key)...)
			}
			const largest = 25 << 20
			outcomeOf(t, post(one, accounts[0], runOf("HTTP/1.1", largest)))
			outcomeOf(t, post(one, accounts[0], runOf("asked first", largest), "Expect", "100-continue"))
			outcomeOf(t, post(other, accounts[1], runOf("HTTP/2", largest)))
			refused(t, post(other, accounts[1], runOf("", largest+1)), 413, "request body larger than 25 MB")
			huge := post(other, accounts[1], runOf("", 66<<20+1))
			require.NoError(t, huge.err)
			require.Equal(t, 413, huge.status)
			if kind.ownLimit == 0 {
				refused(t, huge, 413, "request body larger than 25 MB")
			}
			if kind.lingers {
				refused(t, post(one, accounts[0], runOf("", largest+1)), 413, "request body larger than 25 MB")
			}

			dashboardThrough(t, in, p, settings, one, other)
			require.NotContains(t, p.journal.text(), "temporary file", "the proxy writes the files to its disk")

			// An answer of the service's own kind comes back whole, with its header.
			a := post(other, account{key: "none"}, runBody("x"))
			refused(t, a, 401, "API key")
			require.NotEmpty(t, a.header.Get("X-Request-Id"))
			require.Equal(t, "Bearer", a.header.Get("Www-Authenticate"))

			// Clients are told apart by their own addresses, and not by what they say.
			statuses := map[int]int{}
			for i := range 21 {
				statuses[ask(one, "https://"+p.secure, "GET", "/demo", nil, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)).status]++
			}
			require.Equal(t, map[int]int{200: 20, 429: 1}, statuses)
			require.Equal(t, 200, ask(other, "https://"+p.secure, "GET", "/demo", nil).status, "another client's rate is its own")

			r.stop(t)
		})
	}
}

// dashboardThrough signs in through a proxy, with a link that the command line prints with
// the service's settings, and uploads what the dashboard takes.
func dashboardThrough(t *testing.T, in *installation, p *proxy, settings []string, one, other *http.Client) {
	t.Helper()
	const largest, email = 64 << 20, "owner@shop.example"
	base := "https://" + p.secure
	in.succeed(t, settings, "account", "create", "--email", email, "--plan", "pro")
	printed := in.succeed(t, settings, "session", "--email", email, "--link")
	link := regexp.MustCompile(regexp.QuoteMeta(base) + `/app/sign-in#token=(\S+)`).FindStringSubmatch(printed)
	require.NotNil(t, link, "the link begins with MILAAN_PUBLIC_URL")
	in.hide("the token of a sign-in link", link[1])

	// Browsers of some age send Origin alone; it must be the address that the service sees.
	ask := func(c *http.Client, base, method, path string, body []byte, header ...string) answer {
		t.Helper()
		return send(c, request(t, method, base+path, bytes.NewReader(body), append(header, "Origin", "https://"+p.secure)...))
	}
	signIn := func(base, origin string) answer {
		t.Helper()
		return send(one, request(t, "POST", base+"/app/api/sign-in", strings.NewReader(`{"token":"`+link[1]+`"}`), "Content-Type", "application/json", "Origin", origin))
	}
	for _, base := range []string{"http://" + p.plain, "https://" + p.secure} {
		require.Equal(t, 403, signIn(base, "https://another.example").status, "a page of another site")
	}
	require.Equal(t, 403, signIn("http://"+p.plain, "http://"+p.plain).status, "plain HTTP")
	require.Equal(t, 401, ask(one, base, "POST", "/app/api/inspect", nil).status, "nobody is a visitor through a proxy")
	signedIn := signIn(base, base)
	require.NoError(t, signedIn.err)
	require.Equal(t, 204, signedIn.status, "%s", signedIn.body)
	cookies := (&http.Response{Header: signedIn.header}).Cookies()
	require.Len(t, cookies, 1)
	require.Equal(t, "__Host-milaan", cookies[0].Name)
	require.True(t, cookies[0].Secure && cookies[0].HttpOnly && cookies[0].Path == "/" && cookies[0].Domain == "", cookies[0].String())
	in.hide("the secret of a session", cookies[0].Value)
	cookie := cookies[0].Name + "=" + cookies[0].Value

	require.Contains(t, string(ask(one, base, "GET", "/app/api/me", nil, "Cookie", cookie).body), `"visitor":"account"`)
	for _, upload := range []struct {
		by     *http.Client
		size   int
		status int
	}{{one, 27 << 20, 200}, {other, largest, 200}, {other, largest + 1, 413}} {
		form, media := formOf(t, upload.size)
		a := ask(upload.by, base, "POST", "/app/api/reconcile", form, "Cookie", cookie, "Content-Type", media)
		require.NoError(t, a.err)
		require.Equal(t, upload.status, a.status, "%d bytes: %.300s", upload.size, a.body)
		require.Contains(t, a.header.Get("Content-Type"), "application/json", "the answer is the service's")
	}
	form, media := formOf(t, 1<<20)
	require.Equal(t, 403, ask(one, "http://"+p.plain, "POST", "/app/api/reconcile", form, "Cookie", cookie, "Content-Type", media).status, "plain HTTP")
	require.Equal(t, 204, ask(one, base, "POST", "/app/api/sign-out", nil, "Cookie", cookie).status)
	require.Equal(t, 401, ask(one, base, "GET", "/app/api/runs", nil, "Cookie", cookie).status)
}

// formOf is the form of an upload in the dashboard that has a size in bytes: blank lines
// follow the orders.
func formOf(t *testing.T, size int) (form []byte, contentType string) {
	t.Helper()
	of := func(blank []byte) ([]byte, string) {
		var form bytes.Buffer
		form.Grow(size)
		w := multipart.NewWriter(&form)
		part := func(name string, content ...[]byte) {
			to := only.Value(w.CreateFormFile(name, name+".csv"))(t)
			for _, c := range content {
				require.NoError(t, only.Err(to.Write(c)))
			}
		}
		part("report", []byte(remittance))
		part("orders", []byte(orders), blank)
		require.NoError(t, w.Close())
		return form.Bytes(), w.FormDataContentType()
	}
	least, _ := of(nil)
	return of(bytes.Repeat([]byte("\n"), size-len(least)))
}
