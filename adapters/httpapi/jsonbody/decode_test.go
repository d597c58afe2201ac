package jsonbody_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/only"
)

// plain is the same request for encoding/json alone: what Decode must equal.
type plain struct {
	Shopify     *string        `json:"shopify"`
	Courier     *string        `json:"courier"`
	CourierName *string        `json:"courierName"`
	Brand       *string        `json:"brand"`
	Columns     plainColumns   `json:"columns"`
	OverdueDays *float64       `json:"overdue_threshold_days"`
	MinorGap    *float64       `json:"minor_gap_threshold"`
	Charges     *string        `json:"charges"`
	Mapping     *string        `json:"mapping"`
	Bank        *string        `json:"bank"`
	Previous    *string        `json:"previous"`
	Reports     []*plainReport `json:"reports"`
	Include     []plainName    `json:"include"`
}

type plainReport struct {
	Courier     *string      `json:"courier"`
	CourierName *string      `json:"courierName"`
	Columns     plainColumns `json:"columns"`
	Mapping     *string      `json:"mapping"`
}

// plainColumns are columns, of which those of charges may be a list.
type plainColumns map[string]*plainColumn

type plainColumn struct {
	text string
	list bool
}

func (c *plainColumn) UnmarshalJSON(text []byte) error {
	*c = plainColumn{list: text[0] == '['}
	if !c.list {
		return json.Unmarshal(text, &c.text)
	}
	var names []*string
	err := json.Unmarshal(text, &names)
	var kept []string
	for _, name := range names {
		if name == nil {
			return errors.New("a string was expected")
		}
		if len(kept) <= verdict.MaxCharges {
			kept = append(kept, *name)
		}
	}
	c.text = domain.JoinColumns(kept)
	return err
}

func (c plainColumns) read() map[string]string {
	if c == nil {
		return nil
	}
	all := map[string]string{}
	for role, column := range c {
		switch {
		case column == nil:
			all[role] = ""
		case !column.list || column.text != "":
			all[role] = column.text
		}
	}
	return all
}

// wrong says whether a list stands where a text should.
func (c plainColumns) wrong() bool {
	for role, column := range c {
		if column != nil && column.list && role != "charges" {
			return true
		}
	}
	return false
}

// plainName is a name of include, which null is none of.
type plainName string

func (n *plainName) UnmarshalJSON(text []byte) error {
	if text[0] != '"' {
		return errors.New("a string was expected")
	}
	return json.Unmarshal(text, (*string)(n))
}

// fields is what Decode should return.
func (p plain) fields() jsonbody.Fields {
	f := jsonbody.Fields{
		Shopify: value(p.Shopify), Courier: value(p.Courier), Bank: value(p.Bank), Previous: value(p.Previous), CourierName: string(value(p.CourierName)),
		Brand: string(value(p.Brand)), Columns: p.Columns.read(), OverdueDays: p.OverdueDays, MinorGap: p.MinorGap,
		Charges: p.Charges, Mapping: string(value(p.Mapping)),
	}
	if p.Reports != nil {
		f.Reports = []jsonbody.Report{}
	}
	for i, r := range p.Reports {
		if i == domain.MaxReports {
			f.Reports = append(f.Reports, jsonbody.Report{})
			break
		}
		f.Reports = append(f.Reports, jsonbody.Report{Courier: value(r.Courier), CourierName: string(value(r.CourierName)), Columns: r.Columns.read(), Mapping: string(value(r.Mapping))})
	}
	for _, name := range p.Include {
		all, unknown := domain.ParseInclude([]string{string(name)})
		if f.Include |= all; f.NotIncluded == nil && (unknown != "" || name == "") {
			f.NotIncluded = new(domain.Shortened(string(name)))
		}
	}
	return f
}

