package browser_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/adapters/wording"
	"milaan/tests/browser"
)

// answer is what a stage answers to a request: its JSON, and with a status that is not 0 an
// error of the service.
type answer struct {
	status int
	json   any
}

type object = map[string]any

// stagedPlans are the plans that a stage sells. The price of the last one is not known.
var stagedPlans = []object{
	{"id": "plan_s", "plan": "solo", "name": "Solo", "period": "monthly", "interval": 1, "amount": 499},
	{"id": "plan_p", "plan": "pro", "name": "Pro", "period": "monthly", "interval": 1, "amount": 1999},
	{"id": "plan_y", "plan": "pro", "name": "Pro, a year", "period": "yearly", "interval": 1, "amount": 19990},
	{"id": "plan_e", "plan": "enterprise", "name": nil, "period": nil, "interval": nil, "amount": nil},
}

// accountStage serves the pages with answers that a test has made, so that it can show what
// an account comes to only by others' doing, such as those of the billing provider.
type accountStage struct {
	URL string

	mu      sync.Mutex
	me      object
	answers map[string]answer // by method and path below /app/api
	asked   []string          // requests that change something, with their bodies
}

func newAccountStage(t testing.TB) *accountStage {
	t.Helper()
	s := &accountStage{answers: map[string]answer{}}
	s.me = object{
		"visitor": "account", "sign_in": object{"link": true, "oidc": false}, "quota": object{"used": 3, "cap": 10, "resets_on": "2026-12-01"},
		"limits": object{"rows": 50000, "reports": 20, "body_bytes": 67108864}, "couriers": []object{{"id": "delhivery", "name": "Delhivery"}},
		"languages": []object{{"code": "en", "name": "English"}, {"code": "hi", "name": "हिन्दी"}}, "defaults": object{"overdue_days": 7, "minor_gap": 2},
		"retention_days": 731, "base_url": "http://127.0.0.1", "person": "asha@shop.example", "role": "owner",
		"account": object{"email": "asha@shop.example", "plan": "pro", "subscription": "active", "phone_verified": true, "overdue_days": 0,
			"created_at": "2026-03-01T10:00:00Z", "may_use_api": true, "has_webhooks": false, "has_branding": true, "saves_mappings": false, "has_autopilot": true},
		"accounts": []object{{"id": "a1", "email": "asha@shop.example", "role": "owner"}},
		"sign_up":  true, "phone_codes": true, "billing": true, "sandbox": true,
	}
	s.set("GET /account/phone", object{"verified": true, "number": "+91 ••••• ••210", "code_open_until": nil, "next_send_at": nil})
	s.set("GET /account/subscription", object{"plans": stagedPlans, "status": "active", "plan": "pro",
		"period_start": "2026-11-05", "period_end": "2026-12-05", "ends_at": nil, "ends_now": false, "manage": "https://pay.example/sub_1"})
	s.previews(object{"plan": stagedPlans[3], "from": "pro", "cap_before": 10})
	s.set("GET /key", object{"key": nil})
	s.set("GET /sandbox-key", object{"key": nil})
	pages := assets.New()
	mux := http.NewServeMux()
	mux.Handle("/app", pages.Page(http.StatusOK))
	mux.Handle("/app/", pages.Page(http.StatusOK))
	for name, file := range pages.Files {
		mux.Handle(assets.At+name, file)
	}
	mux.HandleFunc("/app/api/words/hi", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(wording.NewLanguages().Pages("hi"))
	})
	mux.HandleFunc("/app/api/", s.serve)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

