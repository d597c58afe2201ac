// Package razorpay is Razorpay on this machine for tests: its API of subscriptions and plans,
// in the shapes that it documents, and the notices that it posts. Time is the test's.
package razorpay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"

	"github.com/stretchr/testify/require"
)

// Whom New's servers let in, and what signs their notices.
const (
	KeyID         = "rzp_test_A1b2C3d4"
	KeySecret     = "key-secret-canary-7f1c"
	WebhookSecret = "webhook-secret-canary-0a2b"
	FormerSecret  = "former-secret-canary-9d8e"
)

// Plan is a plan that is sold.
type Plan struct {
	ID       string `json:"id"`
	Entity   string `json:"entity"`
	Period   string `json:"period"`
	Interval int    `json:"interval"`
	Item     Item   `json:"item"`
}

// Item is what a plan costs, in paise.
type Item struct {
	Name     string `json:"name"`
	Amount   int    `json:"amount"`
	Currency string `json:"currency"`
}

// Subscription is a subscription as Razorpay writes it. Times are seconds; 0 stands for null.
type Subscription struct {
	ID, PlanID, Status string
	Created            int64
	Start, End, Ended  int64
	Notes              map[string]string
	AtEnd              bool   // it is cancelled at the end of its period
	Charges            int    // total_count
	Paid               int    // paid_count
	Method             string // how its customer has agreed to pay: card, upi or emandate; blank: not yet, or not said
	StartAt, ExpireBy  int64
	Failing            bool // its charges fail
	failed             int64
	renews             bool // it was cancelled to the end when a period was over and the charge of the next one was on its way
}

// Charge is what a customer has paid: for a subscription's period, by the second.
type Charge struct {
	ID          string // of the subscription
	From, Until int64
}

// MarshalJSON fills json.Marshaler.
func (s Subscription) MarshalJSON() ([]byte, error) {
	orNull := func(n int64) any {
		if n == 0 {
			return nil
		}
		return n
	}
	var notes any = s.Notes
	if len(s.Notes) == 0 {
		notes = []string{} // as Razorpay does
	}
	return json.Marshal(map[string]any{"id": s.ID, "entity": "subscription", "plan_id": s.PlanID, "status": s.Status, "created_at": s.Created,
		"current_start": orNull(s.Start), "current_end": orNull(s.End), "ended_at": orNull(s.Ended), "quantity": 1, "notes": notes,
		"short_url": "https://rzp.example/" + s.ID, "customer_notify": true, "total_count": s.Charges, "paid_count": s.Paid,
		"start_at": orNull(s.StartAt), "expire_by": orNull(s.ExpireBy), "payment_method": orNone(s.Method)})
}

