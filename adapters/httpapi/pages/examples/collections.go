package examples

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Collection are all calls, for a program by which people send them.
type Collection struct {
	Name, About string
	Calls       []Call // those of a group beside each other
	Files       []File // that the calls send
}

// File is a file that calls send.
type File struct{ Name, Text string }

// made is when the files of an archive were made: always then, so that equal ones have equal bytes.
var made = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// UsualAddress is where a service is if nobody said otherwise.
const UsualAddress = "http://127.0.0.1:8080"

func (c Collection) groups() (groups [][]Call) {
	for i, call := range c.Calls {
		if i == 0 || call.Group != c.Calls[i-1].Group {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], call)
	}
	return groups
}

// template is the address with its variables as both programs write them.
func (c Call) template() string { return "{{url}}" + variables.ReplaceAllString(c.Path, "{{$1}}") }

// within is the member of a value in JavaScript, and undefined where a list has no item yet.
func (o Observation) within(value string) string {
	for _, name := range o.Member {
		value += "?.[" + quoted(name) + "]"
	}
	return value
}

// Postman writes a collection of Postman's version 2.1. Its requests expect the described status,
// and keep what later ones need.
func Postman(c Collection) []byte {
	type object = map[string]any
	body := func(call Call) object {
		if call.JSON != "" {
			return object{"mode": "raw", "raw": call.JSON, "options": object{"raw": object{"language": "json"}}}
		}
		var parts []object
		for _, p := range call.Form {
			if p.File != "" {
				parts = append(parts, object{"key": p.Name, "type": "file", "src": p.File})
			} else {
				parts = append(parts, object{"key": p.Name, "type": "text", "value": p.Value})
			}
		}
		return object{"mode": "formdata", "formdata": parts}
	}
	var folders []object
	for _, group := range c.groups() {
		var items []object
		for _, call := range group {
			headers := []object{}
			for _, h := range call.Headers {
				headers = append(headers, object{"key": h.Name, "value": h.Value})
			}
			request := object{"method": call.Method, "url": call.template(), "header": headers, "auth": object{"type": "noauth"},
				"description": call.Summary}
			if call.Token != "" {
				request["auth"] = object{"type": "bearer", "bearer": []object{{"key": "token", "type": "string", "value": "{{" + call.Token + "}}"}}}
			}
			if call.JSON != "" {
				request["header"] = append(headers, object{"key": "Content-Type", "value": "application/json"})
			}
			if call.JSON != "" || len(call.Form) > 0 {
				request["body"] = body(call)
			}
			script := []string{fmt.Sprintf(`pm.test("answers %d", () => pm.response.to.have.status(%d));`, call.Status, call.Status)}
			for _, o := range call.Learns {
				script = append(script, fmt.Sprintf("if (pm.response.code === %d) pm.collectionVariables.set(%q, %s);",
					call.Status, o.Name, o.within("pm.response.json()")))
			}
			items = append(items, object{"name": call.ID, "request": request, "response": []object{},
				"event": []object{{"listen": "test", "script": object{"type": "text/javascript", "exec": script}}}})
		}
		folders = append(folders, object{"name": group[0].Group, "item": items})
	}
	text, _ := json.MarshalIndent(object{ // it has texts and numbers alone
		"info": object{"name": c.Name, "description": c.About,
			"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item":     folders,
		"variable": []object{{"key": "url", "value": UsualAddress}, {"key": "key", "value": ""}, {"key": "session", "value": ""}},
	}, "", " ")
	return text
}

// Bruno writes a collection of Bruno, a folder of texts, as an archive.
func Bruno(c Collection) []byte {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	add := func(name, text string) { // writing into memory cannot fail
		w, _ := z.CreateHeader(&zip.FileHeader{Name: "milaan/" + name, Method: zip.Deflate, Modified: made})
		_, _ = w.Write([]byte(text))
	}
	about, _ := json.Marshal(map[string]string{"version": "1", "name": c.Name, "type": "collection"})
	add("bruno.json", string(about)+"\n")
	add("collection.bru", block("docs", c.About))
	add("environments/service.bru", block("vars", "url: "+UsualAddress, "key:", "session:"))
	for _, f := range c.Files {
		add(f.Name, f.Text)
	}
	for i, group := range c.groups() {
		folder := group[0].Group + "/"
		add(folder+"folder.bru", block("meta", "name: "+group[0].Group, fmt.Sprint("seq: ", i+1)))
		for j, call := range group {
			add(folder+call.ID+".bru", call.bruno(j+1))
		}
	}
	_ = z.Close()
	return archive.Bytes()
}

func (c Call) bruno(place int) string {
	body, auth := "none", "none"
	var parts []string
	switch {
	case c.JSON != "":
		body = "json"
		parts = append(parts, block("body:json", c.JSON))
	case len(c.Form) > 0:
		body = "multipartForm"
		var fields []string
		for _, p := range c.Form {
			if p.File != "" {
				p.Value = "@file(" + p.File + ")"
			}
			fields = append(fields, p.Name+": "+p.Value)
		}
		parts = append(parts, block("body:multipart-form", fields...))
	}
	if c.Token != "" {
		auth = "bearer"
		parts = append(parts, block("auth:bearer", "token: {{"+c.Token+"}}"))
	}
	if len(c.Headers) > 0 {
		var headers []string
		for _, h := range c.Headers {
			headers = append(headers, h.Name+": "+h.Value)
		}
		parts = append(parts, block("headers", headers...))
	}
	parts = append(parts, block("assert", fmt.Sprint("res.status: eq ", c.Status)))
	if len(c.Learns) > 0 {
		var script []string
		for _, o := range c.Learns {
			script = append(script, fmt.Sprintf("if (res.status === %d) bru.setVar(%q, %s);", c.Status, o.Name, o.within("res.body")))
		}
		parts = append(parts, block("script:post-response", script...))
	}
	parts = append(parts, block("docs", c.Summary))
	return block("meta", "name: "+c.ID, "type: http", fmt.Sprint("seq: ", place)) + "\n" +
		block(strings.ToLower(c.Method), "url: "+c.template(), "body: "+body, "auth: "+auth) + "\n" + strings.Join(parts, "\n")
}

// block is a part of one of Bruno's files.
func block(name string, lines ...string) string {
	return name + " {\n  " + deeper(strings.Join(lines, "\n"), "  ") + "\n}\n"
}
