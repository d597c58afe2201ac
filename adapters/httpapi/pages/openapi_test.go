package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// catalogueOf is a catalogue and nothing else.
type catalogueOf struct {
	ports.Couriers
	infos []ports.CourierInfo
}

func (c catalogueOf) Catalogue() []ports.CourierInfo { return c.infos }

// someCouriers hold an id that no real courier has: what the description says
// of it can come from the catalogue only.
var someCouriers = catalogueOf{infos: []ports.CourierInfo{
	{ID: "pigeon_post", Name: "Pigeon Post"},
	{ID: "custom", Name: "Columns of your own"},
}}

// pagesOf are the pages with a sample.
func pagesOf(t *testing.T, demo ports.Demo) *Pages {
	t.Helper()
	return New(someCouriers, demo, languages{})
}

// served is the answer to a GET.
func served(t *testing.T, h http.Handler, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8080/", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

// loaded is the description, once a test has asked for it.
var loaded struct {
	once sync.Once
	doc  *openapi3.T
	err  error
}

// loadedDescription is the description, which must be valid. All tests share it, so none
// may change it.
func loadedDescription(t *testing.T) *openapi3.T {
	t.Helper()
	text := served(t, pagesOf(t, nil).Description).Body.Bytes()
	loaded.once.Do(func() {
		if loaded.doc, loaded.err = openapi3.NewLoader().LoadFromData(text); loaded.err == nil {
			loaded.err = loaded.doc.Validate(context.Background(), openapi3.EnableSchemaFormatValidation(), openapi3.EnableSchemaPatternValidation())
		}
	})
	require.NoError(t, loaded.err)
	return loaded.doc
}

// A mistake in the schemas must show in this way of checking, or the next test
// proves nothing.
func TestExamplesAreReallyChecked(t *testing.T) {
	doc := loadedDescription(t)
	schemas := doc.Components.Schemas
	for name, bad := range map[string]string{
		"ErrorBody":             `{"error":""}`,
		"Flag":                  `7`,
		"Warning":               `{"code":"nothing_matched"}`,
		"SampleReconciliation":  `{"results":[{"awb":"1"}]}`,
		"ReconciliationRequest": `{"shopify":"a","courier":"b","overdue_threshold_days":7.5}`,
		"Reconciliation":        `{"results":[],"duplicate":true}`,
		"IssuedKey":             `{"key":"milaan_live_short","prefix":"milaan_live_"}`,
		"BatchRequest":          `{"jobs":[{"shopify":"a","courier":"b","brand":" "}]}`,
		"CourierReport":         `{"courierName":"dtdc"}`,
		"ReportTotals":          `{"report":1,"rows":0,"data_through":null,"read":{"lines":0},"matched":{},"unclaimed":{},"repeated":{},"unidentified":{}}`,
		"Payout":                `{"report":1,"lines":1,"collected":1,"deducted":"1","paid":1}`,
		"CreditedPayout":        `{"report":1,"paid":1,"state":"lost"}`,
		"BatchAccepted":         `{"ok":false,"batch_id":"019a2f0d-11aa-7c3e-8f00-5d2f9b7c6e10","jobs":1,"status":"queued","estimated_completion_ms":1}`,
	} {
		require.Error(t, conforms(t, schemas[name].Value, []byte(bad)), name)
	}
	for text, good := range map[string]bool{
		`"courier":"b"`: true, `"reports":[{"courier":"b"}]`: true, ``: false, `"reports":[]`: false, `"courier":"b","reports":[{"courier":"b"}]`: false, `"courier":"b","include":["x"]`: false,
	} {
		err := conforms(t, schemas["ReconciliationRequest"].Value, []byte(strings.TrimSuffix(`{"shopify":"a",`+text, ",")+"}"))
		require.Equal(t, good, err == nil, "%s: %v", text, err)
	}
	require.Error(t, conforms(t, bodyOf(doc.Webhooks["run"].Post), []byte(`{"brand":"b","run_at":"2026-11-21T04:30:00Z","flagged_count":0,"amount_risk":0,"run_id":"x"}`)))
	for status, good := range map[string]bool{
		`"queued","completed_at":null`: true, `"queued","completed_at":null,"results":[{"brand":"b","courierName":"","error":"x"}]`: false,
		`"complete","completed_at":"2026-11-21T04:30:00.000Z"`: false, `"complete","completed_at":"2026-11-21T04:30:00.000Z","results":[{"brand":"b","courierName":"","error":"x"}]`: true,
		`"complete","completed_at":"2026-11-21T04:30:00.000Z","results":[{"brand":"b","courierName":""}]`: false,
	} {
		report := `{"batch_id":"019a2f0d-11aa-7c3e-8f00-5d2f9b7c6e10","jobs":1,"completed":0,"submitted_at":"2026-11-21T04:30:00.000Z","started_at":null,"status":` + status + `}`
		require.Equal(t, good, conforms(t, schemas["BatchReport"].Value, []byte(report)) == nil, status)
	}
	good := `{"shopify":"a","courier":"b","courierName":"Pigeon Post","overdue_threshold_days":7.0,"unknown":1}`
	require.NoError(t, conforms(t, schemas["ReconciliationRequest"].Value, []byte(good)))
}

func TestExamplesAreValid(t *testing.T) {
	doc := loadedDescription(t)
	checked := 0
	check := func(where string, content openapi3.Content) {
		for media, c := range content {
			for name, example := range c.Examples {
				text := only.Value(json.Marshal(example.Value.Value))(t)
				require.NoError(t, conforms(t, c.Schema.Value, text), "%s, %s, example %s", where, media, name)
				checked++
			}
		}
	}
	items := doc.Paths.Map()
	for event, item := range doc.Webhooks {
		items["webhook "+event] = item
	}
	for p, item := range items {
		for method, op := range item.Operations() {
			where := method + " " + p
			if op.RequestBody != nil {
				check(where, op.RequestBody.Value.Content)
			}
			for status, answer := range op.Responses.Map() {
				check(where+" "+status, answer.Value.Content)
			}
		}
	}
	for name, s := range doc.Components.Schemas {
		for _, example := range s.Value.Examples {
			require.NoError(t, conforms(t, s.Value, only.Value(json.Marshal(example))(t)), name)
			checked++
		}
	}
	require.Greater(t, checked, 50)
}

// bodyOf is the schema of an operation's request.
func bodyOf(op *openapi3.Operation) *openapi3.Schema {
	for _, media := range op.RequestBody.Value.Content { // there is one
		return media.Schema.Value
	}
	return nil
}

func conforms(t *testing.T, s *openapi3.Schema, text []byte) error {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return s.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation())
}

