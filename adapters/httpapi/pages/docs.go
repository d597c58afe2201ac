package pages

import (
	"bytes"
	"cmp"
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
		Tags       []apiTag
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
	apiTag       struct{ Name, Description string } // without operations: a part of the guide
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

// content returns the schema of the body of a request or response, of which there is one at most, and its examples.
func (d *apiDocument) content(c apiContent) (s apiSchema, shown markup) {
	for kind, media := range c.Content {
		for _, e := range media.Examples {
			if kind != "multipart/form-data" {
				shown += example(e.Value.Summary, indented(e.Value.Value))
				continue
			}
			for _, part := range d.parts(media.Schema, e.Value.Value) {
				if part.File != "" {
					shown += example(part.File, part.Value)
				}
			}
		}
		return d.schema(media.Schema), shown
	}
	return s, ""
}

// schema is the one that is meant.
func (d *apiDocument) schema(s apiSchema) apiSchema {
	if s.Ref != "" {
		return d.Components.Schemas.get(path.Base(s.Ref))
	}
	return s
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "  ") // it was read as JSON
	return b.String()
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

// headings returns the headings of a description.
func headings(text string) (titles []string) {
	for block := range strings.SplitSeq(text, "\n\n") {
		if title, ok := strings.CutPrefix(block, "## "); ok {
			titles = append(titles, title)
		}
	}
	return titles
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

// docsPage is the page of the description, with the example calls.
type docsPage struct {
	*apiDocument
	calls []examples.Call
}

// operation is what is in one article: verb and name are those that people read.
type operation struct {
	apiOperation
	verb, name, method string
}

// operations returns those of a tag, and then the events that the service sends.
func (d *apiDocument) operations(tag apiTag) (all []operation) {
	add := func(methods members[apiOperation], verb, name string) {
		for _, op := range methods {
			if slices.Contains(op.Value.Tags, tag.Name) {
				all = append(all, operation{op.Value, cmp.Or(verb, strings.ToUpper(op.Name)), name, op.Name})
			}
		}
	}
	for _, p := range d.Paths {
		add(p.Value, "", p.Name)
	}
	for _, event := range d.Webhooks {
		add(event.Value, "Event", event.Name) // the name is not a path of the service
	}
	return all
}

func (d *apiDocument) page() []byte {
	p := docsPage{d, d.calls()}
	titles := headings(d.Info.Description)
	for _, tag := range d.Tags {
		if len(d.operations(tag)) == 0 {
			titles = append(titles, tag.Name)
		}
	}
	return described(english, d.Info.Title+": documentation", d.Info.Summary, markupf(`<div class="wide docs">
<nav aria-label="Contents">
<h2>Guide</h2>
<ul><li><a href="#calling">Calling it</a></li>%v</ul>
%v<h2>Shapes</h2>
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
		each(titles, func(title string) markup { return markupf(`<li><a href="#%v">%v</a></li>`, headingID(title), title) }),
		each(d.Tags, func(tag apiTag) markup {
			all := d.operations(tag)
			return when(len(all) > 0, markupf("<h2>%v</h2>\n<ul>%v</ul>\n", tag.Name, each(all, func(o operation) markup {
				return markupf(`<li><a href="#%v">%v %v</a></li>`, o.OperationID, o.verb, o.name)
			})))
		}),
		each(d.Components.Schemas, func(s member[apiSchema]) markup { return markupf(`<li><a href="#shape-%[1]v">%[1]v</a></li>`, s.Name) }),
		d.Info.Title, d.Info.Summary, d.Info.Version, d.OpenAPI, callingNote(), prose(d.Info.Description),
		each(d.Tags, p.group),
		each(d.Components.Schemas, func(s member[apiSchema]) markup {
			return markupf("<article class=\"card\" id=\"shape-%[1]v\"><h3>%[1]v</h3>%[2]v</article>\n", s.Name, d.body(s.Value, ""))
		})))
}

func (p docsPage) group(tag apiTag) markup {
	about, all := markupf(`<p class="summary">%v</p>`, tag.Description), p.operations(tag)
	if len(all) == 0 {
		about = prose(tag.Description)
	}
	return markupf(`<section class="group" aria-labelledby="%[1]v">
<h2 id="%[1]v">%[2]v</h2>
%[3]v
%[4]v</section>
`, headingID(tag.Name), tag.Name, about, each(all, p.operation))
}

func (p docsPage) operation(o operation) markup {
	var auth, parameters, headers, request markup
	for _, alternative := range o.Security {
		for name := range alternative {
			scheme := p.Components.SecuritySchemes[name]
			auth = prose(fmt.Sprintf("**Authorization: Bearer** `%s`. %s", scheme.BearerFormat, scheme.Description))
		}
	}
	for _, param := range o.Parameters {
		param = p.parameter(param)
		row := field(param.Name, param.Schema, param.Description, param.Required)
		if param.In == "header" {
			headers += row
		} else {
			parameters += row
		}
	}
	if len(o.RequestBody.Content) > 0 {
		s, shown := p.content(o.RequestBody)
		s.Description = cmp.Or(o.RequestBody.Description, s.Description)
		request = "<h4>Request body</h4>" + p.body(s, shown)
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
<div class="scroll" role="group" tabindex="0" aria-label="Answers of %[3]v %[4]v"><table class="answers">
<caption>Answers of %[3]v %[4]v</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Headers</th></tr></thead>
<tbody>%[11]v</tbody></table></div>
%[12]v
</article>
`, o.OperationID, o.method, o.verb, o.name, o.Summary, auth, prose(o.Description),
		when(parameters != "", "<h4>Parameters</h4>"+fields(parameters)),
		when(headers != "", "<h4>Headers</h4>"+fields(headers)), request,
		each(o.Responses, p.answer), each(o.Responses, p.answerBody), p.callsOf(o))
}

func (d *apiDocument) answer(r member[apiResponse]) markup {
	of, errors := d.response(r.Value), markup("")
	if !strings.HasPrefix(r.Name, "2") {
		errors = each(errorTexts(of.apiContent), func(text string) markup { return markupf(`<p class="message">%v</p>`, text) })
	}
	var headers []string
	for _, h := range of.Headers {
		headers = append(headers, h.Name)
	}
	return markupf("<tr><th scope=\"row\">%v</th><td>%v%v</td><td class=\"limits\">%v</td></tr>\n", statusText(r.Name),
		prose(of.Description), errors, strings.Join(headers, ", "))
}

// answerBody shows the body of a good answer if it has fields.
func (d *apiDocument) answerBody(r member[apiResponse]) markup {
	s, shown := d.content(d.response(r.Value).apiContent)
	return when(strings.HasPrefix(r.Name, "2") && len(s.Properties) > 0,
		markupf("<h4>Body of %v</h4>%v", statusText(r.Name), d.body(s, shown)))
}

func statusText(status string) string {
	if code, err := strconv.Atoi(status); err == nil {
		return status + " " + http.StatusText(code)
	}
	return status
}

// callsOf are the examples side by side. Browsers show one of them, and where they do not know
// details of one name, as many as somebody opens.
func (p docsPage) callsOf(o operation) markup {
	i := slices.IndexFunc(p.calls, func(c examples.Call) bool { return c.ID == o.OperationID })
	if i < 0 {
		return ""
	}
	all := examples.Languages()
	return markupf("<h4>Example call</h4>\n<div class=\"calls\">%v</div>", each(all, func(l examples.Language) markup {
		return markupf("<details name=\"call-%v\"%v><summary>%v</summary><pre tabindex=\"0\"><code>%v</code></pre></details>\n",
			o.OperationID, when(l.Name == all[0].Name, " open"), l.Name, l.Write(p.calls[i]))
	}))
}

// body shows a schema, and examples before its own.
func (d *apiDocument) body(s apiSchema, shown markup) markup {
	properties := each(s.Properties, func(p member[apiSchema]) markup {
		about := p.Value.Description
		if _, link := typeOf(p.Value); link != "" && about == "" {
			about, _, _ = strings.Cut(d.Components.Schemas.get(link).Description, "\n\n")
		}
		return field(p.Name, p.Value, about, slices.Contains(s.Required, p.Name))
	})
	return markupf("%v%v\n%v%v", prose(s.Description), when(properties != "", fields(properties)), shown,
		each(s.Examples, func(e json.RawMessage) markup { return example("", indented(e)) }))
}

func example(title, text string) markup {
	return markupf(`<details><summary>Example%v</summary><pre tabindex="0"><code>%v</code></pre></details>`,
		when(title != "", markupf(": %v", title)), text)
}

func fields(rows markup) markup {
	return markupf(`<div class="scroll" role="group" tabindex="0" aria-label="Fields"><table><caption>Fields</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>%v</tbody></table></div>`, rows)
}

func field(name string, s apiSchema, about string, required bool) markup {
	of, link := typeOf(s)
	kind := markupf("%v", of)
	if link != "" {
		kind = markupf(`<a href="#shape-%v">%v</a>`, link, kind)
	}
	bounds := limits(s)
	return markupf(`<tr><th scope="row"><code>%v</code><span class="type">%v%v</span></th><td>%v%v</td></tr>
`, name, kind, when(required, ` <span class="must">required</span>`), prose(about),
		when(bounds != "", markupf(`<p class="limits">%v</p>`, bounds)))
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
