package domain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestColumnsAsJSON(t *testing.T) {
	columns := domain.Columns{"awb": "Docket", "charges": domain.JoinColumns([]string{"Freight, net", "GST"})}
	text, err := json.Marshal(columns)
	require.NoError(t, err)
	require.JSONEq(t, `{"awb":"Docket","charges":["Freight, net","GST"]}`, string(text))
	for written, want := range map[string]domain.Columns{
		string(text):                             columns,
		`null`:                                   nil,
		`{}`:                                     {},
		`{"charges":"Freight"}`:                  {"charges": "Freight"},
		`{"charges":["Freight"],"utr":"Ref no"}`: {"charges": "Freight", "utr": "Ref no"},
	} {
		var read domain.Columns
		require.NoError(t, json.Unmarshal([]byte(written), &read), written)
		require.Equal(t, want, read, written)
	}
	for _, wrong := range []string{`[]`, `{"awb":["a"]}`, `{"awb":5}`, `{"charges":[5]}`} {
		var read domain.Columns
		require.Error(t, json.Unmarshal([]byte(wrong), &read), wrong)
	}
}

// TestFindColumns holds how a name that a person gave is compared with a header.
func TestFindColumns(t *testing.T) {
	header := []string{"AWB No", "Date आदेश", "Date भुगतान ", "राशि (₹)", "Amt ₹", "amt", "₹"}
	keys := make([]string, len(header))
	for i := range header {
		keys[i] = domain.HeaderKey(header[i])
	}
	for name, want := range map[string][]int{
		"awb_no*": {0}, "Date भुगतान": {2}, "DATE  भुगतान": {2}, "Date वापसी": nil, "Date": {1, 2}, "राशि": {3}, "AMT": {4, 5}, "amt": {5}, "₹": {6}, "": nil, "*": nil,
	} {
		require.Equal(t, want, domain.FindColumns(header, keys, name), name)
	}
}