// TestDescribedStatuses holds what each route may answer.
func TestDescribedStatuses(t *testing.T) {
	doc := loadedDescription(t)
	want := map[string]string{
		"POST /reconcile":                   "200 400 401 403 405 408 409 413 415 429 500 503",
		"POST /reconcile/files":             "200 400 401 403 405 408 409 413 415 429 500 503",
		"POST /inspect":                     "200 400 401 403 405 408 413 415 429 500 503",
		"GET /demo":                         "200 403 405 429 500 503",
		"POST /generate-api-key":            "200 401 403 405 415 429 500 503",
		"POST /generate-sandbox-key":        "200 401 403 404 405 415 429 500 503",
		"GET /account/phone":                "200 401 403 405 500 503",
		"POST /account/phone":               "202 400 401 403 404 405 413 415 429 500 503",
		"POST /account/phone/verify":        "200 400 401 403 405 413 415 429 500 503",
		"POST /reconcile/batch":             "202 400 401 403 405 408 409 413 415 429 500 503",
		"POST /report":                      "200 400 401 403 405 408 409 413 415 429 500 503",
		"GET /status/{job_id}":              "200 401 403 404 405 410 429 500 503",
		"GET /healthz":                      "200 403 405 500",
		"GET /readyz":                       "200 403 405 500 503",
		"GET /metrics":                      "200 403 404 405 500",
		"GET /openapi.json":                 "200 304 403 405 500",
		"GET /openapi.yaml":                 "200 304 403 405 500",
		"GET /llms.txt":                     "200 304 403 405 500",
		"GET /docs":                         "200 304 403 405 500",
		"GET /docs/guide":                   "200 403 405 500",
		"GET /docs/guide/{topic}":           "200 304 403 404 405 500",
		"GET /":                             "200 304 403 405 500 503",
		"GET /unsubscribe":                  "200 403 405 500 503",
		"POST /unsubscribe":                 "200 403 404 405 500 503",
		"GET /account/subscription":         "200 401 403 405 500 503",
		"GET /account/subscription/preview": "200 400 401 403 404 405 500 503",
		"POST /account/subscription":        "200 400 401 403 404 405 408 409 413 415 429 500 503",
		"PATCH /account/subscription":       "200 400 401 403 404 405 408 409 413 415 429 500 503",
		"DELETE /account/subscription":      "200 400 401 403 404 405 408 409 413 415 429 500 503",
		"POST /hooks/razorpay":              "200 400 401 403 404 405 408 413 500 503",
		"GET /account/export":               "200 401 403 405 429 500 503",
		"DELETE /account":                   "204 400 401 403 405 409 413 415 429 500 503",
		"GET /account/people":               "200 401 403 405 500 503",
		"POST /account/people":              "201 400 401 403 405 408 409 413 415 429 500 503",
		"PATCH /account/people/{id}":        "204 400 401 403 404 405 408 413 415 429 500 503",
		"DELETE /account/people/{id}":       "204 401 403 404 405 429 500 503",

		"GET /account/webhook":                                  "200 401 403 404 405 500 503",
		"PUT /account/webhook":                                  "200 400 401 403 405 408 413 415 429 500 503",
		"DELETE /account/webhook":                               "204 401 403 404 405 429 500 503",
		"POST /account/webhook/secret":                          "200 401 403 404 405 429 500 503",
		"POST /account/webhook/rotate":                          "200 401 403 404 405 429 500 503",
		"POST /account/webhook/test":                            "200 401 403 404 405 429 500 503",
		"GET /account/webhook/deliveries":                       "200 401 403 405 500 503",
		"POST /account/webhook/deliveries/{id}/redeliver":       "200 401 403 404 405 429 500 503",
		"GET /account/runs":                                     "200 400 401 403 405 500 503",
		"GET /account/runs/{id}":                                "200 401 403 404 405 500 503",
		"GET /account/compare":                                  "200 400 401 403 404 405 500 503",
		"GET /account/mappings":                                 "200 401 403 405 500 503",
		"DELETE /account/mappings/{courier}":                    "204 401 403 404 405 429 500 503",
		"POST /account/named-mappings":                          "204 400 401 403 405 408 409 413 415 429 500 503",
		"PATCH /account/named-mappings":                         "204 400 401 403 404 405 408 409 413 415 429 500 503",
		"DELETE /account/named-mappings":                        "204 400 401 403 404 405 429 500 503",
		"GET /account/books":                                    "200 401 403 405 500 503",
		"PUT /account/books":                                    "200 400 401 403 405 408 413 415 429 500 503",
		"GET /account/branding":                                 "200 401 403 405 500 503",
		"PUT /account/branding":                                 "200 400 401 403 405 408 413 415 429 500 503",
		"GET /account/branding/logo":                            "200 401 403 404 405 500 503",
		"GET /account/connectors":                               "200 401 403 405 500 503",
		"GET /account/connections":                              "200 401 403 405 500 503",
		"POST /account/connections":                             "201 400 401 403 405 408 409 413 415 429 500 503",
		"POST /account/connections/test":                        "200 400 401 403 404 405 408 413 415 429 500 503",
		"GET /account/connections/{id}":                         "200 401 403 404 405 500 503",
		"PUT /account/connections/{id}":                         "200 400 401 403 404 405 408 409 413 415 429 500 503",
		"DELETE /account/connections/{id}":                      "204 400 401 403 404 405 408 413 415 429 500 503",
		"POST /account/connections/{id}/pause":                  "200 400 401 403 404 405 408 413 415 429 500 503",
		"POST /account/connections/{id}/run":                    "202 401 403 404 405 409 429 500 503",
		"GET /account/connections/{id}/passes":                  "200 401 403 404 405 500 503",
		"GET /account/connections/{id}/files":                   "200 401 403 404 405 500 503",
		"POST /account/connections/{id}/sources/{source}/files": "201 400 401 403 404 405 408 409 413 415 429 500 503",
		"DELETE /account/connections/{id}/files/{file}":         "204 401 403 404 405 429 500 503",
		"GET /account/connections/{id}/seen":                    "200 401 403 404 405 500 503",
		"POST /account/connections/{id}/ignored":                "201 400 401 403 404 405 408 409 413 415 429 500 503",
		"DELETE /account/connections/{id}/ignored/{file}":       "204 401 403 404 405 429 500 503",
		"GET /account/connections/{id}/open-items":              "200 400 401 403 404 405 500 503",
		"PUT /account/connections/{id}/open-items":              "204 400 401 403 404 405 408 413 415 429 500 503",
		"POST /account/connections/{id}/open-items/marks":       "204 400 401 403 404 405 408 409 413 415 429 500 503",
		"GET /account/connections/{id}/open-items/dispute":      "200 401 403 404 405 409 500 503",
		"GET /connections/{id}/open-items":                      "200 400 401 403 404 405 429 500 503",
		"GET /docs/milaan.bruno.zip":                            "200 304 403 405 500",
		"GET /docs/milaan.postman_collection.json":              "200 304 403 405 500",
	}
	got := map[string]string{}
	for p, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			statuses := op.Responses.Keys()
			slices.Sort(statuses)
			got[method+" "+p] = strings.Join(statuses, " ")
			for status, answer := range op.Responses.Map() {
				where := fmt.Sprintf("%s %s %s", method, p, status)
				require.Contains(t, answer.Value.Headers, "X-Request-Id", where)
				if status >= "400" {
					require.Equal(t, "#/components/schemas/ErrorBody", answer.Value.Content["application/json"].Schema.Ref, where)
				}
				if status == "409" && !strings.HasPrefix(p, "/account/") || status == "429" || status == "503" { // to wait does not help the account
					require.Contains(t, answer.Value.Headers, "Retry-After", where)
				}
			}
		}
	}
	require.Equal(t, want, got)
	require.Contains(t, doc.Paths.Value("/reconcile").Post.Responses.Value("200").Value.Headers, "X-Run-Id")
	require.Contains(t, doc.Paths.Value("/reconcile/batch").Post.Responses.Value("202").Value.Headers, "Location")
}

