package service_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/msg91"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/only"
	"milaan/tests/service"
)

// stage is a service with an account, and what stands between it and the examples.
type stage struct {
	*service.Service
	t        *testing.T
	customer *service.Customer
	doc      *openapi3.T
	sold     *razorpay.Server
	sms      *msg91.Server

	Address     string // of the stage
	Key, Token  string
	Environment map[string]string // what answers have given for later calls, by name

	mu      sync.Mutex
	answers map[string]service.Answer // the last ones, by operation
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, sms: msg91.New(t), Environment: map[string]string{}, answers: map[string]service.Answer{}}
	now := func() time.Time { return service.Morning }
	s.sold = razorpay.New(t, func() time.Time { return now() }, razorpay.PlanOf("plan_solo", "monthly"), razorpay.PlanOf("plan_pro", "monthly"))
	s.Service = service.Start(t, service.Options{Settings: func(c *config.Config) {
		c.Secrets.Keys = config.SecretKeys{bytes.Repeat([]byte{1}, 32)}
		c.OTP = config.OTP{Way: config.OTPMSG91, PerHour: 100, MSG91AuthKey: msg91.AuthKey, MSG91Template: msg91.Template, MSG91URL: s.sms.URL}
		c.Billing = config.Billing{RazorpayKeyID: razorpay.KeyID, RazorpayKeySecret: razorpay.KeySecret, RazorpayURL: s.sold.URL(),
			RazorpayWebhookSecrets: config.SecretList{razorpay.WebhookSecret},
			RazorpayPlans:          config.BillingPlans{{ID: "plan_solo", Plan: "solo"}, {ID: "plan_pro", Plan: "pro"}}}
	}})
	now = s.Clock.Now
	s.doc = only.Value(openapi3.NewLoader().LoadFromData(s.Get(t, "/openapi.json").Body))(t)
	s.customer = s.Customer(t, func(a *domain.Account) {
		a.Email, a.Plan = "accounts@shop.example", domain.Enterprise
	})
	s.Key, s.Token = s.customer.Key, s.customer.Session(t)

	listener := only.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	s.Address = "http://" + listener.Addr().String()
	server := &http.Server{Handler: http.HandlerFunc(s.pass), ReadHeaderTimeout: time.Minute}
	network.Serve(t, server.Serve, listener, server)
	return s
}

// operation finds the operation of a request; nil: there is none.
func (s *stage) operation(method, path string) *openapi3.Operation {
	var found *openapi3.Operation
	for template, item := range s.doc.Paths.Map() {
		form := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(template), "[^/]+") + "$")
		if o := item.GetOperation(method); o != nil && (template == path || found == nil && form.MatchString(path)) {
			found = o
		}
	}
	return found
}

// pass passes a request on, after what it needs has happened.
func (s *stage) pass(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	o := s.operation(r.Method, r.URL.Path)
	if err != nil || o == nil {
		s.t.Errorf("%s %s: %v, not described", r.Method, r.URL.Path, err)
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if played(r.URL.Path, o.OperationID) {
		s.play(w, r, o, body)
		return
	}
	s.Clock.Advance(61 * time.Second) // past the rate of a key
	body = s.arrange(o.OperationID, body)
	again := s.Request(s.t, r.Method, r.URL.RequestURI(), bytes.NewReader(body))
	for _, name := range []string{"Authorization", "Content-Type"} {
		if value := r.Header.Get(name); value != "" {
			again.Header.Set(name, value)
		}
	}
	a := s.Do(s.t, again) // holds the answer against the description
	s.mu.Lock()
	s.answers[o.OperationID] = a
	s.mu.Unlock()
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // it fails only if the example has ended, which is seen there
}

// played says whether the stage answers in the service's place: these calls need a shop, a report
// source or an endpoint on the Internet, or what nobody has who has only just begun. tests/service
// has them.
func played(path, operation string) bool {
	return strings.HasPrefix(strings.TrimPrefix(path, "/account"), "/connections") || strings.HasPrefix(path, "/account/webhook") ||
		slices.Contains([]string{"compareRuns", "removeMapping", "showLogo"}, operation)
}

// play holds a request against the description, and answers with the described example.
func (s *stage) play(w http.ResponseWriter, r *http.Request, o *openapi3.Operation, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	parameters := map[string]string{}
	var found *routers.Route
	for template, item := range s.doc.Paths.Map() {
		if item.GetOperation(r.Method) == o {
			found = &routers.Route{Spec: s.doc, Path: template, PathItem: item, Method: r.Method, Operation: o}
			given := strings.Split(r.URL.Path, "/")
			for i, part := range strings.Split(template, "/") {
				if strings.HasPrefix(part, "{") {
					parameters[strings.Trim(part, "{}")] = given[i]
				}
			}
		}
	}
	if err := openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{Request: r, Route: found, PathParams: parameters,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}); err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	token := s.Token
	if (*o.Security)[0]["apiKey"] != nil {
		token = s.Key
	}
	if r.Header.Get("Authorization") != "Bearer "+token {
		s.t.Errorf("%s %s has not the token that it needs", r.Method, r.URL.Path)
	}
	a := service.Answer{Header: http.Header{}, Body: []byte{}}
	for status, answer := range o.Responses.Map() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		a.Status, _ = strconv.Atoi(status)
		for media, content := range answer.Value.Content {
			a.Header.Set("Content-Type", media)
			for _, example := range content.Examples {
				a.Body, _ = json.Marshal(example.Value.Value)
			}
		}
	}
	s.mu.Lock()
	s.answers[o.OperationID] = a
	s.mu.Unlock()
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}

