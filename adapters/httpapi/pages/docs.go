package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
)

// mustRenderDocs renders the description as a page. It panics if an embedded file is broken,
// which the tests would have found.
func mustRenderDocs(description []byte) []byte {
	var doc apiDocument
	if err := json.Unmarshal(description, &doc); err != nil {
		panic(fmt.Errorf("read the API's description: %w", err))
	}
	page, err := render("docs.html", doc.view())
	if err != nil {
		panic(err)
	}
	return page
}

// The parts of an OpenAPI document that the page shows.
type (
	apiDocument struct {
		OpenAPI    string
		Info       apiInfo
		Tags       []struct{ Name, Description string }
		Paths      members[members[apiOperation]] // by path and method
		Webhooks   members[members[apiOperation]] // by event and method
		Components struct {
			SecuritySchemes map[string]apiScheme
			Responses       map[string]apiResponse
			Schemas         members[apiSchema]
		}
	}
	apiInfo      struct{ Title, Version, Summary, Description string }
	apiScheme    struct{ BearerFormat, Description string }
	apiOperation struct {
		OperationID, Summary, Description string

		Tags       []string
		Security   []map[string]any
		Parameters []struct {
			Name, In, Description string
			Required              bool
			Schema                apiSchema
		}
		RequestBody apiContent
		Responses   members[apiResponse]
	}
	apiContent struct {
		Description string
		Content     map[string]struct {
			Schema   apiSchema
			Examples members[apiExample]
		}
	}
	apiResponse struct {
		apiContent
		Ref     string `json:"$ref"`
		Headers members[json.RawMessage]
	}
	apiExample struct {
		Summary string
		Value   json.RawMessage
	}
	apiSchema struct {
		Ref         string `json:"$ref"`
		Type        string
		Format      string
		Description string
		Enum        []string
		AnyOf       []apiSchema
		AllOf       []apiSchema
		OneOf       []apiSchema
		Properties  members[apiSchema]
		Required    []string
		Items       *apiSchema
		Minimum     *json.Number
		Maximum     *json.Number
		MaxLength   *json.Number
		MinItems    *json.Number
		MaxItems    *json.Number
		Examples    []json.RawMessage
	}
)

// The data of the template.
type (
	docsView struct {
		*apiDocument
		Guide  []headingView // of the description
		Groups []groupView
		Shapes []bodyView
	}
	headingView struct{ ID, Text string }
	groupView   struct {
		ID, Name, Description string
		Operations            []operationView // none: the tag is a part of the guide
	}
	operationView struct {
		ID, Method, Verb, Name, Summary, Description string

		Auth       *apiScheme
		Parameters []fieldView // of the path
		Headers    []fieldView
		Request    *bodyView
		Answers    []answerView
	}
	answerView struct {
		Status, Description string
		Headers, Errors     []string
		Body                *bodyView
	}
	bodyView struct {
		Name, Title, Description string
		Fields                   []fieldView
		Examples                 []exampleView
	}
	fieldView struct {
		Name, Type, Link, Description, Limits string
		Required                              bool
	}
	exampleView struct{ Title, Text string }
)

func (d *apiDocument) view() docsView {
	v := docsView{apiDocument: d, Guide: headings(d.Info.Description)}
	for _, tag := range d.Tags {
		group := groupView{ID: headingID(tag.Name), Name: tag.Name, Description: tag.Description}
		add := func(verb, name, method string, op apiOperation) {
			if slices.Contains(op.Tags, tag.Name) {
				group.Operations = append(group.Operations, d.operation(verb, name, method, op))
			}
		}
		for _, p := range d.Paths {
			for _, op := range p.Value {
				add(strings.ToUpper(op.Name), p.Name, op.Name, op.Value)
			}
		}
		for _, event := range d.Webhooks {
			for _, op := range event.Value {
				add("Event", event.Name, op.Name, op.Value) // the name is not a path of the service
			}
		}
		if len(group.Operations) == 0 {
			v.Guide = append(v.Guide, headingView{ID: group.ID, Text: group.Name})
		}
		v.Groups = append(v.Groups, group)
	}
	for _, s := range d.Components.Schemas {
		v.Shapes = append(v.Shapes, d.body(s.Name, s.Value, nil))
	}
	return v
}

func (d *apiDocument) operation(verb, name, method string, op apiOperation) operationView {
	v := operationView{ID: op.OperationID, Method: method, Verb: verb, Name: name, Summary: op.Summary, Description: op.Description}
	for _, alternative := range op.Security {
		for name := range alternative {
			scheme := d.Components.SecuritySchemes[name]
			v.Auth = &scheme
		}
	}
	for _, param := range op.Parameters {
		f := field(param.Name, param.Schema, param.Required)
		f.Description = param.Description
		if param.In == "header" {
			v.Headers = append(v.Headers, f)
			continue
		}
		v.Parameters = append(v.Parameters, f)
	}
	v.Request = d.content(op.RequestBody)
	if v.Request != nil && op.RequestBody.Description != "" {
		v.Request.Description = op.RequestBody.Description
	}
	for _, r := range op.Responses {
		v.Answers = append(v.Answers, d.answer(r.Name, r.Value))
	}
	return v
}

