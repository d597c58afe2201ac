package pages

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// Clients are generated from the description. What it says in a way that
// generators get wrong is wrong for their users, however true it is: each test
// here stands for a generated client that did not compile, lost money or could
// not make its first call.

// everyObject calls f with each JSON object of the description, and where it is.
func everyObject(t *testing.T, f func(where string, object map[string]any)) {
	t.Helper()
	var doc any
	require.NoError(t, json.Unmarshal([]byte(writtenDescription), &doc))
	var walk func(where string, v any)
	walk = func(where string, v any) {
		switch v := v.(type) {
		case map[string]any:
			f(where, v)
			for name, inner := range v {
				if name != "examples" && name != "example" {
					walk(where+"/"+name, inner)
				}
			}
		case []any:
			for i, inner := range v {
				walk(fmt.Sprint(where, "/", i), inner)
			}
		}
	}
	walk("", doc)
}

// answerSchemas are the schemas of everything that the service sends, answers
// and webhooks, by where they are.
func answerSchemas(t *testing.T) map[string]*openapi3.Schema {
	t.Helper()
	doc := loadedDescription(t)
	all := map[string]*openapi3.Schema{}
	var add func(where string, ref *openapi3.SchemaRef)
	add = func(where string, ref *openapi3.SchemaRef) {
		if ref == nil {
			return
		}
		if ref.Ref != "" {
			where = ref.Ref
		}
		if all[where] != nil {
			return
		}
		all[where] = ref.Value
		for name, p := range ref.Value.Properties {
			add(where+"/"+name, p)
		}
		add(where+"/items", ref.Value.Items)
		for _, several := range []openapi3.SchemaRefs{ref.Value.OneOf, ref.Value.AnyOf, ref.Value.AllOf} {
			for i, s := range several {
				add(fmt.Sprint(where, "/", i), s)
			}
		}
	}
	for p, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			for status, answer := range op.Responses.Map() {
				if media := answer.Value.Content["application/json"]; media != nil {
					add(method+" "+p+" "+status, media.Schema)
				}
			}
		}
	}
	for event, item := range doc.Webhooks {
		add("webhook "+event, item.Post.RequestBody.Value.Content["application/json"].Schema)
	}
	require.Greater(t, len(all), 50)
	return all
}

// A number without a format became a float32 in Go, which holds ₹1,29,999.55 as
// ₹1,29,999.547. A generator that knows a single type per schema fails on a list of them.
// A default tells generators to send it, or to demand the field, and would override an
// account's own setting.
func TestAmountsAreDoublesOfOneTypeWithoutDefault(t *testing.T) {
	amounts := 0
	everyObject(t, func(where string, object map[string]any) {
		if object["type"] == "number" {
			require.Equal(t, "double", object["format"], where)
			amounts++
		}
		require.IsNotType(t, []any{}, object["type"], "%s: write oneOf", where)
		if !strings.HasSuffix(where, "/responses") && !strings.HasSuffix(where, "/properties") { // default is a status there, or a name
			require.NotContains(t, object, "default", where)
		}
	})
	require.Equal(t, 42, amounts, "cod_amount, remitted, shortfall, accepted charges of a run, a job and an order, a warning's amount, amount_risk, those of what is included, with charges and open items, the price of a plan, those of a run in the history, of a comparison, of a connection, of a pass and of its open items")
	for where, s := range answerSchemas(t) {
		if strings.HasPrefix(s.Description, "₹") {
			require.True(t, s.Type.Is("number"), where)
		}
	}
}

// Generators name types of their own after operations; two types of one name do
// not compile. Nor may a schema hide what every program of a language uses.
func TestSchemasAreNamedApart(t *testing.T) {
	doc := loadedDescription(t)
	taken := map[string]string{}
	for _, builtin := range []string{"Error", "Result", "Response", "Request", "Object", "Date", "Map", "Set", "List", "Record", "Option", "Client", "Server"} {
		taken[strings.ToLower(builtin)] = builtin
	}
	operations := slices.Collect(maps.Values(doc.Paths.Map()))
	operations = append(operations, slices.Collect(maps.Values(doc.Webhooks))...)
	for _, item := range operations {
		for _, op := range item.Operations() {
			for _, suffix := range []string{"", "Request", "Response", "Responses", "Params", "Body", "JSONBody", "JSONRequestBody", "RequestBody", "Req", "Res", "Result", "Results", "Data", "Error", "Errors", "Input", "Output", "Variables"} {
				taken[strings.ToLower(op.OperationID+suffix)] = op.OperationID + suffix
			}
		}
	}
	for name := range doc.Components.Schemas {
		require.NotContains(t, taken, strings.ToLower(name))
	}
}