// arrange makes true what an example takes for granted, and returns its body with what only a
// person can know.
func (s *stage) arrange(operation string, body []byte) []byte {
	switch operation {
	case "verifyPhone":
		return bytes.Replace(body, []byte("123456"), []byte(s.sms.Last().Code), 1)
	case "changeSubscription", "cancelSubscription", "previewSubscription":
		s.pay()
	}
	return body
}

// pay has the customer pay for the subscription that was begun last, if that is not so yet.
func (s *stage) pay() {
	all := s.sold.All()
	if len(all) == 0 || all[len(all)-1].Status != "created" {
		return
	}
	id := all[len(all)-1].ID
	s.sold.Activate(id)
	notice := s.sold.Notify("subscription.activated", id)
	s.Do(s.t, s.Request(s.t, http.MethodPost, "/hooks/razorpay", bytes.NewReader(notice.Body), "Content-Type", "application/json",
		"X-Razorpay-Signature", notice.Signature, "X-Razorpay-Event-Id", notice.ID))
}

// answered is the last answer to an operation, which must be the described one. What later calls
// need of it goes into the environment.
func (s *stage) answered(t *testing.T, operation string) service.Answer {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	a, found := s.answers[operation]
	require.True(t, found, "the service was not asked")
	delete(s.answers, operation)
	for path, item := range s.doc.Paths.Map() {
		for method, o := range item.Operations() {
			if o.OperationID != operation {
				continue
			}
			var good []string
			for status := range o.Responses.Map() {
				if strings.HasPrefix(status, "2") {
					good = append(good, status)
				}
			}
			status := slices.Min(good)
			require.Equal(t, status, strconv.Itoa(a.Status), "%s %s: %s", method, path, a.Body)
			for _, link := range o.Responses.Value(status).Value.Links {
				s.learn(t, link.Value, a.Body)
			}
		}
	}
	return a
}

func (s *stage) learn(t *testing.T, link *openapi3.Link, body []byte) {
	for name, expression := range link.Parameters {
		var value any
		require.NoError(t, json.Unmarshal(body, &value))
		member, _ := strings.CutPrefix(expression.(string), "$response.body#/")
		for part := range strings.SplitSeq(member, "/") {
			if list, is := value.([]any); is {
				i := only.Value(strconv.Atoi(part))(t)
				value = list[i]
				continue
			}
			value = value.(map[string]any)[part]
		}
		for path, item := range s.doc.Paths.Map() {
			for _, o := range item.Operations() {
				if o.OperationID == link.OperationID {
					if name == "id" {
						before, _, _ := strings.Cut(path, "/{id}")
						name = strings.ReplaceAll(before[strings.LastIndex(before, "/")+1:], "-", "_") + "_id"
					}
					s.Environment[strings.ToUpper(name)] = value.(string)
				}
			}
		}
	}
}
