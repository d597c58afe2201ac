package connecting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/storefront/shops"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/fakes/network"
)

// ShopPlace is a shop with the server behind it.
type ShopPlace struct {
	Shop domain.Shop
	// Orders is how many it has in the last 45 days; they fill several pages.
	Orders int
	// Network is the server's.
	Network *network.Unruly
	// Requests counts those to the shop.
	Requests func() int
	// Intercept lets a function answer requests in the place of the shop; nil: none.
	Intercept func(func(w http.ResponseWriter, r *http.Request) (handled bool))
	// DropPage makes the shop leave out a page of its orders without a word.
	DropPage func()
	// Wrong are settings that the shop refuses, by what is wrong with them, with the rule by
	// which it does.
	Wrong map[string]Refusal
	// Needed are the settings of which each is needed, with those of which one is not required
	// by itself.
	Needed []string
	// At returns settings with another host, which is as it stands in a URL, and a name that
	// resolves to it where the host cannot be chosen.
	At func(host string) domain.Settings
	// HostSetting is the name of the setting with the host.
	HostSetting string
	// Secrets may stand in no error.
	Secrets []string
}

// Refusal is how a shop refuses settings.
type Refusal struct {
	Settings domain.Settings
	Rule     domain.ConnectorRule
}

// shopDays is the window of the suite.
const shopDays = 45

var shopCases = cases[func(w *shopWorld)]{}

// Shops runs every case against one kind of shop. start makes a shop with orders up to now.
func Shops(t *testing.T, start func(t testing.TB) *ShopPlace) {
	for name, run := range shopCases {
		t.Run(name, func(t *testing.T) { run(&shopWorld{T: t, ShopPlace: start(t)}) })
	}
}

// shopWorld is a shop with what stands between it and the registry.
type shopWorld struct {
	*testing.T
	*ShopPlace
	limits   shops.Limits
	public   bool // addresses of this machine are not allowed
	resolver peers.Resolver
	dial     peers.Dial

	mu    sync.Mutex
	slept time.Duration
}

// sleep does not: the time only goes by.
func (w *shopWorld) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slept += d
	return ctx.Err()
}

func (w *shopWorld) registry() *shops.Registry {
	limits := w.limits
	limits.Sleep = w.sleep
	if w.resolver == nil {
		w.resolver = network.Always(nil)
	}
	return shops.New(shops.Settings{AllowLoopback: !w.public, Limits: limits}, outbound.New(outbound.Settings{Resolver: w.resolver, Dial: w.dial}))
}

func shopQuery() ports.OrdersQuery {
	to := time.Now().Add(time.Minute)
	return ports.OrdersQuery{From: to.AddDate(0, 0, -shopDays), To: to, Most: domain.MaxRows}
}

// fetch fetches, and holds that an error comes with no orders and without a secret.
func (w *shopWorld) fetch(ctx context.Context, r *shops.Registry, settings domain.Settings) (*ports.FetchedOrders, error) {
	w.Helper()
	fetched, err := r.Fetch(ctx, domain.Shop{Connector: w.Shop.Connector, Settings: settings}, shopQuery())
	require.Equal(w, err == nil, fetched != nil, "all orders or none")
	w.requireDiscreet(err)
	return fetched, err
}

func (w *shopWorld) requireDiscreet(err error) {
	w.Helper()
	if err == nil {
		return
	}
	host, _ := w.Network.HostPort()
	for _, secret := range append([]string{host, "shop.example", "myshopify"}, w.Secrets...) {
		require.NotContains(w, err.Error(), secret)
	}
}

// requireRule holds that both a fetch and a test fail by a rule.
func (w *shopWorld) requireRule(want domain.ConnectorRule, r *shops.Registry, settings domain.Settings) {
	w.Helper()
	_, err := w.fetch(w.Context(), r, settings)
	_ = w.requireRuleOf(want, err)
	err = r.Test(w.Context(), domain.Shop{Connector: w.Shop.Connector, Settings: settings}, shopDays)
	_ = w.requireRuleOf(want, err)
	w.requireDiscreet(err)
}

func (w *shopWorld) requireRuleOf(want domain.ConnectorRule, err error) *domain.ConnectorError {
	w.Helper()
	e, is := errors.AsType[*domain.ConnectorError](err)
	require.True(w, is, "%v", err)
	require.Equal(w, want, e.Rule)
	require.Equal(w, w.Shop.Connector, e.Connector)
	return e
}

