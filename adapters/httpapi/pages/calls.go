package pages

import (
	"encoding/json"
	"maps"
	"mime"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/httpapi/pages/examples"
)

// calls are the example calls of the description, in the order of its tags. An operation has one
// unless it needs something of which the description has no example, because nobody who calls by
// hand can have it: the signature of a notice, the token of a mail.
func (d *apiDocument) calls() []examples.Call {
	var calls []examples.Call
	learned := d.learned()
	for _, tag := range d.Tags {
		for _, p := range d.Paths {
			for _, op := range p.Value {
				if !slices.Contains(op.Value.Tags, tag.Name) {
					continue
				}
				call := examples.Call{ID: op.Value.OperationID, Summary: op.Value.Summary, Group: tag.Name,
					Method: strings.ToUpper(op.Name), Path: p.Name}
				if d.fill(&call, op.Value, learned) {
					calls = append(calls, call)
				}
			}
		}
	}
	return calls
}

// collection are all calls but the one that closes the account: people send all calls of a collection at once.
func (d *apiDocument) collection() examples.Collection {
	calls := slices.DeleteFunc(d.calls(), func(c examples.Call) bool { return c.ID == "closeAccount" })
	c := examples.Collection{Name: d.Info.Title, About: d.Info.Summary, Calls: calls}
	for _, call := range c.Calls {
		for _, part := range call.Form {
			file := examples.File{Name: part.File, Text: part.Value}
			if file.Name != "" && !slices.Contains(c.Files, file) {
				c.Files = append(c.Files, file)
			}
		}
	}
	return c
}

// learned are the parameters whose values other operations' answers give, as their links say, by
// operation and name.
func (d *apiDocument) learned() map[[2]string]bool {
	learned := map[[2]string]bool{}
	for _, p := range d.Paths {
		for _, op := range p.Value {
			for _, answer := range op.Value.Responses {
				for _, link := range d.response(answer.Value).Links {
					for name := range link.Value.Parameters {
						learned[[2]string{link.Value.OperationID, name}] = true
					}
				}
			}
		}
	}
	return learned
}

// variable names the value of a parameter apart from others: an id is called by what it is in.
func variable(address, parameter string) string {
	if parameter == "id" {
		before, _, _ := strings.Cut(address, "/{id}")
		return strings.ReplaceAll(path.Base(before), "-", "_") + "_id"
	}
	return parameter
}

// fill is false if the description has no example of something that the operation needs.
func (d *apiDocument) fill(call *examples.Call, op apiOperation, learned map[[2]string]bool) bool {
	address := call.Path
	var query []string
	for _, p := range op.Parameters {
		p = d.parameter(p)
		text, given := exampleText(p.Example)
		switch {
		case p.In == "path" && learned[[2]string{op.OperationID, p.Name}]:
			call.Path = strings.Replace(call.Path, "{"+p.Name+"}", "{"+variable(address, p.Name)+"}", 1)
		case p.In == "query" && learned[[2]string{op.OperationID, p.Name}]:
			query = append(query, url.QueryEscape(p.Name)+"={"+variable(address, p.Name)+"}")
		case !p.Required:
		case !given:
			return false
		case p.In == "path":
			text = strings.ReplaceAll(url.PathEscape(text), "$", "%24") // which a shell would fill in
			call.Path = strings.Replace(call.Path, "{"+p.Name+"}", text, 1)
		case p.In == "query":
			query = append(query, url.QueryEscape(p.Name)+"="+url.QueryEscape(text))
		default:
			call.Headers = append(call.Headers, examples.Header{Name: p.Name, Value: text})
		}
	}
	if len(query) > 0 {
		call.Path += "?" + strings.Join(query, "&")
	}
	for _, alternative := range op.Security {
		for name := range alternative {
			call.Token = strings.ToLower(strings.TrimPrefix(name, "api")) // of apiKey and session
		}
	}
	for _, r := range op.Responses {
		if strings.HasPrefix(r.Name, "2") {
			d.expect(call, r.Name, d.response(r.Value))
			break
		}
	}
	return len(op.RequestBody.Content) == 0 || d.fillBody(call, op.RequestBody)
}

// fillBody takes the first example of a body.
func (d *apiDocument) fillBody(call *examples.Call, body apiContent) bool {
	for media, content := range body.Content {
		if len(content.Examples) == 0 {
			continue
		}
		value := content.Examples[0].Value.Value
		switch media {
		case "application/json":
			call.JSON = indented(value)
			return true
		case "multipart/form-data":
			call.Form = d.parts(content.Schema, value)
			return true
		}
	}
	return false
}

// parts are those of a form. Files are called by their fields.
func (d *apiDocument) parts(s apiSchema, example json.RawMessage) []examples.Part {
	s = d.schema(s)
	var fields members[json.RawMessage]
	if err := json.Unmarshal(example, &fields); err != nil {
		panic(err) // the tests read all examples
	}
	var parts []examples.Part
	for _, f := range fields {
		field, values := s.Properties.get(f.Name), []json.RawMessage{f.Value}
		if field.Items != nil {
			field = *field.Items
			_ = json.Unmarshal(f.Value, &values) // if it is no list, it is the only one
		}
		for _, v := range values {
			text, _ := exampleText(v)
			part := examples.Part{Name: f.Name, Value: text}
			if field.Format == "binary" {
				part.File = f.Name + ".csv"
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// expect says what a good answer to a call is, and what later calls need of it.
func (d *apiDocument) expect(call *examples.Call, status string, answer apiResponse) {
	call.Status, _ = strconv.Atoi(status) // it is a number: the description has 2XX for webhooks alone
	call.SavedAs = savedAs(call.Path, answer)
	for _, link := range answer.Links {
		for _, parameter := range slices.Sorted(maps.Keys(link.Value.Parameters)) {
			member, _ := strings.CutPrefix(link.Value.Parameters[parameter], "$response.body#/")
			seen := examples.Observation{Name: variable(d.pathOf(link.Value.OperationID), parameter), Member: strings.Split(member, "/")}
			if !slices.ContainsFunc(call.Learns, func(o examples.Observation) bool { return o.Name == seen.Name }) {
				call.Learns = append(call.Learns, seen)
			}
		}
	}
}

// savedAs is the name of the file that an answer is saved as: the one that it has by its header, or
// the end of its address. It is blank if the answer is a text to look at.
func savedAs(address string, answer apiResponse) string {
	if text, given := exampleText(answer.Headers.get("Content-Disposition").Example); given {
		if _, values, err := mime.ParseMediaType(text); err == nil {
			return values["filename"]
		}
	}
	for media := range answer.Content {
		kind, form, _ := strings.Cut(media, "/")
		if kind == "text" || form == "json" {
			return ""
		}
		name := path.Base(address)
		if path.Ext(name) == "" {
			name += "." + form
		}
		return name
	}
	return ""
}

func (d *apiDocument) pathOf(id string) string {
	for _, p := range d.Paths {
		for _, op := range p.Value {
			if op.Value.OperationID == id {
				return p.Name
			}
		}
	}
	return ""
}

// exampleText is a value of an example as it stands in an address, a header or a form.
func exampleText(raw json.RawMessage) (text string, given bool) {
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	return string(raw), len(raw) > 0
}