// TestSessionTokensChooseTheirAccount demands the header of each route that takes a session
// token: its person may work for several accounts.
func TestSessionTokensChooseTheirAccount(t *testing.T) {
	const header = "#/components/parameters/XAccount"
	found := 0
	for path, item := range loadedDescription(t).Paths.Map() {
		for method, op := range item.Operations() {
			taken := op.Security != nil && slices.ContainsFunc(*op.Security, func(s openapi3.SecurityRequirement) bool { return s["session"] != nil })
			described := slices.ContainsFunc(op.Parameters, func(p *openapi3.ParameterRef) bool { return p.Ref == header })
			require.Equal(t, taken, described, "%s %s", method, path)
			if taken {
				found++
			}
		}
	}
	require.NotZero(t, found)
}

// TestDescribedUnavailable holds which 503 each route has: what is said of files,
// runs and Idempotency-Keys stands where there are such, and nowhere else.
func TestDescribedUnavailable(t *testing.T) {
	doc := loadedDescription(t)
	got := map[string]string{}
	for p, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if answer := op.Responses.Value("503"); answer != nil {
				got[method+" "+p] = strings.TrimPrefix(answer.Ref, "#/components/responses/")
			}
		}
	}
	for route, answer := range got { // of what an account manages
		if strings.Contains(route, " /account/") && answer == "AccountUnavailable" {
			delete(got, route)
		}
	}
	require.Equal(t, map[string]string{
		"POST /reconcile": "Unavailable", "POST /reconcile/files": "Unavailable", "POST /report": "Unavailable", "POST /reconcile/batch": "BatchUnavailable", "GET /status/{job_id}": "PollUnavailable", "GET /connections/{id}/open-items": "PollUnavailable", "POST /inspect": "PollUnavailable",
		"POST /generate-api-key": "IssueUnavailable", "GET /account/export": "IssueUnavailable", "DELETE /account": "IssueUnavailable", "POST /generate-sandbox-key": "IssueUnavailable", "GET /demo": "Busy", "GET /unsubscribe": "NotReached", "POST /unsubscribe": "NotReached", "GET /": "Busy", "GET /readyz": "NotReady",
		"GET /account/phone": "Busy", "POST /account/phone": "PhoneUnavailable", "POST /account/phone/verify": "Busy",
		"GET /account/subscription": "BillingUnavailable", "GET /account/subscription/preview": "BillingUnavailable", "POST /account/subscription": "BillingUnavailable", "PATCH /account/subscription": "BillingUnavailable", "DELETE /account/subscription": "BillingUnavailable",
		"POST /hooks/razorpay":               "NoticeUnavailable",
		"POST /account/connections/test":     "AutopilotUnavailable",
		"PUT /account/connections/{id}":      "AutopilotUnavailable",
		"POST /account/connections/{id}/run": "AutopilotUnavailable",
	}, got)
	perAccount := []string{"Unavailable", "BatchUnavailable", "PollUnavailable"}
	for _, name := range []string{"Unavailable", "BatchUnavailable", "PollUnavailable", "IssueUnavailable", "AccountUnavailable", "Busy", "NotReady"} {
		says := *doc.Components.Responses[name].Value.Description
		require.Equal(t, slices.Contains(perAccount, name), strings.Contains(says, "4 requests of this account"), name)
		require.Equal(t, name == "Unavailable" || name == "BatchUnavailable", strings.Contains(says, "nothing was stored"), name)
	}
	for _, says := range []string{*doc.Components.Responses["Unavailable"].Value.Description, *doc.Components.Responses["BatchUnavailable"].Value.Description, doc.Info.Description} {
		require.Contains(t, says, "Unless the message says that the service does not know, nothing was stored")
	}
}

