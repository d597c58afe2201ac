// Package clients_test generates clients of the API from its description with the generators of
// others, compiles them strictly, and calls every operation of a running service with them.
//
// The calls are made of the description: an operation that is new is called with its first example.
// What an operation needs besides stands in needs_test.go. Between client and service is a recorder
// (recorder_test.go): what a client returns is held against what was really answered.
//
// It also runs what /docs shows: each example of the page, as it stands, and the collections, by the
// programs that people use. The service is a real one in this process, behind a stage that sees to
// what an example needs besides itself: that a minute has passed, that somebody has paid, that the
// code is the one of the message.
package service_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/fakes/msg91"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/only"
	"milaan/tests/service"
)

// The generators of Go clients. Those of TypeScript are pinned by testdata/ts/package-lock.json.
const (
	oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	ogen        = "github.com/ogen-go/ogen/cmd/ogen@v1.24.0"
	node        = "node@22"
)

// call is one call of an operation, as the programs in testdata read it.
type call struct {
	Operation   string            `json:"operation"`
	Method      string            `json:"method"`
	Route       string            `json:"route"`
	Path        map[string]string `json:"path"`
	Query       map[string]string `json:"query"`
	Header      map[string]string `json:"header"`
	HasQuery    bool              `json:"has_query"`
	Token       string            `json:"token"`
	Media       string            `json:"media"`
	Body        any               `json:"body"`
	Form        string            `json:"form"`
	FormMedia   string            `json:"form_media"`
	AnswersJSON bool              `json:"answers_json"`

	mode mode
	want []int // the statuses that may be answered
}

// mode is why a call is made.
type mode int

const (
	good    mode = iota
	refused      // without a token that the service knows; the error has a field that nobody knows yet
	later        // good, and the answer has flags, warnings and fields of a later version
)

// returned is what a client made of an answer.
type returned struct {
	Error string `json:"error"`
	JSON  any    `json:"json"`
	Bytes []byte `json:"bytes"`
}

func TestGeneratedClients(t *testing.T) {
	if os.Getenv("MILAAN_TEST_REQUIRE_CLIENTS") == "" {
		t.Skip("NOT TESTED: it fetches generators and takes minutes, so it runs only with MILAAN_TEST_REQUIRE_CLIENTS")
	}
	s := start(t)
	text := s.Get(t, "/openapi.json").Body
	doc := only.Value(openapi3.NewLoader().LoadFromData(text))(t)
	typescript, golang := copied(t, "ts", text), copied(t, "go", text)

	run(t, golang, "go", "run", oapiCodegen, "-generate", "types,client", "-package", "oapi", "-o", made(t, golang, "oapi")+"/client.go", "openapi.json")
	run(t, golang, "go", "run", ogen, "--target", "ogen", "--package", "ogen", "--clean", "openapi.json")
	run(t, golang, "go", "vet", "./...")
	program := filepath.Join(golang, "run")
	run(t, golang, "go", "build", "-o", program, ".")

	run(t, typescript, "npx", "-y", "-p", node, "--", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	bin := "node_modules/.bin/"
	run(t, typescript, "npx", "-y", "-p", node, "--", "sh", "-ec", strings.Join([]string{
		bin + "openapi-typescript openapi.json -o generated/schema.ts",
		bin + "openapi-ts -i openapi.json -o generated/heyapi",
		bin + "orval --input openapi.json --output generated/orval.ts",
		bin + "orval --input openapi.json --output generated/orvalfetch.ts --client fetch",
		bin + "tsc -p .",
	}, "\n"))
	for name, command := range map[string][]string{
		"oapi-codegen": {program}, "ogen": {program},
		"openapi-fetch": {"npx", "-y", "-p", node, "--", "node", "out/run.js"}, "heyapi": {"npx", "-y", "-p", node, "--", "node", "out/run.js"},
		"orval": {"npx", "-y", "-p", node, "--", "node", "out/run.js"}, "orval-fetch": {"npx", "-y", "-p", node, "--", "node", "out/run.js"},
	} {
		folder := typescript
		if len(command) == 1 {
			folder = golang
		}
		t.Run(name, func(t *testing.T) { s.callWith(t, doc, name, folder, command) })
	}
}

// tested is a service with what its operations need.
type tested struct {
	*service.Service
	razorpay *razorpay.Server
	sms      *msg91.Server
}

func start(t *testing.T) *tested {
	t.Helper()
	s := &tested{sms: msg91.New(t)}
	s.razorpay = razorpay.New(t, func() time.Time { return service.Morning }, razorpay.PlanOf("plan_solo", "monthly"), razorpay.PlanOf("plan_pro", "monthly"))
	s.Service = service.Start(t, service.Options{Settings: func(c *config.Config) {
		c.OTP = config.OTP{Way: config.OTPMSG91, PerHour: 1000, MSG91AuthKey: msg91.AuthKey, MSG91Template: msg91.Template, MSG91URL: s.sms.URL}
		c.Billing = config.Billing{RazorpayKeyID: razorpay.KeyID, RazorpayKeySecret: razorpay.KeySecret, RazorpayURL: s.razorpay.URL(),
			RazorpayWebhookSecrets: config.SecretList{razorpay.WebhookSecret},
			RazorpayPlans:          config.BillingPlans{{ID: "plan_solo", Plan: "solo"}, {ID: "plan_pro", Plan: "pro"}}}
	}})
	return s
}

// copied is a folder with what testdata has for a language, and the description.
func copied(t *testing.T, language string, description []byte) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("testdata", language))))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "openapi.json"), description, 0o600))
	return folder
}