// seeds are bodies in which a scanner of its own may go astray.
var seeds = []string{
	`{"shopify":"Name,Total\n#1,5\n","courier":"AWB No\r\n1","brand":"b","courierName":"dtdc","overdue_threshold_days":7,"minor_gap_threshold":2.0,"columns":{"awb":"Docket"}}`,
	`{"mapping":"a"}`, `{"mapping":null}`, `{"mapping":7}`, `{"reports":[{"mapping":"b"},{"mapping":"c","mapping":[]}],"mapping":"\u20b9"}`,
	`{"charges":"accept"}`, `{"charges":""}`, `{"charges":null}`, `{"charges":"flag","charges":5}`, `{"CHARGES":"flag"}`, `{"reports":[{"charges":"flag"}],"\u0063harges":"\u20b9"}`,
	`{}`, ``, ` `, `null`, `5`, `"shopify"`, `[]`, `["shopify","x"]`, `["shopify":"x"]`, `true`, `{`, `}`, `{"`, `{"shopify`, `{"shopify"`, `{"shopify":`, `{"shopify":"`, `{"shopify":"\`, `{"shopify":"\u00`,
	`{"shopify":"a"}`, `{"shopify":"a"} `, `{"shopify":"a"}x`, `{"shopify":"a"}{}`, `{"shopify":"a",}`, `{,"shopify":"a"}`, `{"shopify" "a"}`, `{"shopify":"a" "b"}`, `{"shopify":"a":"b"}`, `{"shopify"::"a"}`, `{"shopify","a"}`,
	`{"shopify":null}`, `{"shopify":"a","shopify":null}`, `{"shopify":null,"shopify":"a"}`, `{"shopify":"a","shopify":"b"}`, `{"shopify":"a","SHOPIFY":"b"}`, `{"\u0073hopify":"a"}`, `{"ſhopify":"a"}`, `{"\u017fhopify":"a"}`, `{"shopify\u0000":"a"}`, `{"shopify ":"a"}`, `{"courier":"a","courierName":"b"}`, `{"COURIER":"a","CourierNAME":"b"}`,
	`{"shopify":5}`, `{"shopify":"a","shopify":5}`, `{"shopify":5,"shopify":"a"}`, `{"shopify":{"shopify":"a"}}`, `{"shopify":["a"]}`, `{"x":{"shopify":"a"},"shopify":"b"}`, `{"x":["shopify",{"courier":"\n"}],"courier":"c"}`, `{"brand":"shopify","courier":"x"}`, `{"x":"shopify","y":"z"}`,
	`{"shopify":"\"\\\/\b\f\n\r\t"}`, `{"shopify":"\u20b9 \u0041 \u00e9"}`, `{"shopify":"\ud83d\ude00"}`, `{"shopify":"\ud83d"}`, `{"shopify":"\ude00\ud83d"}`, `{"shopify":"\ud83dx\ude00"}`, `{"shopify":"\ud83d\n"}`, `{"shopify":"\ud83d\u12"}`, `{"shopify":"\uD83D\uDE00\uD83D"}`, `{"shopify":"\x"}`, `{"shopify":"\u12g4"}`, `{"shopify":"\U0041"}`, `{"shopify":"\u0000"}`,
	"{\"shopify\":\"a\nb\"}", "{\"shopify\":\"a\x00b\"}", "{\"shopify\":\"a\x1fb\"}", "{\"shopify\":\"a\x7fb\"}", "{\"brand\":\"a\nb\"}", "{\"shopify\":\"\xff\"}", "{\"shopify\":\"\xe2\x82\"}", "{\"shopify\":\"\xe2\x82\\u00b9\"}", "{\"shopify\":\"\\u00e9\xa9\"}", "{\"shopify\":\"₹\xf0\x9f\x98\"}", "{\"shopify\":\"\xed\xa0\x80\"}", "{\"shop\xffify\":\"a\"}", "{\"brand\":\"\xff\"}", "{\"columns\":{\"\xff\":\"\xfe\"}}",
	"\xef\xbb\xbf{\"shopify\":\"a\"}", "\x00", "{\"shopify\":\"a\"}\x00", "{\x00}", `{"shopify":"a"` + "\xff}", `\"{"shopify":"a"}`, `{\"shopify":"a"}`, `{"a\":"shopify":"x"}`, `{"a":"\"","shopify":"x\"y"}`, `{"a":"\\","shopify":"x\\"}`,
	`{"columns":{"a":"1"},"columns":{"b":"2"}}`, `{"columns":{"a":5}}`, `{"columns":{"a":null}}`, `{"columns":{"charges":["Freight","GST"]}}`, `{"columns":{"charges":[]}}`, `{"columns":{"charges":["a",5]}}`, `{"columns":{"charges":["",""]}}`, `{"columns":{"charges":["","a",""]}}`, `{"columns":{"charges":[null]}}`, `{"columns":{"charges":"Freight"}}`, `{"columns":{"awb":["a"]}}`, `{"columns":{"\u0063harges":["\n\u20b9"]}}`, `{"reports":[{"columns":{"charges":["a","b"]}}]}`, `{"columns":[]}`, `{"columns":null}`, `{"columns":"x"}`,
	`{"overdue_threshold_days":"7"}`, `{"overdue_threshold_days":7e0}`, `{"overdue_threshold_days":7.5}`, `{"overdue_threshold_days":1e999}`, `{"overdue_threshold_days":07}`, `{"minor_gap_threshold":null}`, `{"minor_gap_threshold":-0}`,
	`{"x":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `,"shopify":"a"}`,
	`{"x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `,"shopify":"a"}`,
	`{"shopify":"` + strings.Repeat("x", 70) + `\n` + strings.Repeat("y", 33) + `₹` + strings.Repeat("\\\"", 40) + `"}`,
	`{"shopify":"a","reports":[{"courier":"x\ny","courierName":"dtdc","columns":{"awb":"A"}},{"courier":"\u20b9","x":[{"courier":"no"}]}],"bank":"d\te","include":["payouts","lines"]}`,
	`{"reports":[]}`, `{"reports":null}`, `{"reports":[{}]}`, `{"reports":[null]}`, `{"reports":[{"courier":null}]}`, `{"reports":[{"courier":"a","courier":"b"},{"courier":"c","courier":null}]}`, `{"reports":[{"courier":5},7,"x",["courier","y"],{"courierName":[]}]}`, `{"reports":{"courier":"a"}}`, `{"reports":{"a":{"courier":"b\n"}}}`, `{"reports":"courier"}`,
	`{"reports":[[{"courier":"a"}]]}`, `{"reports":[["courier","a"]]}`, `{"reports":[{"x":{"courier":"a\n"},"courier":"b"}]}`, `{"reports":[{"courier":{"courier":"a"}}]}`, `{"reports" : [ {"courier" : "a" } , { "courier":"b"} ] }`, `{"reports":[{"courier":"a"}{"courier":"b"}]}`, `{"reports":[{"courier":"a"},]}`, `{"reports":[,{"courier":"a"}]}`, `{"reports":[{"courier":"a\q"}]}`, `{"reports":[{"courier":"a`, `{"reports":[{"courier":"a"`, `{"reports":[{"courier":"a"}`,
	`{"reports":[{"courier":"a"}],"reports":[{},{"courier":"b"}]}`, `{"reports":[{"courier":"a"}],"reports":null}`, `{"reports":[{"courier":"a"}],"reports":5}`, `{"\u0072eports":[{"\u0063ourier":"a"}]}`, `{"x":[{"courier":"a\n"}],"courier":"b"}`, `{"reports":[1],"courier":"b","shopify":"c"}`, `["reports",[{"courier":"a"}]]`, "{\"reports\":[{\"courier\":\"\xff\"},{\"courier\":\"\xe2\x82\"}]}", `{"bank":5}`, `{"bank":"a","bank":"b"}`, `{"previous":5}`, `{"previous":"a\nb","bank":"c"}`,
	`{"include":[]}`, `{"include":null}`, `{"include":"payouts"}`, `{"include":["payout"]}`, `{"include":["payouts","payouts"]}`, `{"include":[""]}`, `{"include":[5]}`, `{"include":[null]}`, `{"include":["x",5]}`, `{"include":["","payouts","x"]}`, `{"include":["\u0070ayouts"]}`, `{"include":[["payouts"]]}`, `{"include":["lines"],"include":["orders"]}`,
	`{"reports":[` + strings.Repeat(`{"courier":"a"},`, 20) + `{"courier":"b"}]}`, `{"reports":[` + strings.Repeat(`{"courier":"a"},`, 21) + `{"courier":"c"}]}`, `{"reports":[` + strings.Repeat(`{},`, 30) + `{"courier":"b\n"}],"courier":"c"}`,
	`{"s\u0068\u006f\u0070\u0069\u0066\u0079":"a","\u0073\u0068\u006f\u0070\u0069\u0066\u0079":"b","\u0073\u0068\u006f\u0070\u0069\u0066\u0079\u0079":"c"}`,
}

// equal decodes text both ways and fails if the two differ in anything.
func equal(t *testing.T, text string) {
	t.Helper()
	var want plain
	wantErr := json.Unmarshal([]byte(text), &want)
	if wantErr == nil && slices.Contains(want.Reports, nil) {
		wantErr = errors.New("a report must not be null")
	}
	if want.Columns.wrong() || slices.ContainsFunc(want.Reports, func(r *plainReport) bool { return r != nil && r.Columns.wrong() }) {
		wantErr = errors.New("a list of columns that are not charges")
	}
	var got jsonbody.Fields
	err := jsonbody.Decode([]byte(text), &got)
	for _, piece := range []int{1, 2, 3, 16, 61} {
		var pieced jsonbody.Fields
		require.Equal(t, err, decodePieces(text, piece, &pieced), "in pieces of %d", piece)
		require.Equal(t, got, pieced, "in pieces of %d", piece)
	}
	if misspelt(text) {
		return // encoding/json takes such names, and TestNamesMatchInTheirCase holds what happens here
	}
	if strings.Count(text, "eports") > 1 && wantErr == nil {
		return // encoding/json mixes two arrays of one name, and TestReports holds what happens here
	}
	if wantErr != nil || strings.Trim(text, " \n\r\t") == "null" { // of which encoding/json makes an empty object
		require.Error(t, err, "encoding/json says: %v", wantErr)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want.fields(), got)
}

// misspelt says that a name of the object, or of a report, differs from a field's in case
// alone.
func misspelt(text string) bool {
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte(text), &members)
	for name, value := range members {
		for field := range reflect.TypeFor[plain]().Fields() {
			if known := field.Tag.Get("json"); name != known && strings.EqualFold(name, known) {
				return true
			}
		}
		var reports []json.RawMessage
		if name == "reports" {
			_ = json.Unmarshal(value, &reports)
		}
		if slices.ContainsFunc(reports, func(report json.RawMessage) bool { return misspelt(string(report)) }) {
			return true
		}
	}
	return false
}

