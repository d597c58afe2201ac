package jsonbody_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/jsonbody"
)

// FuzzWalk holds Members and Elements against encoding/json on valid JSON.
func FuzzWalk(f *testing.F) {
	for _, text := range append(seeds, `{"a":1,"b" : [1, 2 ,{"c":"]"}] ,"d":-1.5e3}`, `[1,"a,]", {"x":[]},null ,true]`, `[]`, `[ ]`, `{ }`, "{\"a\"\n:\t1\r}") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var elements []json.RawMessage
		if json.Unmarshal([]byte(text), &elements) == nil && elements != nil {
			got := []json.RawMessage{}
			jsonbody.Elements(trimmed(text), func(value []byte) bool {
				got = append(got, value)
				return true
			})
			require.Equal(t, elements, got)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &members) == nil && members != nil {
			got := map[string]json.RawMessage{}
			jsonbody.Members(trimmed(text), func(name, value []byte) bool {
				var plain string
				require.NoError(t, json.Unmarshal(name, &plain))
				require.Equal(t, plain == "shopify", jsonbody.Is(name, "shopify"))
				got[plain] = value
				return true
			})
			require.Equal(t, members, got)
		}
	})
}

func trimmed(text string) []byte {
	var raw json.RawMessage
	_ = json.Unmarshal([]byte(text), &raw)
	return raw
}

func TestTextsOfAnObject(t *testing.T) {
	names := []string{"order_id", "note"}
	for object, want := range map[string][]string{
		`{}`: {"", ""}, `{"order_id":"1"}`: {"1", ""}, `{ "note" : "a\"b\u20b9" , "order_id":null}`: {"", "a\"b₹"},
		`{"x":{"order_id":"2"},"order_id":"1","Order_ID":"3"}`: {"1", ""}, `{"order_id":"1","order_id":"2"}`: {"2", ""}, `{"order\u005fid":"1"}`: {"1", ""},
	} {
		texts := make([]string, len(names))
		require.True(t, jsonbody.Texts([]byte(object), names, texts), object)
		require.Equal(t, want, texts, object)
	}
	for _, value := range []string{"1", "true", "{}", "[]"} {
		require.False(t, jsonbody.Texts([]byte(`{"note":`+value+`}`), names, make([]string, len(names))), value)
	}
}