// TestDescribedWebhooks ties what is said of webhooks to what signs them.
func TestDescribedWebhooks(t *testing.T) {
	doc := loadedDescription(t)
	secret := domain.MintSigningSecret([32]byte{'k'})
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, domain.Kolkata)
	webhook := domain.Webhook{Secret: secret, Former: secret, RotatedAt: now}
	sent := map[string]string{"X-Milaan-Event": "", "webhook-id": "evt_019a2f0d22bb7d4f8a115e3fac8d7f21"}
	for _, h := range webhook.Headers(sent["webhook-id"], now, []byte("{}")) {
		sent[h.Name] = h.Value
	}
	for event, kinds := range map[string][]any{
		"run": {string(domain.RunDelivery), string(domain.TestDelivery)}, "batch": {string(domain.BatchDelivery)},
	} {
		op := doc.Webhooks[event].Post
		require.Len(t, op.Parameters, len(sent))
		for _, p := range op.Parameters {
			require.Equal(t, "header", p.Value.In)
			require.True(t, p.Value.Required)
			value, known := sent[p.Value.Name]
			require.True(t, known, p.Value.Name)
			if value != "" {
				require.NoError(t, p.Value.Schema.Value.VisitJSON(value), p.Value.Name)
			} else {
				require.Equal(t, kinds, p.Value.Schema.Value.Enum)
			}
			require.NoError(t, p.Value.Schema.Value.VisitJSON(p.Value.Example), p.Value.Name)
		}
	}
	require.Len(t, bodyOf(doc.Webhooks["run"].Post).Properties, 5)
}