func orNone(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Notice is what is posted about a subscription.
type Notice struct {
	ID, Signature string
	Body          []byte
}

// Server is a server that runs until the test ends. It is safe for concurrent use.
type Server struct {
	mu      sync.Mutex
	clock   func() time.Time
	plans   map[string]Plan
	subs    []*Subscription
	charged []Charge
	notices int
	asked   []string
	answer  func(w http.ResponseWriter, r *http.Request) bool
	lost    func(r *http.Request) bool
	late    int64 // seconds between the moment at which a period begins and its charge
	address string
}

// New starts a server.
func New(t testing.TB, clock func() time.Time, plans ...Plan) *Server {
	s := &Server{clock: clock, plans: map[string]Plan{}}
	for _, p := range plans {
		s.plans[p.ID] = p
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.address = "http://" + listener.Addr().String()
	server := &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	network.Serve(t, server.Serve, listener, server)
	return s
}

// PlanOf makes a plan that is charged every month or year.
func PlanOf(id, period string) Plan {
	return Plan{ID: id, Entity: "plan", Period: period, Interval: 1, Item: Item{Name: "Plan " + id, Amount: 99900, Currency: "INR"}}
}

func (s *Server) URL() string { return s.address }

// Answer makes a function answer, for which it returns true. nil: as usual.
func (s *Server) Answer(do func(w http.ResponseWriter, r *http.Request) bool) {
	locked.Do(&s.mu, func() { s.answer = do })
}

// Lose does what is asked for and loses the answer, if do returns true. nil: loses nothing.
func (s *Server) Lose(do func(r *http.Request) bool) { locked.Do(&s.mu, func() { s.lost = do }) }

// ChargeLate has Pass charge a period some time after it has begun, as Razorpay does; without it,
// at that moment.
func (s *Server) ChargeLate(by time.Duration) {
	locked.Do(&s.mu, func() { s.late = int64(by / time.Second) })
}

// Asked returns the requests so far, such as "GET /v1/subscriptions/sub_1".
func (s *Server) Asked() []string {
	return locked.Get(&s.mu, func() []string { return slices.Clone(s.asked) })
}

// All returns all subscriptions, in the order in which they were made.
func (s *Server) All() (all []Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subs {
		all = append(all, *sub)
	}
	return all
}

// Create makes a subscription of an account; blank: of none.
func (s *Server) Create(planID, account string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.create(planID, map[string]string{"milaan_account": account}, 0).ID
}

// Charged returns what was paid, in the order in which it was.
func (s *Server) Charged() []Charge {
	return locked.Get(&s.mu, func() []Charge { return slices.Clone(s.charged) })
}

// Authorize has the customer agree to a subscription on its page, by card, upi or emandate. It
// is charged at once, or begins on the day that was asked for. done is false if the page lets
// nobody agree any more.
func (s *Server) Authorize(id, method string) (done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sub, now := s.find(id), s.clock().Unix()
	if sub.Status != "created" || sub.ExpireBy != 0 && now >= sub.ExpireBy {
		return false
	}
	sub.Method = method
	if sub.StartAt > now {
		sub.Status = "authenticated"
		return true
	}
	s.activate(sub)
	return true
}

// Pass does what is due by the clock: what was asked for begins, periods are charged, and
// what was cancelled to the end of a period ends. A charge that fails makes the subscription
// pending, and after three days of failing it is halted.
func (s *Server) Pass() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock().Unix()
	for _, sub := range s.subs {
		switch {
		case sub.Status == "created" && sub.ExpireBy != 0 && now >= sub.ExpireBy:
			sub.Status = "expired"
		case sub.Status == "active" && sub.AtEnd && now >= sub.End && !sub.renews:
			sub.Status, sub.Ended = "cancelled", sub.End
		case sub.Status == "pending" && sub.Failing:
			if now >= sub.failed+3*24*3600 {
				sub.Status = "halted"
			}
		case sub.Status == "halted" && sub.End != 0 && now >= sub.End: // bills are made, and nobody charges them
			sub.Start, sub.End = sub.End, s.endAfter(sub, sub.End)
		case sub.Status == "pending", sub.Status == "authenticated" && now >= sub.StartAt+s.late,
			sub.Status == "active" && now >= sub.End+s.late:
			if sub.Failing {
				sub.Status, sub.failed = "pending", now
				continue
			}
			s.activate(sub)
		}
	}
}

// Revive is a late charge of a subscription that was halted: its customer has entered another
// card.
func (s *Server) Revive(id string) (done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ReviveNow(id)
}

// ReviveNow is Revive for a function that answers.
func (s *Server) ReviveNow(id string) (done bool) {
	sub := s.find(id)
	if sub.Status != "halted" && sub.Status != "pending" {
		return false
	}
	sub.Failing = false
	for sub.End != 0 && s.endAfter(sub, sub.End) <= s.clock().Unix() {
		sub.End = s.endAfter(sub, sub.End)
	}
	s.activate(sub)
	return true
}

func (s *Server) create(planID string, notes map[string]string, charges int) *Subscription {
	if notes["milaan_account"] == "" {
		notes = nil
	}
	sub := &Subscription{ID: fmt.Sprintf("sub_%06d", len(s.subs)+1), PlanID: planID, Status: "created", Created: s.clock().Unix(), Notes: notes, Charges: charges}
	s.subs = append(s.subs, sub)
	return sub
}

// Edit changes a subscription as nothing but Razorpay can.
func (s *Server) Edit(id string, change func(*Subscription)) {
	locked.Do(&s.mu, func() { change(s.find(id)) })
}

func (s *Server) find(id string) *Subscription {
	for _, sub := range s.subs {
		if sub.ID == id {
			return sub
		}
	}
	return nil
}

// Activate charges a subscription for the first time, or again: a period begins, now or at
// the end of the one before.
func (s *Server) Activate(id string) { locked.Do(&s.mu, func() { s.ActivateNow(id) }) }

// ActivateNow is Activate for a function that answers.
func (s *Server) ActivateNow(id string) { s.activate(s.find(id)) }

func (s *Server) activate(sub *Subscription) {
	switch {
	case sub.Start != 0:
		sub.Start = sub.End
	case sub.StartAt != 0:
		sub.Start = sub.StartAt
	default:
		sub.Start = s.clock().Unix()
	}
	sub.Status, sub.End, sub.renews = "active", s.endAfter(sub, sub.Start), false
	sub.Paid++
	s.charged = append(s.charged, Charge{sub.ID, sub.Start, sub.End})
}

// endAfter is the end of a period that begins then: on the day of the month of the creation, or
// of the start that was asked for, or on the last of a month that does not have it.
func (s *Server) endAfter(sub *Subscription, begins int64) int64 {
	india := time.FixedZone("", 19_800)
	start, created := time.Unix(begins, 0).In(india), time.Unix(max(sub.Created, sub.StartAt), 0).In(india)
	months := 1
	if s.plans[sub.PlanID].Period == "yearly" {
		months = 12
	}
	first := time.Date(start.Year(), start.Month()+time.Month(months), 1, start.Hour(), start.Minute(), start.Second(), 0, india)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(created.Day(), last)-1).Unix()
}