// decodePieces decodes text as it might arrive, in a buffer that moves as it
// grows.
func decodePieces(text string, piece int, fields *jsonbody.Fields) error {
	var d jsonbody.Decoder
	var buf []byte
	for len(buf) < len(text) {
		buf = append(buf, text[len(buf):min(len(buf)+piece, len(text))]...)
		d.Arrived(buf)
	}
	return d.Finish(buf, fields)
}

// value is nil for a text that is not there.
func value(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}

func TestDecodesAsEncodingJSONDoes(t *testing.T) {
	for i, text := range seeds {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			equal(t, text)
		})
	}
}

func TestNamesMatchInTheirCase(t *testing.T) {
	for _, name := range []string{"Shopify", "SHOPIFY", "ſhopify", `\u017fhopify`, `\u0053hopify`, "Courier", "couriername", "CourierName", "Brand", "Columns", "Overdue_threshold_days", "minor_gap_Threshold"} {
		for _, value := range []string{`"x"`, `5`, `{"awb":"x"}`, `[[]]`, `null`} {
			var got jsonbody.Fields
			require.NoError(t, jsonbody.Decode([]byte(`{"shopify":"s","`+name+`":`+value+`,"courier":"c"}`), &got), name)
			require.Equal(t, jsonbody.Fields{Shopify: []byte("s"), Courier: []byte("c")}, got, name)
		}
	}
	var got jsonbody.Fields
	require.NoError(t, jsonbody.Decode([]byte(`{"\u0073hopify":"s","\u0063ourier":"c","couri\u0065rName":"n","br\u0061nd":"b"}`), &got))
	require.Equal(t, jsonbody.Fields{Shopify: []byte("s"), Courier: []byte("c"), CourierName: "n", Brand: "b"}, got, "an escape is another way to write the same letter")
	require.EqualError(t, jsonbody.Decode([]byte(`{"Brand":"b","shopify":tru}`), new(jsonbody.Fields)), "invalid character '}' in literal true (expecting 'e') (at byte 27)")
}

