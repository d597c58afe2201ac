package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"

	"milaan/adapters/httpapi/pages/examples"
)

// mustRead reads the description. It panics if an embedded file is broken, which the tests would
// have found.
func mustRead(description []byte) *apiDocument {
	var doc apiDocument
	if err := json.Unmarshal(description, &doc); err != nil {
		panic(fmt.Errorf("read the API's description: %w", err))
	}
	return &doc
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
			Parameters      map[string]apiParameter
			Schemas         members[apiSchema]
		}
	}
	apiInfo      struct{ Title, Version, Summary, Description string }
	apiScheme    struct{ BearerFormat, Description string }
	apiOperation struct {
		OperationID, Summary, Description string

		Tags        []string
		Security    []map[string]any
		Parameters  []apiParameter
		RequestBody apiContent
		Responses   members[apiResponse]
	}
	apiParameter struct {
		Ref                   string `json:"$ref"`
		Name, In, Description string
		Required              bool
		Schema                apiSchema
		Example               json.RawMessage
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
		Headers members[struct{ Example json.RawMessage }]
		Links   members[struct {
			OperationID string
			Parameters  map[string]string
		}]
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

// What the page shows.
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
		Calls      []callView // one in each language, or none
		Answers    []answerView
	}
	callView   struct{ Language, Text string }
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
	v := docsView{apiDocument: d, Guide: append([]headingView{{ID: "calling", Text: "Calling it"}}, headings(d.Info.Description)...)}
	calls := d.calls()
	for _, tag := range d.Tags {
		group := groupView{ID: headingID(tag.Name), Name: tag.Name, Description: tag.Description}
		add := func(verb, name, method string, op apiOperation) {
			if slices.Contains(op.Tags, tag.Name) {
				o := d.operation(verb, name, method, op)
				if i := slices.IndexFunc(calls, func(c examples.Call) bool { return c.ID == op.OperationID }); i >= 0 {
					for _, l := range examples.Languages() {
						o.Calls = append(o.Calls, callView{l.Name, l.Write(calls[i])})
					}
				}
				group.Operations = append(group.Operations, o)
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
		param = d.parameter(param)
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

// parameter is the one that is meant.
func (d *apiDocument) parameter(p apiParameter) apiParameter {
	if p.Ref != "" {
		return d.Components.Parameters[path.Base(p.Ref)]
	}
	return p
}

// response is the one that is meant.
func (d *apiDocument) response(r apiResponse) apiResponse {
	if r.Ref != "" {
		return d.Components.Responses[path.Base(r.Ref)]
	}
	return r
}

func (d *apiDocument) answer(status string, r apiResponse) answerView {
	r = d.response(r)
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
	for kind, media := range c.Content {
		if kind != "multipart/form-data" {
			b := d.body("", media.Schema, media.Examples)
			return &b
		}
		b := d.body("", media.Schema, nil)
		for _, e := range media.Examples {
			for _, part := range d.parts(media.Schema, e.Value.Value) {
				if part.File != "" {
					b.Examples = append(b.Examples, exampleView{Title: part.File, Text: part.Value})
				}
			}
		}
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

func prose(text string) markup {
	var b strings.Builder
	if err := descriptions().Convert([]byte(text), &b); err != nil {
		panic(err) // it writes into memory
	}
	return markup(b.String())
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

func (v docsView) page() []byte {
	return described(v.Info.Title+": documentation", v.Info.Summary, markupf(`<div class="wide docs">
<nav aria-label="Contents">
%v%v<h2>Shapes</h2>
<ul>%v</ul>
</nav>
<main id="main">
<h1>%v</h1>
<p class="lead">%v</p>
<p>Version %v, OpenAPI %v: <a href="/openapi.json"><code>/openapi.json</code></a>,
<a href="/openapi.yaml"><code>/openapi.yaml</code></a></p>
%v%v
%v<section class="group" aria-labelledby="shapes"><h2 id="shapes">Shapes</h2>
<p class="summary">What the bodies above are made of.</p>
%v</section>
</main>
</div>`,
		when(len(v.Guide) > 0, markupf("<h2>Guide</h2>\n<ul>%v</ul>\n", each(v.Guide, func(h headingView) markup {
			return markupf(`<li><a href="#%v">%v</a></li>`, h.ID, h.Text)
		}))),
		each(v.Groups, func(g groupView) markup {
			return when(len(g.Operations) > 0, markupf("<h2>%v</h2>\n<ul>%v</ul>\n", g.Name, each(g.Operations, func(o operationView) markup {
				return markupf(`<li><a href="#%v">%v %v</a></li>`, o.ID, o.Verb, o.Name)
			})))
		}),
		each(v.Shapes, func(b bodyView) markup { return markupf(`<li><a href="#shape-%[1]v">%[1]v</a></li>`, b.Name) }),
		v.Info.Title, v.Info.Summary, v.Info.Version, v.OpenAPI, callingNote(), prose(v.Info.Description),
		each(v.Groups, groupView.markup),
		each(v.Shapes, func(b bodyView) markup {
			return markupf("<article class=\"card\" id=\"shape-%[1]v\"><h3>%[1]v</h3>%[2]v</article>\n", b.Name, b.markup())
		})))
}

func (g groupView) markup() markup {
	about := markupf(`<p class="summary">%v</p>`, g.Description)
	if len(g.Operations) == 0 {
		about = prose(g.Description)
	}
	return markupf(`<section class="group" aria-labelledby="%[1]v">
<h2 id="%[1]v">%[2]v</h2>
%[3]v
%[4]v</section>
`, g.ID, g.Name, about, each(g.Operations, operationView.markup))
}

func (o operationView) markup() markup {
	var auth, request markup
	if o.Auth != nil {
		auth = prose(fmt.Sprintf("**Authorization: Bearer** `%s`. %s", o.Auth.BearerFormat, o.Auth.Description))
	}
	if o.Request != nil {
		request = "<h4>Request body</h4>" + o.Request.markup()
	}
	return markupf(`<article class="card" id="%[1]v">
<h3><span class="verb %[2]v">%[3]v</span><code>%[4]v</code></h3>
<p class="summary">%[5]v</p>
%[6]v
%[7]v
%[8]v
%[9]v
%[10]v
%[13]v
<h4>Answers</h4>
<div class="scroll" role="region" tabindex="0" aria-label="Answers of %[3]v %[4]v"><table class="answers">
<caption>Answers of %[3]v %[4]v</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Headers</th></tr></thead>
<tbody>%[11]v</tbody></table></div>
%[12]v
</article>
`, o.ID, o.Method, o.Verb, o.Name, o.Summary, auth, prose(o.Description),
		when(len(o.Parameters) > 0, "<h4>Parameters</h4>"+fields(o.Parameters)),
		when(len(o.Headers) > 0, "<h4>Headers</h4>"+fields(o.Headers)), request,
		each(o.Answers, func(a answerView) markup {
			return markupf("<tr><th scope=\"row\">%v</th><td>%v%v</td><td class=\"limits\">%v</td></tr>\n", a.Status, prose(a.Description),
				each(a.Errors, func(text string) markup { return markupf(`<p class="message">%v</p>`, text) }), strings.Join(a.Headers, ", "))
		}),
		each(o.Answers, func(a answerView) markup {
			if a.Body == nil || len(a.Body.Fields) == 0 {
				return ""
			}
			return markupf("<h4>Body of %v</h4>%v", a.Body.Title, a.Body.markup())
		}), o.calls())
}

// calls are the examples side by side. Browsers show one of them, and where they do not know
// details of one name, as many as somebody opens.
func (o operationView) calls() markup {
	return when(len(o.Calls) > 0, markupf("<h4>Example call</h4>\n<div class=\"calls\">%v</div>", each(o.Calls, func(c callView) markup {
		return markupf("<details name=\"call-%v\"%v><summary>%v</summary><pre tabindex=\"0\"><code>%v</code></pre></details>\n",
			o.ID, when(c.Language == o.Calls[0].Language, " open"), c.Language, c.Text)
	})))
}

func (b bodyView) markup() markup {
	return markupf("%v%v\n%v", prose(b.Description), when(len(b.Fields) > 0, fields(b.Fields)), each(b.Examples, func(e exampleView) markup {
		return markupf(`<details><summary>Example%v</summary><pre tabindex="0"><code>%v</code></pre></details>`,
			when(e.Title != "", markupf(": %v", e.Title)), e.Text)
	}))
}

func fields(all []fieldView) markup {
	return markupf(`<div class="scroll" role="region" tabindex="0" aria-label="Fields"><table><caption>Fields</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>%v</tbody></table></div>`, each(all, func(f fieldView) markup {
		kind := markupf("%v", f.Type)
		if f.Link != "" {
			kind = markupf(`<a href="#shape-%v">%v</a>`, f.Link, kind)
		}
		return markupf(`<tr><th scope="row"><code>%v</code><span class="type">%v%v</span></th><td>%v%v</td></tr>
`, f.Name, kind, when(f.Required, ` <span class="must">required</span>`), prose(f.Description),
			when(f.Limits != "", markupf(`<p class="limits">%v</p>`, f.Limits)))
	}))
}

// callingNote says how the examples are run.
func callingNote() markup {
	return markupf(`<section class="card" aria-labelledby="calling"><h2 id="calling">Calling it</h2>
<p>Each operation has an example in several languages. It needs no library, runs as it stands, and shows the answer or the error. `+
		`It takes the address and your key from the environment:</p>
<pre tabindex="0"><code>export MILAAN_URL=%v
export MILAAN_KEY=milaan_live_…        # an API key or a sandbox key
export MILAAN_SESSION=eyJ…             # a session token, for /generate-… and /account</code></pre>
<ul>
%v</ul>
<p>A click into an example selects all of it. A variable in the address of a call, such as <code>$JOB_ID</code>, is a value of `+
		`an earlier answer.</p>
<p>The same calls are collections <a href="/docs/milaan.postman_collection.json" download>for Postman</a> and `+
		`<a href="/docs/milaan.bruno.zip" download>for Bruno</a>, with the variables <code>url</code>, <code>key</code> and <code>session</code>. `+
		`Sending all of them replaces the account’s key and cancels its subscription: use an account that is for trying. The call that closes an account is not among them.</p>
</section>
`, examples.UsualAddress, each(examples.Languages(), func(l examples.Language) markup {
		return markupf("<li>%v: save it as <code>%v</code> and run <code>%v</code>%v</li>\n", l.Name, l.File, l.Command,
			when(l.Needs != "", markupf(", which needs %v", l.Needs)))
	}))
}