// Notify makes a notice of a subscription as it is now.
func (s *Server) Notify(event, id string) Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices++
	payload := map[string]any{"subscription": map[string]any{"entity": s.find(id)}}
	if strings.HasPrefix(event, "refund.") {
		payload = map[string]any{"refund": map[string]any{"entity": map[string]any{"id": "rfnd_1", "payment_id": "pay_1"}}}
	}
	body, _ := json.Marshal(map[string]any{"entity": "event", "account_id": "acc_1", "event": event, "contains": []string{"subscription"},
		"created_at": s.clock().Unix(), "payload": payload})
	return Notice{ID: fmt.Sprintf("evt_%08d", s.notices), Body: body, Signature: Sign(body, WebhookSecret)}
}

// Sign signs a body as Razorpay does.
func Sign(body []byte, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func refuse(w http.ResponseWriter, status int, reason string) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"code":"BAD_REQUEST_ERROR","description":"canary-description","reason":%q}}`, reason)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	if id, secret, _ := r.BasicAuth(); id != KeyID || secret != KeySecret {
		refuse(w, http.StatusUnauthorized, "authentication_failed")
		return
	}
	if s.lost != nil && s.lost(r) {
		w = httptest.NewRecorder()
		defer panic(http.ErrAbortHandler) // which net/http takes for a lost connection
	}
	if s.answer != nil && s.answer(w, r) {
		return
	}
	var sent struct {
		PlanID   string            `json:"plan_id"`
		AtEnd    int               `json:"cancel_at_cycle_end"`
		Charges  int               `json:"total_count"`
		Notes    map[string]string `json:"notes"`
		Schedule string            `json:"schedule_change_at"`
		StartAt  int64             `json:"start_at"`
		ExpireBy int64             `json:"expire_by"`
	}
	_ = json.NewDecoder(r.Body).Decode(&sent) // a GET has none
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	if parts[0] == "plans" && len(parts) == 2 {
		if p, known := s.plans[parts[1]]; known {
			_ = json.NewEncoder(w).Encode(p)
			return
		}
	}
	if parts[0] != "subscriptions" {
		refuse(w, http.StatusBadRequest, "not_found")
		return
	}
	if len(parts) == 1 && r.Method == http.MethodGet {
		s.list(w, r)
		return
	}
	if len(parts) == 1 {
		now := s.clock().Unix()
		if _, known := s.plans[sent.PlanID]; !known || sent.Charges < 1 || sent.StartAt != 0 && sent.StartAt <= now ||
			sent.ExpireBy != 0 && sent.ExpireBy <= now {
			refuse(w, http.StatusBadRequest, "input_validation_failed")
			return
		}
		sub := s.create(sent.PlanID, sent.Notes, sent.Charges)
		sub.StartAt, sub.ExpireBy = sent.StartAt, sent.ExpireBy
		_ = json.NewEncoder(w).Encode(sub)
		return
	}
	sub := s.find(parts[1])
	if sub == nil {
		refuse(w, http.StatusBadRequest, "not_found")
		return
	}
	final := sub.Status == "cancelled" || sub.Status == "completed" || sub.Status == "expired"
	switch {
	case len(parts) == 3 && parts[2] == "cancel" && r.Method == http.MethodPost:
		switch {
		case final, sent.AtEnd == 1 && sub.Status != "active":
			refuse(w, http.StatusBadRequest, "invalid_status")
			return
		case sent.AtEnd == 1:
			sub.AtEnd, sub.renews = true, s.clock().Unix() >= sub.End
		default:
			sub.Status, sub.Ended = "cancelled", s.clock().Unix()
		}
	case r.Method == http.MethodPatch:
		if sub.Status != "active" && sub.Status != "authenticated" || sent.Schedule != "now" || sub.Method == "upi" || sub.Method == "emandate" {
			refuse(w, http.StatusBadRequest, "invalid_status")
			return
		}
		sub.PlanID = sent.PlanID
	}
	_ = json.NewEncoder(w).Encode(sub)
}

// list answers with the latest first, as many as are asked for.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	count, _ := strconv.Atoi(r.URL.Query().Get("count"))
	skip, _ := strconv.Atoi(r.URL.Query().Get("skip"))
	items := []*Subscription{}
	for _, sub := range slices.Backward(s.subs) {
		if sub.Created >= from {
			items = append(items, sub)
		}
	}
	items = items[min(skip, len(items)):]
	items = items[:min(count, len(items))]
	_ = json.NewEncoder(w).Encode(map[string]any{"entity": "collection", "count": len(items), "items": items})
}
