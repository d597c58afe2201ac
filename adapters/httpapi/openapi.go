package httpapi

import (
	"bytes"
	_ "embed" // the description
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/ports"
)

// writtenDescription is the OpenAPI document as written by hand. What it
// cannot know, the couriers, is filled in at the start.
//
//go:embed openapi.json
var writtenDescription []byte

// openAPIHandler serves the API's description, with the couriers of the
// catalogue in it.
func openAPIHandler(couriers ports.Couriers) gin.HandlerFunc {
	doc, err := describe(couriers.Catalogue())
	if err != nil {
		panic(err) // the embedded document is broken: no build of it may start
	}
	answer := newStaticAnswer("application/json; charset=utf-8", doc)
	return func(c *gin.Context) { answer.serve(c) }
}

// describe is the written description with the catalogue's ids as the accepted
// values of courierName. Everything else keeps its place.
func describe(catalogue []ports.CourierInfo) ([]byte, error) {
	path := []string{"components", "schemas", "ReconciliationRequest", "properties", "courierName"}
	doc, err := edited(writtenDescription, path, func(courierName *members[json.RawMessage]) error {
		ids := make([]string, len(catalogue))
		names := make([]string, len(catalogue))
		for i, info := range catalogue {
			ids[i] = info.ID
			names[i] = fmt.Sprintf("`%s` (%s)", info.ID, info.Name)
		}
		var text string
		if err := json.Unmarshal(courierName.get("description"), &text); err != nil {
			return fmt.Errorf("description of courierName: %w", err)
		}
		text = strings.TrimSpace("One of " + strings.Join(names, ", ") + ". " + text)
		if err := courierName.set("description", text); err != nil {
			return err
		}
		// The enum is one of two alternatives, so that the spellings that are
		// accepted as well (Ecom Express) are valid too.
		return courierName.set("anyOf", []any{map[string]any{"enum": ids}, map[string]any{"type": "string"}})
	})
	if err != nil {
		return nil, fmt.Errorf("fill the couriers into openapi.json: %w", err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, doc, "", "  "); err != nil {
		return nil, fmt.Errorf("indent openapi.json: %w", err)
	}
	return indented.Bytes(), nil
}

// edited changes the object at a path of a JSON object and leaves the order of
// all members as it is.
func edited(object []byte, path []string, change func(*members[json.RawMessage]) error) ([]byte, error) {
	var all members[json.RawMessage]
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	if len(path) == 0 {
		if err := change(&all); err != nil {
			return nil, err
		}
		return json.Marshal(all)
	}
	inner, err := edited(all.get(path[0]), path[1:], change)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path[0], err)
	}
	if err := all.set(path[0], json.RawMessage(inner)); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// members is a JSON object in the order in which it was written, which is the
// order in which people should read it.
type members[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// get is the value of a member, or the zero value if there is none.
func (m members[T]) get(name string) T {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	var none T
	return none
}

// set gives a member a value, at its place or else at the end.
func (m *members[T]) set(name string, value any) error {
	raw, err := unescapedJSON(value)
	if err != nil {
		return err
	}
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	for i := range *m {
		if (*m)[i].Name == name {
			(*m)[i].Value = v
			return nil
		}
	}
	*m = append(*m, member[T]{Name: name, Value: v})
	return nil
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

// MarshalJSON writes an object.
func (m members[T]) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, entry := range m {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := unescapedJSON(entry.Name)
		if err != nil {
			return nil, err
		}
		value, err := unescapedJSON(entry.Value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// unescapedJSON leaves <, > and & as they are: people read this.
func unescapedJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
