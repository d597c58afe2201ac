// Command clients makes the calls of calls.json with the clients that oapi-codegen and ogen have
// generated, and prints what each returned. It finds the functions of an operation by its id, so
// that an operation is called as soon as it is described.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"

	ht "github.com/ogen-go/ogen/http"

	"clients/oapi"
	"clients/ogen"
)

// call is one call, as the test writes it.
type call struct {
	Operation string            `json:"operation"`
	Path      map[string]string `json:"path"`
	Query     map[string]string `json:"query"`
	Header    map[string]string `json:"header"`
	Token     string            `json:"token"`
	Media     string            `json:"media"`
	Body      json.RawMessage   `json:"body"`
	Form      string            `json:"form"` // the whole of a form, and its media type, for a client that takes nothing else
	FormMedia string            `json:"form_media"`
}

// returned is what a client made of an answer: JSON of its own types, or bytes.
type returned struct {
	Error string          `json:"error,omitempty"`
	JSON  json.RawMessage `json:"json,omitempty"`
	Bytes []byte          `json:"bytes,omitempty"`
}

func main() {
	client, server := os.Args[1], os.Args[2]
	text, err := os.ReadFile(os.Args[3])
	if err != nil {
		panic(err)
	}
	var calls []call
	if err := json.Unmarshal(text, &calls); err != nil {
		panic(err)
	}
	for i, c := range calls {
		ask := byOapi
		if client == "ogen" {
			ask = byOgen
		}
		r := func() (r returned) {
			defer func() {
				if broken := recover(); broken != nil {
					r.Error = fmt.Sprint("panic: ", broken)
				}
			}()
			return ask(fmt.Sprint(server, "/", client, "/", i), c)
		}()
		line, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
}

var sign = regexp.MustCompile(`[^A-Za-z0-9]`)

// same is true for names that differ in their case and signs alone.
func same(a, b string) bool {
	return strings.EqualFold(sign.ReplaceAllString(a, ""), sign.ReplaceAllString(b, ""))
}

func method(of reflect.Value, name string) (reflect.Value, bool) {
	for i := range of.NumMethod() {
		if same(of.Type().Method(i).Name, name) {
			return of.Method(i), true
		}
	}
	return reflect.Value{}, false
}

// fill sets what has names in a structure of parameters.
func fill(into reflect.Value, values ...map[string]string) {
	for _, all := range values {
		for name, value := range all {
			field := into.FieldByNameFunc(func(n string) bool { return same(n, name) })
			text, _ := json.Marshal(value)
			if err := json.Unmarshal(text, field.Addr().Interface()); err != nil {
				panic(fmt.Errorf("%s: %w", name, err))
			}
		}
	}
}

func byOapi(server string, c call) (r returned) {
	client, err := oapi.NewClientWithResponses(server, oapi.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if c.Token != "" {
			r.Header.Set("Authorization", "Bearer "+c.Token)
		}
		return nil
	}))
	if err != nil {
		return returned{Error: err.Error()}
	}
	var do reflect.Value
	found := false
	for _, suffix := range []string{"WithResponse", "WithFormdataBodyWithResponse", "WithBodyWithResponse"} {
		if do, found = method(reflect.ValueOf(client), c.Operation+suffix); found {
			break
		}
	}
	if !found {
		return returned{Error: "there is no such function"}
	}
	in := []reflect.Value{reflect.ValueOf(context.Background())}
	paths := 0
	for i := 1; i < do.Type().NumIn()-1; i++ {
		t := do.Type().In(i)
		v := reflect.New(t)
		switch {
		case t.Kind() == reflect.Pointer:
			v.Elem().Set(reflect.New(t.Elem()))
			fill(v.Elem().Elem(), c.Query, c.Header)
		case paths < len(c.Path): // there is never more than one
			for _, value := range c.Path {
				text, _ := json.Marshal(value)
				err = json.Unmarshal(text, v.Interface())
			}
			paths++
		case t.Kind() == reflect.String:
			v.Elem().SetString(c.FormMedia)
		case t.Kind() == reflect.Interface:
			v.Elem().Set(reflect.ValueOf(strings.NewReader(c.Form)))
		default:
			err = json.Unmarshal(c.Body, v.Interface())
		}
		if err != nil {
			return returned{Error: err.Error()}
		}
		in = append(in, v.Elem())
	}
	out := do.Call(in)
	if err, _ := out[1].Interface().(error); err != nil {
		return returned{Error: err.Error()}
	}
	answer := out[0].Elem()
	response := answer.FieldByName("HTTPResponse").Interface().(*http.Response)
	r.Bytes = answer.FieldByName("Body").Bytes()
	if strings.Contains(response.Header.Get("Content-Type"), "json") {
		typed := answer.FieldByName(fmt.Sprint("JSON", response.StatusCode))
		if !typed.IsValid() || typed.IsNil() {
			return returned{Error: fmt.Sprint("there is no type for JSON of the status ", response.StatusCode)}
		}
		if r.JSON, err = json.Marshal(typed.Interface()); err != nil {
			return returned{Error: err.Error()}
		}
	}
	return r
}