func made(t *testing.T, in, folder string) string {
	t.Helper()
	require.NoError(t, os.Mkdir(filepath.Join(in, folder), 0o700))
	return folder
}

func run(t *testing.T, folder, program string, args ...string) []byte {
	t.Helper()
	began := time.Now()
	c := exec.CommandContext(t.Context(), program, args...)
	var faults bytes.Buffer
	c.Dir, c.Stderr = folder, &faults
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "NO_COLOR=1")
	output, err := c.Output()
	require.NoError(t, err, "%s %s\n%s\n%s", program, strings.Join(args, " "), output, &faults)
	t.Logf("%.1f s: %s %.60s", time.Since(began).Seconds(), program, strings.Join(args, " "))
	return output
}

// callWith makes every call with a client, and holds what it returns against what was answered.
func (s *tested) callWith(t *testing.T, doc *openapi3.T, client, folder string, command []string) {
	calls := s.calls(t, doc)
	text := only.Value(json.Marshal(calls))(t)
	list := filepath.Join(t.TempDir(), "calls.json")
	require.NoError(t, os.WriteFile(list, text, 0o600))
	r := record(t, s.URL, calls)
	output := run(t, folder, command[0], append(slices.Clone(command[1:]), client, r.url, list)...)

	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 16<<20)
	called := map[string]bool{}
	for i, c := range calls {
		require.True(t, lines.Scan(), "the client ended before call %d", i)
		var got returned
		require.NoError(t, json.Unmarshal(lines.Bytes(), &got))
		where := fmt.Sprintf("%s, mode %d: %s %s", c.Operation, c.mode, c.Method, c.Route)
		a, answered := r.answers[i]
		if !answered {
			t.Errorf("%s: nothing was asked: %s", where, got.Error)
			continue
		}
		if !slices.Contains(c.want, a.status) {
			t.Errorf("%s: answered %d, not one of %v: %.300s", where, a.status, c.want, a.body)
		}
		if got.Error != "" {
			t.Errorf("%s: the client failed on %d: %s", where, a.status, got.Error)
		}
		if err := a.same(got); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		called[c.Operation] = called[c.Operation] || c.mode == good
	}
	for _, operation := range operations(doc) {
		require.True(t, called[operation.OperationID], "%s was not called", operation.OperationID)
	}
}

type operation struct {
	*openapi3.Operation
	method, route string
}

func operations(doc *openapi3.T) (all []operation) {
	for route, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			all = append(all, operation{o, method, route})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.OperationID, b.OperationID) })
	return all
}

// calls are three of each operation, or two if it needs no token. Each has an account of its own, so
// that none is throttled.
func (s *tested) calls(t *testing.T, doc *openapi3.T) (all []call) {
	t.Helper()
	for _, o := range operations(doc) {
		for _, m := range []mode{good, refused, later} {
			if m == refused && (o.Security == nil || len(*o.Security) == 0) {
				continue
			}
			c := called(t, o)
			c.mode = m
			customer := s.Customer(t)
			if o.Security != nil && len(*o.Security) > 0 {
				c.Token = customer.Key
				if _, person := (*o.Security)[0]["session"]; person {
					c.Token = customer.Session(t)
				}
			}
			if need := needs[o.OperationID]; need != nil {
				need(t, s, customer, &c)
			}
			if m == refused {
				c.Token, c.want = "unknown", []int{http.StatusUnauthorized}
			}
			if c.Media == "multipart/form-data" {
				c.Form, c.FormMedia = form(t, c.Body)
			}
			all = append(all, c)
		}
	}
	require.Greater(t, len(all), 70)
	return all
}

// called is a call with the first example of an operation. Whatever it describes may be answered,
// but for faults.
func called(t *testing.T, o operation) call {
	t.Helper()
	c := call{Operation: o.OperationID, Method: o.method, Route: o.route, Path: map[string]string{}, Query: map[string]string{}, Header: map[string]string{}}
	for _, p := range o.Parameters {
		c.HasQuery = c.HasQuery || p.Value.In == "query"
		if !p.Value.Required {
			continue
		}
		into := map[string]map[string]string{"path": c.Path, "query": c.Query, "header": c.Header}[p.Value.In]
		into[p.Value.Name] = "example"
		if p.Value.Example != nil {
			into[p.Value.Name] = fmt.Sprint(p.Value.Example)
		}
	}
	if o.RequestBody != nil {
		for media, content := range o.RequestBody.Value.Content {
			c.Media, c.Body = media, map[string]any{}
			if names := slices.Sorted(maps.Keys(content.Examples)); len(names) > 0 {
				c.Body = content.Examples[names[0]].Value.Value
			}
		}
	}
	for status, answer := range o.Responses.Map() {
		var code int
		if _, err := fmt.Sscan(status, &code); err == nil && code < 500 {
			c.want = append(c.want, code)
		}
		if code/100 == 2 {
			_, c.AnswersJSON = answer.Value.Content["application/json"]
		}
	}
	return c
}