// TestLongStringsAreCut reads strings that no field may be as long as. What is
// after them is read as ever, and a fault in them is found.
func TestLongStringsAreCut(t *testing.T) {
	for _, unit := range []string{"x", `\n`, `\u0041`, "\xff", "₹", `\ud83d\ude00`, `\\`, `\"`} {
		for _, length := range []int{1, 8191, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8210, 100_000} {
			long := strings.Repeat("a", length%7) + strings.Repeat(unit, length/len(unit))
			for _, text := range []string{`{"brand":"` + long + `","shopify":"s","courier":"c"}`, `{"` + long + `":1,"shopify":"s","x":["` + long + `"],"courier":"c"}`} {
				for _, piece := range []int{1, 7, 8192, 1 << 20} {
					var got jsonbody.Fields
					require.NoError(t, decodePieces(text, piece, &got), "%.20q of %d", unit, length)
					require.Equal(t, "s", string(got.Shopify))
					require.Equal(t, "c", string(got.Courier))
					require.LessOrEqual(t, len(got.Brand), 3*8192)
					if length < 8000 && strings.HasPrefix(text, `{"brand"`) {
						var whole plain
						require.NoError(t, json.Unmarshal([]byte(text), &whole))
						require.Equal(t, *whole.Brand, got.Brand)
					} else if length > 9000 && strings.HasPrefix(text, `{"brand"`) {
						require.Greater(t, len(got.Brand), 1000)
					}
				}
			}
		}
	}
	for fault, says := range map[string]string{
		"\n": `invalid character '\n' in string literal (at byte 20011)`, `\q`: "invalid character 'q' in string escape code (at byte 20012)",
		`\u12g4`: "invalid character 'g' in \\u hexadecimal character escape (at byte 20015)", "": "unexpected end of JSON input (at byte 20010)",
	} {
		text := `{"brand":"` + strings.Repeat("x", 20_000) + fault
		for _, piece := range []int{1000, 1 << 20} {
			require.EqualError(t, decodePieces(text, piece, new(jsonbody.Fields)), says)
		}
	}
}

