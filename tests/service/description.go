package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// description is the service's own account of what it answers.
type description struct {
	doc        *openapi3.T
	components any      // of the document, to which its schemas refer
	compiled   sync.Map // schemas that the validator knows
	known      sync.Map // fingerprints of answers that were found to be as described
}

// described is the description that the first service has given, for all: nothing that a test sets changes it, and to write
// and to parse it takes as long as starting the service.
var described struct {
	sync.Mutex
	*description
}

// describe fetches /openapi.json, if no service has given it yet: the one answer that is not held against it.
func (s *Service) describe(t testing.TB) *description {
	t.Helper()
	described.Lock()
	defer described.Unlock()
	if described.description != nil {
		return described.description
	}
	// The validator has no word for HTML and Markdown: a page is text for it, and vouchers are.
	for _, media := range []string{"text/html", "text/markdown", "text/csv"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.PlainBodyDecoder)
	}
	for _, media := range []string{"application/yaml", "application/pdf", "application/zip", "application/octet-stream", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.FileBodyDecoder)
	}
	r := s.Request(t, http.MethodGet, "/openapi.json", nil, "X-Forwarded-Proto", "https") // where the service trusts a proxy, it is the test
	response, err := s.client.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	text := only.Value(io.ReadAll(response.Body))(t)
	d := only.Value(parse(text))(t)
	require.True(t, d.doc.IsOpenAPI31OrLater(), "or the validator would take it for another dialect")
	described.description = d
	return d
}

func parse(text []byte) (*description, error) {
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	sealed(whole)
	text, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	return &description{doc: doc, components: whole["components"]}, err
}

// holds is nil if a JSON text is as a schema says. The library of the description would compile the schema for each text,
// which takes several times as long as to hold one against it.
func (d *description) holds(schema *openapi3.Schema, text []byte) error {
	compiled, known := d.compiled.Load(schema)
	if !known {
		var resource map[string]any
		own, err := json.Marshal(schema)
		if err = errors.Join(err, json.Unmarshal(own, &resource)); err != nil {
			return err
		}
		resource["components"] = d.components
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("schema.json", resource); err != nil {
			return err
		}
		if compiled, err = c.Compile("schema.json"); err != nil {
			return err
		}
		d.compiled.Store(schema, compiled)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.(*jsonschema.Schema).Validate(value)
}

// sealed takes back what the description leaves open for the future: the service
// of today sends no field, flag or warning that it does not describe.
func sealed(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, has := v["properties"].(map[string]any); has && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		if known, open := v["x-extensible-enum"]; open {
			v["enum"] = known
		}
		for name, inner := range v {
			if !strings.HasSuffix(name, "Request") && name != "BatchJob" { // of requests
				sealed(inner)
			}
		}
	case []any:
		for _, inner := range v {
			sealed(inner)
		}
	}
}

// allows is nil if the answer to a request is as described, and as the contract
// wants every answer. What is for the pages alone is not described.
func (d *description) allows(r *http.Request, a Answer) error {
	if r.URL.Path == "/app" || strings.HasPrefix(r.URL.Path, "/app/") {
		return pageAnswer(r, a)
	}
	return errors.Join(everyAnswer(a), d.route(r, a))
}

// everyAnswer is what holds for all of them (guide: limits 6).
func everyAnswer(a Answer) error {
	var faults []error
	if a.Header.Get("X-Request-Id") == "" {
		faults = append(faults, errors.New("there is no X-Request-Id"))
	}
	for name := range a.Header {
		if strings.Contains(strings.ToLower(name), "ratelimit") {
			faults = append(faults, fmt.Errorf("there is a header %s", name))
		}
	}
	if a.Status >= 400 && len(a.Body) > 0 && a.Message() == "" {
		faults = append(faults, errors.New("the body is not an object with the one field error"))
	}
	if wait := a.Header.Get("Retry-After"); wait != "" {
		if n, err := strconv.Atoi(wait); err != nil || n < 1 {
			faults = append(faults, fmt.Errorf("Retry-After is %q", wait))
		}
	}
	return errors.Join(faults...)
}

