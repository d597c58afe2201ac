// Package shopify is a server that stands in for Shopify in tests: its Admin GraphQL API with
// costs, throttling, scopes and paging, and its client credentials, as Shopify documents them.
// Queries are checked against testdata/schema.graphql. One Fake is as many shops as are wanted,
// each below a path of its own.
package shopify

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"milaan/domain"
	"milaan/tests/fakes/web"
)

// Order is an order of a shop. Shops may share a slice of them.
type Order struct {
	ID          int64
	Name        string
	CreatedAt   time.Time
	CancelledAt time.Time // zero: null
	Financial   string    // such as PARTIALLY_PAID; blank: null
	Fulfilment  string    // such as UNFULFILLED
	Gateways    []string
	Total       domain.Paise
	Outstanding domain.Paise
	Currency    string // blank: INR
	Fulfilments []Fulfilment
}

// Fulfilment is a fulfilment of an order.
type Fulfilment struct {
	Status    string // blank: SUCCESS
	CreatedAt time.Time
	Tracking  []Tracking
}

// Tracking is a parcel.
type Tracking struct{ Number, Company string }

// Fake serves shops. Their tokens and throttles go by its clock.
type Fake struct{ *web.Server }

// New starts a server on 127.0.0.1, which ends with the test.
func New(t testing.TB) *Fake {
	t.Helper()
	return &Fake{web.New(t)}
}

// What a new shop accepts.
const (
	ClientID     = "4f1c"
	ClientSecret = "shpss_7d20c9e0"
	Token        = "shpat_b1946ac9"
)

// TokenSpan is how long the tokens of client credentials are valid.
const TokenSpan = 24*time.Hour - time.Second

// Add adds a shop with a name such as kolam-kitchen. It accepts ClientID with ClientSecret, and
// Token, and grants read_orders.
func (f *Fake) Add(name string, orders []Order) *Shop {
	s := &Shop{
		orders: sorted(orders), scopes: []string{"read_orders"}, secret: ClientSecret, token: Token,
		tokens: map[string]time.Time{}, paging: 25_000, bucket: 2000, restored: 100, most: 1000,
	}
	s.available = s.bucket
	s.Site = f.AddSite(name, s.serve)
	return s
}

// sorted sorts orders as CREATED_AT does, unless they are.
func sorted(orders []Order) []Order {
	before := func(a, b Order) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), int(a.ID-b.ID))
	}
	if slices.IsSortedFunc(orders, before) {
		return orders
	}
	orders = slices.Clone(orders)
	slices.SortFunc(orders, before)
	return orders
}

// Shop is one shop of a Fake.
type Shop struct {
	*web.Site

	mu        sync.Mutex
	orders    []Order // by CREATED_AT
	scopes    []string
	secret    string
	token     string
	tokens    map[string]time.Time // of client credentials, with their end
	paging    int                  // how many objects can be paged through
	bucket    float64
	restored  float64 // a second
	most      float64 // that one query may cost
	available float64
	paidAt    time.Time
	alter     func(*Page)
}

// Settings are those with which the shop is reached by client credentials.
func (s *Shop) Settings() domain.Settings {
	return domain.Settings{"shop": s.Name() + ".myshopify.com", "client_id": ClientID, "client_secret": ClientSecret, "base_url": s.URL()}
}

func (s *Shop) locked(do func()) *Shop {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	return s
}

// SetOrders replaces the orders.
func (s *Shop) SetOrders(orders []Order) *Shop {
	return s.locked(func() { s.orders = sorted(orders) })
}

// Grant replaces the scopes of the app. Without read_all_orders no order is shown that is
// older than 60 days.
func (s *Shop) Grant(scopes ...string) *Shop { return s.locked(func() { s.scopes = scopes }) }

// SetSecret replaces the client secret, and ends all tokens that the old one got.
func (s *Shop) SetSecret(secret string) *Shop {
	return s.locked(func() { s.secret, s.tokens = secret, map[string]time.Time{} })
}

// EndTokens ends the tokens of client credentials before their time.
func (s *Shop) EndTokens() *Shop { return s.locked(func() { clear(s.tokens) }) }

// SetBucket sets how many points a client has, how many come back in a second, and how many
// one query may cost.
func (s *Shop) SetBucket(points, restored, most float64) *Shop {
	return s.locked(func() { s.bucket, s.restored, s.most, s.available = points, restored, most, points })
}

// SetPaging sets how many objects can be paged through.
func (s *Shop) SetPaging(objects int) *Shop { return s.locked(func() { s.paging = objects }) }

// Alter lets a function change pages of orders before they are sent; nil: none.
func (s *Shop) Alter(by func(*Page)) *Shop { return s.locked(func() { s.alter = by }) }

// SignIns is how many requests for a token there were.
func (s *Shop) SignIns() int { return s.RequestsOf(signInPath) }

// The paths of the API.
const (
	graphQLPath = "/admin/api/2026-10/graphql.json"
	signInPath  = "/admin/oauth/access_token"
)

func (s *Shop) serve(w http.ResponseWriter, r *http.Request, path string) {
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case path == signInPath:
		s.signIn(w, r)
	case path == graphQLPath:
		s.answer(w, r)
	default:
		web.Reply(w, http.StatusNotFound, map[string]any{"errors": "Not Found"})
	}
}

// signIn answers a request for a token.
func (s *Shop) signIn(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || r.PostForm.Get("grant_type") != "client_credentials" {
		web.Reply(w, http.StatusBadRequest, map[string]any{"error": "unsupported_grant_type"})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.PostForm.Get("client_id") != ClientID:
		web.Reply(w, http.StatusBadRequest, map[string]any{"error": "application_cannot_be_found"})
	case r.PostForm.Get("client_secret") != s.secret:
		web.Reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_client", "error_description": "the secret " + r.PostForm.Get("client_secret") + " is wrong"})
	default:
		token := "shpca_" + strings.ToLower(rand.Text())
		s.tokens[token] = s.Now().Add(TokenSpan)
		web.Reply(w, http.StatusOK, map[string]any{"access_token": token, "scope": strings.Join(s.scopes, ","), "expires_in": int(TokenSpan / time.Second)})
	}
}

func (s *Shop) signedIn(r *http.Request) bool {
	token := r.Header.Get("X-Shopify-Access-Token")
	return token != "" && token == s.token || s.Now().Before(s.tokens[token])
}