// requireWhole holds that all orders come, as they always do.
func (w *shopWorld) requireWhole(r *shops.Registry) *ports.FetchedOrders {
	w.Helper()
	fetched, err := w.fetch(w.Context(), r, w.Shop.Settings)
	require.NoError(w, err)
	require.Equal(w, w.Orders, fetched.Count)
	return fetched
}

var _ = shopCases.add("all orders come", func(w *shopWorld) {
	r := w.registry()
	require.Empty(w, r.Check(w.Context(), w.Shop))
	require.NoError(w, r.Test(w.Context(), w.Shop, shopDays))
	host, port := w.Network.HostPort()
	require.Equal(w, net.JoinHostPort(host, port), r.Host(w.Shop))
	fetched := w.requireWhole(r)
	orders := new(verdict.Orders)
	orders.Reset()
	require.NoError(w, fetched.Orders.Read(orders))
	require.Equal(w, w.Orders, orders.Len())
	require.Equal(w, fetched.Hash, w.requireWhole(r).Hash)
	for _, c := range r.Catalogue() {
		if c.ID == w.Shop.Connector {
			return
		}
	}
	w.Errorf("%s is not in the catalogue", w.Shop.Connector)
})

var _ = shopCases.add("stopped at any request, it begins anew", func(w *shopWorld) {
	whole := w.requireWhole(w.registry())
	all := w.Requests()
	require.Greater(w, all, 2)
	for stop := 1; stop <= all; stop++ {
		ctx, cancel := context.WithCancel(w.Context())
		var n atomic.Int64
		w.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
			if n.Add(1) != int64(stop) {
				return false
			}
			cancel()
			_, _ = io.Copy(io.Discard, r.Body) // or the server does not see that the client has gone
			<-r.Context().Done()
			return true
		})
		r := w.registry() // it has no token yet
		_, err := w.fetch(ctx, r, w.Shop.Settings)
		cancel()
		require.ErrorIs(w, err, context.Canceled)
		w.Intercept(nil)
		require.Equal(w, whole.Hash, w.requireWhole(r).Hash)
	}
})

var _ = shopCases.add("each required setting is missed", func(w *shopWorld) {
	r := w.registry()
	for _, name := range w.Needed {
		for _, blank := range []string{"", "  "} {
			settings := With(w.Shop.Settings, name, blank)
			faults := r.Check(w.Context(), domain.Shop{Connector: w.Shop.Connector, Settings: settings})
			require.NotEmpty(w, faults, name)
			require.Equal(w, domain.FieldSetting, faults[0].Field)
			require.Equal(w, domain.RuleMissing, faults[0].Rule)
			before := w.Requests()
			w.requireRule(domain.ConnRefused, r, settings)
			require.Equal(w, before, w.Requests(), "nothing is asked with half of the settings")
		}
	}
})

var _ = shopCases.add("unknown and long settings are refused", func(w *shopWorld) {
	r := w.registry()
	for settings, want := range map[*domain.Settings]domain.Rule{
		new(With(w.Shop.Settings, "pasword", "x")):                                 domain.RuleSetting,
		new(With(w.Shop.Settings, w.Needed[1], strings.Repeat("x", 1001))):         domain.RuleLength,
		new(With(w.Shop.Settings, w.Needed[1], "a\nb")):                            domain.RuleLine,
		new(With(w.Shop.Settings, w.HostSetting, "javascript:alert(1)")):           domain.RuleForm,
		new(With(w.Shop.Settings, w.HostSetting, "https://user@shop.example/")):    domain.RuleForm,
		new(With(w.Shop.Settings, w.HostSetting, "https://shop.example/?a=b#c")):   domain.RuleForm,
		new(With(w.Shop.Settings, w.HostSetting, "http://shop.example")):           domain.RuleForm,
		new(With(w.Shop.Settings, w.HostSetting, "shop.example\\@127.0.0.1")):      domain.RuleForm,
		new(With(w.Shop.Settings, w.HostSetting, "https://shop.example:99999999")): domain.RuleForm,
	} {
		faults := r.Check(w.Context(), domain.Shop{Connector: w.Shop.Connector, Settings: *settings})
		require.NotEmpty(w, faults, "%v", *settings)
		require.Equal(w, want, faults[0].Rule, "%v", *settings)
		require.NotEmpty(w, faults[0].Setting)
	}
	for _, connector := range []domain.Connector{"", "unheard_of"} {
		odd := domain.Shop{Connector: connector, Settings: w.Shop.Settings}
		require.Equal(w, domain.FieldConnector, r.Check(w.Context(), odd)[0].Field)
		require.Empty(w, r.Host(odd))
		require.Error(w, r.Test(w.Context(), odd, shopDays))
	}
})