// route finds the request's route in the document and holds the answer against
// it: status, headers, media type and body.
func (d *description) route(r *http.Request, a Answer) error {
	path, item := d.find(r.URL.Path)
	if item == nil {
		if a.Status != http.StatusNotFound && a.Status != http.StatusForbidden {
			return errors.New("the route is not in the document")
		}
		return nil
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	operation := item.GetOperation(method)
	if operation == nil {
		if a.Status != http.StatusMethodNotAllowed {
			return errors.New("the method is not in the document")
		}
		for _, other := range item.Operations() {
			method, operation = r.Method, other
		}
	}
	if err := declared(operation, a); err != nil {
		return err
	}
	if _, known := d.known.Load(fingerprint(method, path, a)); known || r.Method == http.MethodHead {
		return nil
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: d.doc, Path: path, PathItem: item, Method: method, Operation: operation},
		},
		Status: a.Status, Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.Body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	body := operation.Responses.Status(a.Status).Value.Content.Get(a.Header.Get("Content-Type"))
	if strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") && body != nil && body.Schema != nil {
		input.Options.ExcludeResponseBody = true
		if err := d.holds(body.Schema.Value, a.Body); err != nil {
			return err
		}
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		return err
	}
	d.known.Store(fingerprint(method, path, a), true)
	return nil
}

// webhook is nil if what an endpoint was sent is as described of an event.
func (d *description) webhook(event string, call Call) error {
	item := d.doc.Webhooks[event]
	if item == nil {
		return fmt.Errorf("the event %s is not in the document", event)
	}
	operation := item.GetOperation(call.Method)
	if operation == nil {
		return fmt.Errorf("the method %s is not in the document", call.Method)
	}
	var faults []error
	for _, p := range operation.Parameters {
		if err := p.Value.Schema.Value.VisitJSON(call.Header.Get(p.Value.Name)); err != nil {
			faults = append(faults, fmt.Errorf("header %s: %w", p.Value.Name, err))
		}
	}
	faults = append(faults, d.holds(operation.RequestBody.Value.Content["application/json"].Schema.Value, call.Body))
	return errors.Join(faults...)
}

// spoken are the headers that say something of ours: one that is sent must be
// declared.
var spoken = []string{"Retry-After", "X-Run-Id", "Www-Authenticate", "Etag", "Allow", "Location"}

func declared(operation *openapi3.Operation, a Answer) error {
	answer := operation.Responses.Status(a.Status)
	if answer == nil {
		return fmt.Errorf("the status is not declared")
	}
	names := make([]string, 0, len(answer.Value.Headers))
	for name := range answer.Value.Headers {
		names = append(names, http.CanonicalHeaderKey(name))
	}
	for _, name := range spoken {
		if a.Header.Get(name) != "" && !slices.Contains(names, name) {
			return fmt.Errorf("the header %s is not declared", name)
		}
	}
	return nil
}

// find is the document's entry for a path.
func (d *description) find(path string) (string, *openapi3.PathItem) {
	if item := d.doc.Paths.Value(path); item != nil {
		return path, item
	}
	parts := strings.Split(path, "/")
	for template, item := range d.doc.Paths.Map() {
		if slices.EqualFunc(strings.Split(template, "/"), parts, func(of, part string) bool {
			return of == part || strings.HasPrefix(of, "{") && part != ""
		}) {
			return template, item
		}
	}
	return "", nil
}

// drawn finds what is another one in each answer, and is as described if one of them is: ids,
// moments and the random part of keys.
var drawn = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|(` +
	domain.LiveKeyPrefix + `|` + domain.SandboxKeyPrefix + `)[0-9A-Za-z]+`)

// fingerprint names an answer, so that the validator, which is slow, is spared those that
// it has passed already. Of a short one it leaves out what is drawn at random.
func fingerprint(method, path string, a Answer) string {
	var header strings.Builder
	for _, name := range append([]string{"Content-Type"}, spoken...) {
		if name == "X-Run-Id" { // always another one
			fmt.Fprint(&header, len(a.Header.Get(name)), "\n")
			continue
		}
		fmt.Fprintln(&header, a.Header.Get(name))
	}
	text := fmt.Sprintf("%s %s\n%d\n%s%s", method, path, a.Status, header.String(), a.Body)
	if len(a.Body) < 16<<10 {
		text = drawn.ReplaceAllString(text, "…")
	}
	return text
}