// A generator that cannot make a type of two alternatives leaves out every operation that needs
// it. Known values of an open text stand beside its type.
func TestNothingIsOneOfSeveralTypes(t *testing.T) {
	everyObject(t, func(where string, object map[string]any) {
		if !strings.HasSuffix(where, "/not") { // a rule of a validator, of which no type is made
			require.NotContains(t, object, "anyOf", where)
		}
	})
}

// A generated client sends a Content-Type only with a body, and without one the
// service answers 415.
func TestEveryPostHasABody(t *testing.T) {
	for p, item := range loadedDescription(t).Paths.Map() {
		if item.Post == nil {
			continue
		}
		require.NotNil(t, item.Post.RequestBody, p)
		require.True(t, item.Post.RequestBody.Value.Required, p)
		require.True(t, bodyOf(item.Post).Type.Is("object"), p)
	}
	empty := bodyOf(loadedDescription(t).Paths.Value("/generate-api-key").Post)
	require.NoError(t, conforms(t, empty, []byte(`{}`)))
}

// Answers may get fields, flags and warnings that a client of today has never
// heard of.
func TestAnswersAreOpen(t *testing.T) {
	for where, s := range answerSchemas(t) {
		if len(s.Properties) == 0 && s.Type.Is("object") && len(s.AllOf) == 0 { // ogen throws away what it has no field for
			of := s.AdditionalProperties
			require.True(t, of.Schema != nil || of.Has != nil && *of.Has, where)
			continue
		}
		require.Nil(t, s.AdditionalProperties.Has, where)
		require.Nil(t, s.AdditionalProperties.Schema, where)
	}
	schemas := loadedDescription(t).Components.Schemas
	known := map[string][]any{}
	for _, flag := range domain.Flags() {
		known["Flag"] = append(known["Flag"], flag.String())
	}
	for _, code := range domain.WarningCodes() {
		known["WarningCode"] = append(known["WarningCode"], string(code))
	}
	for name, values := range known {
		s := schemas[name].Value
		require.Empty(t, s.Enum, name)
		require.Empty(t, s.AnyOf, "a union is no string in Go")
		require.True(t, s.Type.Is("string"), name)
		require.Equal(t, values, s.Extensions["x-extensible-enum"], name)
		for _, value := range values {
			require.Contains(t, s.Description, fmt.Sprintf("\n- `%s`: ", value), name)
		}
		require.NoError(t, conforms(t, schemas[name].Value, []byte(`"NEW_VALUE"`)))
	}
	require.NoError(t, conforms(t, schemas["ErrorBody"].Value, []byte(`{"error":"no","code":"x"}`)))
}

// Of two alternatives, Go decodes the failure of a job as a success without
// results. As one object, it has results that are absent.
func TestAFailedJobIsNoEmptySuccess(t *testing.T) {
	for where, s := range answerSchemas(t) {
		require.Empty(t, s.AnyOf, where)
		for _, alternative := range s.OneOf[:max(0, len(s.OneOf)-1)] {
			require.True(t, s.OneOf[len(s.OneOf)-1].Value.Type.Is("null"), where)
			require.Len(t, s.OneOf, 2, where)
			require.Empty(t, alternative.Ref, where)
		}
	}
	result := loadedDescription(t).Components.Schemas["BatchResult"].Value
	require.Equal(t, []string{"brand", "courierName"}, result.Required, "nothing else is there of every job")
	guidance := `{"offset_days":7,"offset_source":"default","batch_as_of":"2026-03-03","courier_coverage_complete":true,"courier_data_through":null,"guaranteed_coverage_days":14,"awaiting_next_cycle_count":0}`
	for text, good := range map[string]bool{
		`"error":"x"`: true,
		`"results":[],"cycle_guidance":` + guidance:                                                    true,
		`"results":[],"warnings":[{"code":"empty_report","message":"x"}],"cycle_guidance":` + guidance: true,
		`"results":[]`:                 false,
		`"cycle_guidance":` + guidance: false,
		`"results":[],"error":"x"`:     false,
		`"error":"x","warnings":[{"code":"empty_report","message":"x"}]`: false,
		`"error":""`: false,
	} {
		err := conforms(t, result, []byte(`{"brand":"b","courierName":"",`+text+`}`))
		require.Equal(t, good, err == nil, "%s: %v", text, err)
	}
}

// oapi-codegen leaves out a schema that webhooks alone refer to, and then the
// webhook's type does not compile.
func TestWebhooksReferToWhatAnswersHave(t *testing.T) {
	inAnswers := map[string]bool{}
	var doc map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(served(t, pagesOf(t, nil).Description).Body.Bytes(), &doc))
	refs := func(raw json.RawMessage) []string {
		var found []string
		for _, part := range strings.Split(string(raw), `"#/components/schemas/`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			found = append(found, name)
		}
		return found
	}
	for _, name := range refs(doc["paths"]) {
		inAnswers[name] = true
	}
	for _, name := range refs(doc["webhooks"]) {
		require.True(t, inAnswers[name], name)
	}
}