// bearer signs in with the token of the call.
type bearer string

func (b bearer) ApiKey(context.Context, ogen.OperationName) (ogen.ApiKey, error) {
	return ogen.ApiKey{Token: string(b)}, nil
}

func (b bearer) Session(context.Context, ogen.OperationName) (ogen.Session, error) {
	return ogen.Session{Token: string(b)}, nil
}

func byOgen(server string, c call) (r returned) {
	client, err := ogen.NewClient(server, bearer(c.Token))
	if err != nil {
		return returned{Error: err.Error()}
	}
	do, found := method(reflect.ValueOf(client), c.Operation)
	if !found {
		return returned{Error: "there is no such function"}
	}
	in := []reflect.Value{reflect.ValueOf(context.Background())}
	for i := 1; i < do.Type().NumIn(); i++ {
		t := do.Type().In(i)
		if do.Type().IsVariadic() && i == do.Type().NumIn()-1 {
			break
		}
		v := reflect.New(t)
		body := v.Interface()
		if t.Kind() == reflect.Pointer {
			v.Elem().Set(reflect.New(t.Elem()))
			body = v.Elem().Interface()
		}
		switch {
		case strings.HasSuffix(t.Name(), "Params"):
			fill(v.Elem(), c.Path, c.Query, c.Header)
		case c.Media == "multipart/form-data":
			err = fillForm(v.Elem().Elem(), c.Body)
		case t.Kind() == reflect.Pointer && strings.HasPrefix(c.Media, "application/x-www"):
			err = fillForm(v.Elem().Elem(), c.Body)
		default:
			err = json.Unmarshal(c.Body, body)
		}
		if err != nil {
			return returned{Error: err.Error()}
		}
		in = append(in, v.Elem())
	}
	out := do.Call(in)
	if err, _ := out[len(out)-1].Interface().(error); err != nil {
		return returned{Error: err.Error()}
	}
	if len(out) == 1 {
		return returned{}
	}
	answer := out[0]
	for answer.Kind() == reflect.Interface || answer.Kind() == reflect.Pointer {
		answer = answer.Elem()
	}
	if answer.Kind() == reflect.Struct {
		if inner := answer.FieldByName("Response"); inner.IsValid() {
			answer = inner
		}
	}
	if answer.Kind() == reflect.Struct {
		if data := answer.FieldByName("Data"); data.IsValid() {
			if reader, is := data.Interface().(io.Reader); is {
				r.Bytes, err = io.ReadAll(reader)
				if err != nil {
					r.Error = err.Error()
				}
				return r
			}
		}
	}
	whole := reflect.New(answer.Type())
	whole.Elem().Set(answer)
	if encoder, is := whole.Interface().(json.Marshaler); is {
		if r.JSON, err = encoder.MarshalJSON(); err != nil {
			return returned{Error: err.Error()}
		}
	}
	return r
}

// fillForm sets the fields of a form. A file is {"file": its text, "name": its name}.
func fillForm(into reflect.Value, body json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		field := into.FieldByNameFunc(func(n string) bool { return same(n, name) })
		var files []ht.MultipartFile
		var several []struct{ File, Name string }
		one := bytes.HasPrefix(value, []byte("{"))
		if one {
			value = append(append([]byte("["), value...), ']')
		}
		if json.Unmarshal(value, &several) == nil {
			for _, f := range several {
				files = append(files, ht.MultipartFile{Name: f.Name, File: strings.NewReader(f.File), Size: int64(len(f.File))})
			}
		}
		switch into := field.Addr().Interface().(type) {
		case *ht.MultipartFile:
			*into = files[0]
		case *[]ht.MultipartFile:
			*into = files
		case *ogen.OptMultipartFile:
			into.SetTo(files[0])
		default:
			if err := json.Unmarshal(value, into); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