// TestDescribedBounds ties the figures of the description to those of the code.
func TestDescribedBounds(t *testing.T) {
	doc := loadedDescription(t)
	request := doc.Components.Schemas["ReconciliationRequest"].Value.Properties
	for field, want := range map[string][2]int{
		"overdue_threshold_days": {domain.MinOverdueDays, domain.MaxOverdueDays},
		"minor_gap_threshold":    {domain.MinMinorGap, domain.MaxMinorGap},
	} {
		s := request[field].Value
		require.Equal(t, want, [2]int{int(*s.Min), int(*s.Max)}, field)
	}
	require.Contains(t, request["overdue_threshold_days"].Value.Description, fmt.Sprintf("If it is left out, the account's own setting counts, and without one %d.", domain.DefaultOverdueDays))
	require.Contains(t, request["minor_gap_threshold"].Value.Description, fmt.Sprintf("If it is left out, %d.", domain.DefaultMinorGap))
	require.Equal(t, []any{string(domain.AcceptCharges), string(domain.FlagCharges)}, request["charges"].Value.Enum)
	require.Contains(t, request["brand"].Value.Description, "`"+domain.DefaultBrand+"` if it is left out.")
	require.EqualValues(t, domain.MaxLabel, *request["brand"].Value.MaxLength)
	require.EqualValues(t, domain.MaxLabel, *request["courierName"].Value.MaxLength)

	columns := request["columns"].Value.Properties
	require.Len(t, columns, len(domain.Roles()))
	for _, role := range domain.Roles() {
		require.Contains(t, columns, role.String())
	}
	require.Len(t, doc.Components.Schemas["OrderResult"].Value.Required, 10)

	schemas := doc.Components.Schemas
	require.EqualValues(t, domain.MaxBatch, *schemas["BatchRequest"].Value.Properties["jobs"].Value.MaxItems)
	require.EqualValues(t, domain.MaxBatch, *schemas["BatchAccepted"].Value.Properties["jobs"].Value.Max)
	require.EqualValues(t, domain.MaxBatch, *schemas["BatchReport"].Value.Properties["results"].Value.MaxItems)
	require.EqualValues(t, domain.MaxEndpoint, *schemas["BatchRequest"].Value.Properties["webhook_url"].Value.MaxLength)
	require.Equal(t, []any{string(domain.BatchQueued), string(domain.BatchProcessing), string(domain.BatchComplete)}, schemas["BatchReport"].Value.Properties["status"].Value.Enum)
	status, submit := doc.Paths.Value("/status/{job_id}").Get.Description, doc.Paths.Value("/reconcile/batch").Post.Description
	require.EqualValues(t, domain.MaxReports, *request["reports"].Value.MaxItems)
	require.EqualValues(t, domain.MaxReports, *schemas["ReconciliationForm"].Value.Properties["report"].Value.MaxItems)
	var inclusions []any
	for _, name := range domain.Inclusions() {
		inclusions = append(inclusions, name)
	}
	require.Equal(t, inclusions, request["include"].Value.Items.Value.Enum)
	require.Contains(t, status, fmt.Sprintf("%d requests in a rolling 60 s", domain.PollRate.Limit))
	require.Contains(t, submit, fmt.Sprintf("%d batches that are not complete", domain.MaxOpenBatches))
	require.Contains(t, submit, fmt.Sprintf("at most %d GiB", domain.MaxKept>>30))
	require.Contains(t, submit, fmt.Sprintf("1 to %d jobs", domain.MaxBatch))

	for _, path := range []string{"/reconcile", "/reconcile/files", "/reconcile/batch"} {
		key := doc.Paths.Value(path).Post.Parameters.GetByInAndName("header", "Idempotency-Key")
		require.EqualValues(t, domain.MaxRequestKey, *key.Schema.Value.MaxLength)
		for text, want := range map[string]bool{"a": true, " a b~": true, "": false, "  ": false, "\t": false, "é": false, "\x7f": false, strings.Repeat("k", 256): false} {
			require.Equal(t, want, domain.GoodRequestKey(text), "%q", text)
			require.Equal(t, want, key.Schema.Value.VisitJSON(text) == nil, "%q", text)
		}
	}
	for _, says := range append(domain.SandboxBrands(), fmt.Sprintf("%d rows in each file, and in all reports together", domain.SandboxRows), fmt.Sprintf("%d runs a day", domain.SandboxRuns), fmt.Sprintf("%d requests in a rolling 60 s and then a block of %.0f s", domain.SandboxRate.Limit, domain.SandboxRate.Block.Seconds()), domain.SandboxHeader+": true", "one hour after they are complete") {
		require.Contains(t, doc.Info.Description, says)
	}
	require.Equal(t, time.Hour, domain.SandboxRetention)
	require.Contains(t, doc.Info.Description, fmt.Sprintf("is kept for %.0f hours", domain.RequestKeySpan.Hours()))
	require.Contains(t, doc.Info.Description, fmt.Sprintf("no later than %.0f seconds after", domain.RequestLease.Seconds()))
}