// TestReports is about reports that encoding/json would read otherwise, and about faults of
// their fields.
func TestReports(t *testing.T) {
	read := func(text string) (f jsonbody.Fields, err error) {
		for _, piece := range []int{1, 5, 1 << 20} {
			f = jsonbody.Fields{}
			err = decodePieces(text, piece, &f)
		}
		return f, err
	}
	f := only.Value(read(`{"reports":[{"courier":"a","courierName":"x"},{"courier":"b"}],"reports":[{},{"courier":"c\td"}]}`))(t)
	require.Equal(t, []jsonbody.Report{{}, {Courier: []byte("c\td")}}, f.Reports, "the last array counts as a whole")
	f, err := read(`{"reports":[{"courier":"a","courierName":5,"columns":[],"Courier":1,"shopify":{}},"x",{"courier":[],"courier":"b","courierName":6,"courierName":[]}],"brand":[],"include":[1]}`)
	require.Equal(t, jsonbody.TypeError{
		{Field: "brand", Type: "array"}, {Field: "include", Type: "number"},
		{Field: "courierName", Type: "number", Report: 1}, {Field: "columns", Type: "array", Report: 1}, {Field: "reports", Type: "string", Report: 2},
		{Field: "courier", Type: "array", Report: 3}, {Field: "courierName", Type: "number", Report: 3},
	}, err)
	require.Equal(t, []jsonbody.Report{{Courier: []byte("a")}, {}, {Courier: []byte("b")}}, f.Reports)
	f = only.Value(read(`{"reports":[` + strings.Repeat(`{"courier":"a"},`, 99_999) + `{}]}`))(t)
	require.Len(t, f.Reports, 21, "one more than there may be")
	_, err = read(`{"reports":[` + strings.Repeat(`{"courier":"a\nb","x":"y"},`, 20) + `{"courier":"a","x":tru}]}`)
	require.EqualError(t, err, "invalid character '}' in literal true (expecting 'e') (at byte 575)")
}

func TestManyColumns(t *testing.T) {
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, `,"%d":""`, i)
	}
	var got jsonbody.Fields
	require.NoError(t, jsonbody.Decode([]byte(`{"columns":{`+text.String()[1:]+`}}`), &got))
	require.Len(t, got.Columns, 11, "one more than there are roles")
	require.NoError(t, jsonbody.Decode([]byte(`{"columns":{`+strings.Repeat(`"awb":"x",`, 1000)+`"awb":"y"}}`), &got))
	require.Equal(t, map[string]string{"awb": "y"}, got.Columns, "the last of a name counts")
}