var _ = shopCases.add("a refused login is no empty shop", func(w *shopWorld) {
	for name, refusal := range w.Wrong {
		w.Run(name, func(t *testing.T) {
			inner := &shopWorld{T: t, ShopPlace: w.ShopPlace}
			inner.requireRule(refusal.Rule, inner.registry(), refusal.Settings)
		})
	}
})

var _ = shopCases.add("a missing page is no smaller shop", func(w *shopWorld) {
	w.DropPage()
	_, err := w.fetch(w.Context(), w.registry(), w.Shop.Settings)
	_ = w.requireRuleOf(domain.ConnPages, err)
})

// answering makes the shop answer with a status, the given number of times from now on; -1: always.
func (w *shopWorld) answering(times int64, status int, header ...string) {
	var n atomic.Int64
	w.Intercept(func(writer http.ResponseWriter, _ *http.Request) bool {
		if times >= 0 && n.Add(1) > times {
			return false
		}
		for i := 0; i+1 < len(header); i += 2 {
			writer.Header().Set(header[i], header[i+1])
		}
		writer.WriteHeader(status)
		return true
	})
}

var _ = shopCases.add("a throttle that does not end is an error", func(w *shopWorld) {
	w.limits.Wait = time.Minute
	w.answering(-1, http.StatusTooManyRequests, "Retry-After", "7")
	_, err := w.fetch(w.Context(), w.registry(), w.Shop.Settings)
	require.Equal(w, 56*time.Second, w.requireRuleOf(domain.ConnThrottled, err).Wait)
	require.Equal(w, 56*time.Second, w.slept)
	require.Equal(w, 9, w.Requests())
})

var _ = shopCases.add("a pause that the shop asks for is kept", func(w *shopWorld) {
	w.answering(2, http.StatusTooManyRequests, "Retry-After", "7")
	w.requireWhole(w.registry())
	require.GreaterOrEqual(w, w.slept, 14*time.Second)
})

var _ = shopCases.add("a short fault is waited for", func(w *shopWorld) {
	w.answering(3, http.StatusServiceUnavailable)
	w.requireWhole(w.registry())
	before := w.Requests()
	w.answering(-1, http.StatusServiceUnavailable)
	w.requireRule(domain.ConnAnswer, w.registry(), w.Shop.Settings)
	require.Equal(w, before+8, w.Requests(), "four each")
})

var _ = shopCases.add("a server that says nothing is not waited for", func(w *shopWorld) {
	w.limits.Answer = 20 * time.Millisecond
	w.Network.Behave(network.Manners{Silent: true})
	w.requireRule(domain.ConnSlow, w.registry(), w.Shop.Settings)
})

var _ = shopCases.add("a server that dribbles is not waited for", func(w *shopWorld) {
	w.limits.Answer = 30 * time.Millisecond
	w.Network.Behave(network.Manners{Dribble: 5 * time.Millisecond})
	w.requireRule(domain.ConnSlow, w.registry(), w.Shop.Settings)
})

var _ = shopCases.add("a server that hangs up leaves nothing in part", func(w *shopWorld) {
	for _, after := range []int{1, 20, 100, 150, 400, 1000, 2000, 5000} {
		w.Network.Behave(network.Manners{Cut: after})
		fetched, err := w.fetch(w.Context(), w.registry(), w.Shop.Settings)
		if err == nil && after > 200 { // a request that is repeated gets on by an answer each time
			require.Equal(w, w.Orders, fetched.Count)
			continue
		}
		_ = w.requireRuleOf(domain.ConnUnreachable, err)
	}
	w.Network.Behave(network.Manners{})
	w.requireWhole(w.registry())
})

var _ = shopCases.add("a server that is not there is unreachable", func(w *shopWorld) {
	w.Network.Behave(network.Manners{Unreachable: true})
	w.requireRule(domain.ConnUnreachable, w.registry(), w.Shop.Settings)
	require.NoError(w, w.Network.Close())
	w.requireRule(domain.ConnUnreachable, w.registry(), w.Shop.Settings)
})

var _ = shopCases.add("a redirect is not followed", func(w *shopWorld) {
	var reached atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		w.answering(-1, status, "Location", elsewhere.URL)
		_, err := w.fetch(w.Context(), w.registry(), w.Shop.Settings)
		require.Equal(w, status, w.requireRuleOf(domain.ConnAnswer, err).Status)
	}
	require.Zero(w, reached.Load())
})