func (d *apiDocument) answer(status string, r apiResponse) answerView {
	if r.Ref != "" {
		r = d.Components.Responses[path.Base(r.Ref)]
	}
	v := answerView{Status: status, Description: r.Description}
	if code, err := strconv.Atoi(status); err == nil {
		v.Status += " " + http.StatusText(code)
	}
	for _, h := range r.Headers {
		v.Headers = append(v.Headers, h.Name)
	}
	body := d.content(r.apiContent)
	if !strings.HasPrefix(status, "2") {
		v.Errors = errorTexts(r.apiContent)
		return v
	}
	if body != nil {
		body.Title = v.Status
		v.Body = body
	}
	return v
}

// errorTexts returns the error messages among a response's examples.
func errorTexts(c apiContent) []string {
	var texts []string
	for _, media := range c.Content {
		for _, e := range media.Examples {
			var body struct{ Error string }
			if json.Unmarshal(e.Value.Value, &body) == nil && body.Error != "" {
				texts = append(texts, body.Error)
			}
		}
	}
	return texts
}

// content returns the body of a request or response, of which there is one at most; nil if
// there is none.
func (d *apiDocument) content(c apiContent) *bodyView {
	for _, media := range c.Content {
		b := d.body("", media.Schema, media.Examples)
		return &b
	}
	return nil
}

func (d *apiDocument) body(name string, s apiSchema, examples members[apiExample]) bodyView {
	if s.Ref != "" {
		s = d.Components.Schemas.get(path.Base(s.Ref))
	}
	v := bodyView{Name: name, Description: s.Description}
	for _, p := range s.Properties {
		f := field(p.Name, p.Value, slices.Contains(s.Required, p.Name))
		if f.Link != "" && f.Description == "" {
			f.Description, _, _ = strings.Cut(d.Components.Schemas.get(f.Link).Description, "\n\n")
		}
		v.Fields = append(v.Fields, f)
	}
	for _, e := range examples {
		v.Examples = append(v.Examples, exampleView{Title: e.Value.Summary, Text: indented(e.Value.Value)})
	}
	for _, e := range s.Examples {
		v.Examples = append(v.Examples, exampleView{Text: indented(e)})
	}
	return v
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "  ") // it was read as JSON
	return b.String()
}

func field(name string, s apiSchema, required bool) fieldView {
	v := fieldView{Name: name, Description: s.Description, Limits: limits(s), Required: required}
	v.Type, v.Link = typeOf(s)
	return v
}

// typeOf returns the name of a schema's type, and the name of the schema that it refers to
// or is an array of; of several alternatives, that of the first. shape is blank if there
// is none.
func typeOf(s apiSchema) (name, shape string) {
	switch {
	case s.Ref != "":
		return path.Base(s.Ref), path.Base(s.Ref)
	case len(s.AllOf) > 0:
		return typeOf(s.AllOf[0])
	case len(s.OneOf) > 0:
		name, shape = typeOf(s.OneOf[0])
		for _, alternative := range s.OneOf[1:] {
			other, _ := typeOf(alternative)
			name += " or " + other
		}
		return name, shape
	case s.Items != nil:
		name, shape = typeOf(*s.Items)
		return "array of " + name, shape
	case s.Format != "":
		return s.Type + " (" + s.Format + ")", ""
	}
	return s.Type, ""
}

// limits returns a schema's limits in words.
func limits(s apiSchema) string {
	var parts []string
	say := func(format string, a ...any) { parts = append(parts, fmt.Sprintf(format, a...)) }
	for _, alternative := range append([]apiSchema{s}, s.AnyOf...) {
		if len(alternative.Enum) > 0 {
			say("One of %s.", strings.Join(alternative.Enum, ", "))
		}
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		say("From %s to %s.", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		say("At least %s.", *s.Minimum)
	}
	if s.MaxLength != nil {
		say("At most %s characters.", *s.MaxLength)
	}
	if s.MinItems != nil && s.MaxItems != nil {
		say("From %s to %s entries.", *s.MinItems, *s.MaxItems)
	}
	return strings.Join(parts, " ")
}

var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// headings returns the headings of a description, each with the id for links to it.
func headings(text string) []headingView {
	var all []headingView
	for block := range strings.SplitSeq(text, "\n\n") {
		if title, ok := strings.CutPrefix(block, "## "); ok {
			all = append(all, headingView{ID: headingID(title), Text: title})
		}
	}
	return all
}

// headingID returns the id of a heading, which is never that of an operation or a shape.
func headingID(title string) string {
	return "guide-" + strings.Trim(notInID.ReplaceAllString(strings.ToLower(title), "-"), "-")
}

// descriptions turns descriptions into HTML.
var descriptions = sync.OnceValue(func() goldmark.Markdown { return newMarkdown(headingID) })

func prose(text string) (template.HTML, error) {
	var b strings.Builder
	err := descriptions().Convert([]byte(text), &b)
	return template.HTML(b.String()), err
}

// members is a JSON object in the order in which it was written, which is also the order
// for readers.
type members[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// get returns the value of a member; the zero value if there is none.
func (m members[T]) get(name string) T {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	var none T
	return none
}

// UnmarshalJSON reads an object.
func (m *members[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("an object was expected, not %v", open)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		entry := member[T]{Name: name.(string)} // a name is always a string
		if err := d.Decode(&entry.Value); err != nil {
			return fmt.Errorf("%s: %w", entry.Name, err)
		}
		*m = append(*m, entry)
	}
	return nil
}