func TestDescriptionNamesTheCatalogue(t *testing.T) {
	courierName := loadedDescription(t).Components.Schemas["ReconciliationRequest"].Value.Properties["courierName"].Value
	require.Equal(t, []any{"pigeon_post", "custom"}, courierName.Extensions["x-extensible-enum"])
	require.Contains(t, courierName.Description, "`pigeon_post` (Pigeon Post)")
	require.Contains(t, courierName.Description, "audit history", "the written description stays")
	require.NotContains(t, served(t, pagesOf(t, nil).Description).Body.String(), "courier ids}", "a placeholder")
}

func TestDescriptionIsRevalidated(t *testing.T) {
	h := pagesOf(t, nil).Description
	first := served(t, h)
	require.Equal(t, http.StatusOK, first.Code)
	require.Equal(t, "application/json; charset=utf-8", first.Header().Get("Content-Type"))
	require.Equal(t, "no-cache", first.Header().Get("Cache-Control"))

	again := served(t, h, "If-None-Match", first.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.String())
	require.Equal(t, first.Header().Get("ETag"), again.Header().Get("ETag"))

	require.Equal(t, http.StatusNotModified, served(t, h, "If-None-Match", "*").Code)
	require.Equal(t, http.StatusOK, served(t, h, "If-None-Match", `"of another build"`).Code)
	others := New(catalogueOf{}, nil, nil)
	require.NotEqual(t, first.Header().Get("ETag"), served(t, others.Description).Header().Get("ETag"))
}