var _ = shopCases.add("a long answer is not read", func(w *shopWorld) {
	w.limits.Bytes = 10_000
	var written atomic.Int64
	w.Intercept(func(writer http.ResponseWriter, r *http.Request) bool {
		for r.Context().Err() == nil && written.Load() < 100<<20 {
			n, err := writer.Write(make([]byte, 32<<10))
			if written.Add(int64(n)); err != nil {
				break
			}
		}
		return true
	})
	w.requireRule(domain.ConnAnswer, w.registry(), w.Shop.Settings)
	require.Less(w, written.Load(), int64(60<<20))
})

var _ = shopCases.add("answers without end are not read", func(w *shopWorld) {
	w.limits.All = 3000
	_, err := w.fetch(w.Context(), w.registry(), w.Shop.Settings)
	_ = w.requireRuleOf(domain.ConnManyBytes, err)
})

var _ = shopCases.add("an end of memory ends it", func(w *shopWorld) {
	full := errors.New("no memory is left")
	q := shopQuery()
	var most int64
	q.Grown = func(bytes int64) error {
		if most = max(most, bytes); bytes > 1000 {
			return full
		}
		return nil
	}
	_, err := w.registry().Fetch(w.Context(), w.Shop, q)
	require.Equal(w, full, err)
	require.Positive(w, most)
})

var _ = shopCases.add("forbidden hosts are neither saved nor dialled", func(w *shopWorld) {
	network.EachForbidden(func(name, host string, names *network.Names) {
		w.Run(name, func(t *testing.T) {
			settings := w.At(host)
			shop := domain.Shop{Connector: w.Shop.Connector, Settings: settings}
			inner := &shopWorld{T: t, ShopPlace: w.ShopPlace, public: true, resolver: names, dial: network.Unused(t)}
			r := inner.registry()
			require.NotEmpty(t, r.Check(t.Context(), shop))
			err := r.Test(t.Context(), shop, shopDays)
			e, is := errors.AsType[*domain.ConnectorError](err)
			require.True(t, is, "%v", err)
			require.Contains(t, []domain.ConnectorRule{domain.ConnForbidden, domain.ConnRefused, domain.ConnUnreachable}, e.Rule)
		})
	})
	for name, address := range network.ForbiddenAddresses {
		w.Run(name+", behind the shop's name", func(t *testing.T) {
			settings := w.At("kolam-kitchen.myshopify.com")
			shop := domain.Shop{Connector: w.Shop.Connector, Settings: settings}
			inner := &shopWorld{T: t, ShopPlace: w.ShopPlace, public: true, dial: network.Unused(t),
				resolver: network.Always(map[string][]string{"kolam-kitchen.myshopify.com": {address}})}
			r := inner.registry()
			faults := r.Check(t.Context(), shop)
			require.Len(t, faults, 1)
			require.Equal(t, domain.RulePublic, faults[0].Rule)
			require.Equal(t, w.HostSetting, faults[0].Setting)
			inner.requireRule(domain.ConnForbidden, r, settings)
		})
	}
})

var _ = shopCases.add("a name that changes gets nowhere", func(w *shopWorld) {
	const name = "kolam-kitchen.myshopify.com"
	shop := domain.Shop{Connector: w.Shop.Connector, Settings: w.At(name)}
	names := network.Changing(map[string][][]string{name: {{"93.184.216.34"}, {"10.0.0.1"}}})
	inner := &shopWorld{T: w.T, ShopPlace: w.ShopPlace, public: true, resolver: names, dial: network.Unused(w.T)}
	r := inner.registry()
	require.Empty(w, r.Check(w.Context(), shop))
	inner.requireRule(domain.ConnForbidden, r, shop.Settings)
})

var _ = shopCases.add("a certificate of another name is refused", func(w *shopWorld) {
	const name = "kolam-kitchen.myshopify.com"
	var reached atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	inner := &shopWorld{T: w.T, ShopPlace: w.ShopPlace, public: true, resolver: network.Always(map[string][]string{name: {"93.184.216.34"}}),
		dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			if address != "93.184.216.34:443" {
				return nil, fmt.Errorf("dialled %s", address)
			}
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		}}
	inner.requireRule(domain.ConnCertificate, inner.registry(), w.At(name))
	require.Zero(w, reached.Load(), "no secret is sent to a server of another name")
})