func (s *accountStage) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := r.Method + " " + r.URL.Path[len("/app/api"):]
	w.Header().Set("Content-Type", "application/json")
	if what == "GET /me" {
		_ = json.NewEncoder(w).Encode(s.me)
		return
	}
	if r.Method != http.MethodGet {
		var body any
		_ = json.NewDecoder(r.Body).Decode(&body)
		text, _ := json.Marshal(body)
		s.asked = append(s.asked, what+" "+string(text))
	}
	found, ok := s.answers[what]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"the stage has no %s","code":"no_route"}`, what)
	case found.status != 0:
		w.WriteHeader(found.status)
		_ = json.NewEncoder(w).Encode(found.json)
	case found.json == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		_ = json.NewEncoder(w).Encode(found.json)
	}
}

// set says what is answered to a request from now on; nil: 204.
func (s *accountStage) set(what string, answers any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[what] = answer{json: answers}
}

// refuse has a request refused from now on.
func (s *accountStage) refuse(what string, status int, code, message string, fields ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refusal := object{"error": message, "code": code}
	if len(fields) > 0 {
		refusal["field"] = fields[0]
	}
	s.answers[what] = answer{status: status, json: refusal}
}

// change changes what GET /me answers.
func (s *accountStage) change(act func(me object)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	act(s.me)
}

// fresh makes the account one that has just signed up.
func (s *accountStage) fresh() {
	s.change(func(me object) {
		a := me["account"].(object)
		a["plan"], a["subscription"], a["phone_verified"], a["may_use_api"] = "solo", "incomplete", false, false
	})
	s.set("GET /account/phone", object{"verified": false, "number": nil, "code_open_until": nil, "next_send_at": nil})
	s.set("GET /account/subscription", object{"plans": stagedPlans, "status": nil, "plan": nil, "manage": nil})
}

// soon is a moment less than a minute from now.
func soon() string { return time.Now().Add(55 * time.Second).UTC().Format(time.RFC3339) }

// sentCode is a new account to which a code was just sent.
func (s *accountStage) sentCode() {
	s.fresh()
	s.set("POST /account/phone", object{"until": "2026-11-21T04:40:00Z", "next_send_at": soon()})
	s.refuse("POST /account/phone/verify", 400, "phone_code_invalid", "this code is wrong or has expired: 4 checks are left")
}

// verified is a new account whose phone number is verified.
func (s *accountStage) verified() {
	s.fresh()
	s.change(func(me object) { me["account"].(object)["phone_verified"] = true })
}

// previews says what choosing a plan would do: what is not given is as when the active one is
// changed at once.
func (s *accountStage) previews(would object) {
	all := object{"anew": false, "begins_at": nil, "ends_now": false, "from": nil, "downgrade": false, "loses": []string{}, "gains": []string{},
		"cap_before": nil, "cap_after": nil}
	maps.Copy(all, would)
	s.set("GET /account/subscription/preview", all)
}

// downgrades has the preview of a plan that a later subscription begins, and that has less.
func (s *accountStage) downgrades() {
	s.previews(object{"plan": stagedPlans[0], "from": "pro", "anew": true, "begins_at": "2026-12-04T18:30:00Z", "downgrade": true,
		"loses": []string{"api", "autopilot", "branding"}, "cap_before": 10, "cap_after": 2})
}

// followed is a subscription that ends, and one that waits to be agreed to.
func (s *accountStage) followed() object {
	all := object{"plans": stagedPlans, "status": "active", "plan": "pro", "period_start": "2026-11-05", "period_end": "2026-12-05",
		"ends_at": "2026-12-04T18:30:00Z", "ends_now": false, "manage": "https://pay.example/sub_1", "twice": false,
		"next": object{"plan": "solo", "status": "created", "begins_at": "2026-12-04T18:30:00Z", "manage": s.URL + "/app/account?agreed"}}
	s.set("GET /account/subscription", all)
	return all
}

// unpaid is a subscription of which nothing is paid for now.
func (s *accountStage) unpaid() {
	s.set("GET /account/subscription", object{"plans": stagedPlans, "status": "active", "plan": "pro",
		"period_start": "2026-11-05", "period_end": "2026-12-05", "ends_at": nil, "ends_now": true, "manage": "https://pay.example/sub_1"})
}

// billed gives the account's subscription a state at the billing provider.
func (s *accountStage) billed(status string, ends any) {
	s.set("GET /account/subscription", object{"plans": stagedPlans, "status": status, "plan": "pro", "ends_at": ends, "ends_now": false, "manage": "https://pay.example/sub_1"})
}

func (s *accountStage) alone() {
	s.set("GET /account/people", object{"people": []object{{"id": nil, "email": "asha@shop.example", "role": "owner", "own": true, "you": true, "added_at": "2026-03-01T10:00:00Z"}}, "invitations": []object{}, "most": 50})
}

// shared is an account of two people, with an open invitation.
func (s *accountStage) shared() {
	s.set("GET /account/people", object{"people": []object{
		{"id": nil, "email": "asha@shop.example", "role": "owner", "own": true, "you": true, "added_at": "2026-03-01T10:00:00Z"},
		{"id": "m1", "email": "ravi@shop.example", "role": "reader", "own": false, "you": false, "added_at": "2026-11-01T10:00:00Z"},
	}, "invitations": []object{{"id": "i1", "email": "ca@books.example", "role": "accountant", "until": "2026-11-28T04:30:00Z"}}, "most": 50})
}

// invited has an invitation to the account, for somebody else than who is signed in.
func (s *accountStage) invited() {
	s.set("POST /invitation", object{"account": "asha@shop.example", "email": "ca@books.example", "role": "accountant", "until": "2026-11-28T04:30:00Z"})
}

func (s *accountStage) sandboxed() {
	s.set("GET /sandbox-key", object{"key": object{"prefix": "milaan_sandbox_abcdefgh", "issued_at": "2026-11-21T04:30:00Z", "last_used_at": nil}})
}

// reader is somebody who may read the history of another's account.
func (s *accountStage) reader() {
	s.change(func(me object) {
		me["role"], me["person"] = "reader", "ravi@shop.example"
		me["accounts"] = []object{{"id": "a1", "email": "asha@shop.example", "role": "reader"}}
	})
	s.set("GET /runs", object{"runs": []object{}, "next": nil, "brands": []string{}, "couriers": []string{}, "sources": []string{}})
	s.set("GET /trend", object{"points": []object{}})
}

// several is a person of two accounts.
func (s *accountStage) several() {
	s.change(func(me object) {
		me["accounts"] = []object{{"id": "a1", "email": "asha@shop.example", "role": "owner"}, {"id": "a2", "email": "mill@cloth.example", "role": "accountant"}}
	})
}

func (s *accountStage) nobody() {
	s.change(func(me object) {
		me["visitor"], me["account"], me["person"], me["role"], me["accounts"] = "none", nil, nil, nil, []object{}
		me["sign_in"] = object{"link": false, "oidc": true}
	})
}

// changes returns the requests since the last call that have changed something.
func (s *accountStage) changes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.asked
	s.asked = nil
	return all
}

func (s *accountStage) open(t testing.TB, path string) *browser.Tab {
	t.Helper()
	tab := browser.Open(t, s.URL).Go(path)
	require.NotNil(t, tab)
	return tab
}