// TestTextsBeyondUTF8AreHeldToTheSameSize is about bytes that take three once
// U+FFFD stands for them.
func TestTextsBeyondUTF8AreHeldToTheSameSize(t *testing.T) {
	invalid := func(n int) string { return strings.Repeat("\xff", n) }
	var got jsonbody.Fields
	require.NoError(t, jsonbody.Decode([]byte(`{"shopify":"`+invalid(jsonbody.MaxTexts/3)+`"}`), &got))
	require.Len(t, got.Shopify, jsonbody.MaxTexts/3*3)
	for _, text := range []string{
		`{"shopify":"` + invalid(jsonbody.MaxTexts/3+1) + `"}`,
		`{"shopify":"` + invalid(jsonbody.MaxTexts/6+1) + `","courier":"` + invalid(jsonbody.MaxTexts/6+1) + `"}`,
		`{"courier":"` + strings.Repeat("x", 20<<20) + invalid(2<<20) + `","x":}`,
		`{"shopify":"` + invalid(4<<20) + `","reports":[{"courier":"` + invalid(3<<20) + `"},{"courier":"` + invalid(3<<20) + `"}]}`,
		`{"shopify":"` + strings.Repeat("x", 20<<20) + `","bank":"` + invalid(2<<20) + `"}`,
	} {
		require.ErrorIs(t, jsonbody.Decode([]byte(text), &got), jsonbody.ErrTooLarge)
	}
}

// TestTextsThatDoNotCountTakeNoRoom repeats names: what the last value replaces is not held
// to MaxTexts.
func TestTextsThatDoNotCountTakeNoRoom(t *testing.T) {
	half := strings.Repeat("x", 12<<20)
	for _, text := range []string{
		`{"courier":"` + half + `","courier":"` + half + `","courier":"` + half + `"}`,
		`{"reports":[{"courier":"` + half + `"},{"courier":"` + half + `","courier":"` + half + `"}],"reports":[{"courier":"` + half + `"}],"shopify":"` + half + `"}`,
	} {
		require.NoError(t, jsonbody.Decode([]byte(text), new(jsonbody.Fields)))
	}
}

func TestEveryByteAtEveryPlaceOfARun(t *testing.T) {
	for at := range 40 {
		for b := range 256 {
			text := bytes.Repeat([]byte("x"), 40)
			text[at] = byte(b)
			equal(t, `{"shopify":"`+string(text)+`"}`)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(equal)
}

func TestTextsStayWhereTheyLie(t *testing.T) {
	buf := []byte(`{"shopify":"one\ntwo","courier":"three"}`)
	var got jsonbody.Fields
	require.NoError(t, jsonbody.Decode(buf, &got))
	require.Same(t, &buf[bytes.Index(buf, []byte("one"))], &got.Shopify[0])
	require.Same(t, &buf[bytes.Index(buf, []byte("three"))], &got.Courier[0])
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"shopify":"a\nb\nc","courier":"d\ne",}`:   "invalid character '}' looking for beginning of object key string (at byte 39)",
		`{"shopify":"a\nb`:                          "unexpected end of JSON input (at byte 16)",
		"{\"shopify\":\"a\\nb\n\"}":                 `invalid character '\n' in string literal (at byte 17)`,
		`{"courier":"a\nb","shopify":"a\qb"}`:       "invalid character 'q' in string escape code (at byte 32)",
		`{"shopify":"a` + "\\\\" + `","brand":tru}`: "invalid character '}' in literal true (expecting 'e') (at byte 29)",
	} {
		require.EqualError(t, jsonbody.Decode([]byte(text), new(jsonbody.Fields)), want)
	}
}

// TestManyMembersAreNotDecoded counts allocations: of a million members that are
// nobody's, or one another's, nothing is made.
func TestManyMembersAreNotDecoded(t *testing.T) {
	for _, member := range []string{`,"shopify":""`, `,"brand":"b"`, `,"courierName":null`, `,"\u0073hopif":1`, `,"x":0`, `,"reports":[{"courier":"c"}]`, `,"include":["lines"]`} {
		text := []byte(`{"shopify":"s","courier":"c"` + strings.Repeat(member, 10_000) + `}`)
		buf := make([]byte, len(text))
		require.Less(t, testing.AllocsPerRun(3, func() {
			copy(buf, text)
			require.NoError(t, jsonbody.Decode(buf, new(jsonbody.Fields)))
		}), 200.0, "%s", member)
	}
}
