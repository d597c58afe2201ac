package httpapi_test

import (
	"bytes"
	"fmt"
	"io"
	std "mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/multipart"
	"milaan/tests/only"
)

// part is a part with a name and a text, between two boundaries.
func part(name, text string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n"
}

const end = "--b--\r\n"

func TestWhatProgramsSend(t *testing.T) {
	var body bytes.Buffer
	w := std.NewWriter(&body)
	file := only.Value(w.CreateFormFile("orders", `orders "März" 2026.csv`))(t)
	require.NoError(t, only.Err(io.WriteString(file, "Name,Total\r\n#1,5\r\n")))
	require.NoError(t, w.WriteField("brand", ""))
	require.NoError(t, w.WriteField("brand", "--"+w.Boundary()+"x"))
	require.NoError(t, w.Close())
	got := only.Value(multipart.Split(body.Bytes(), w.Boundary()))(t)
	require.Equal(t, []string{"orders=Name,Total\r\n#1,5\r\n", "brand=", "brand=--" + w.Boundary() + "x"}, plainly(got))
	require.Same(t, &body.Bytes()[bytes.Index(body.Bytes(), []byte("Name,Total"))], &got[0].Content[0], "nothing is copied")
	require.Equal(t, len(got[0].Content), cap(got[0].Content), "the parts have no room behind them")

	for body, want := range map[string][]string{
		end:                                    {},
		"\r\n" + part("a", "x") + "--b--":      {"a=x"},
		part("a", "\r\n\r\n") + "--b-- \t\r\n": {"a=\r\n\r\n"},
		part("a", "\r\n--bc\r\n--b\r") + end:   nil,
		part("a", "\r\n--bc\r\n--c") + end:     {"a=\r\n--bc\r\n--c"},
		"--b \t\r\nCONTENT-disposition: Form-Data; filename=\"a;b.csv\"; name=orders\r\nContent-Type: text/csv\r\nX-Any: 1\r\n\r\nx\r\n" + end: {"orders=x"},
		"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--b--":                                                                           {"a="},
		"--b\r\nContent-Transfer-Encoding: 8BIT\r\nContent-Disposition: form-data; name=\"a\"; filename=\"₹.csv\"\r\n\r\nx\r\n" + end:          {"a=x"},
	} {
		got, err := multipart.Split([]byte(body), "b")
		if want == nil {
			require.Error(t, err, "%q", body)
			continue
		}
		require.NoError(t, err, "%q", body)
		require.Equal(t, want, plainly(got), "%q", body)
	}
}

func plainly(all []multipart.Part) []string {
	texts := []string{}
	for _, p := range all {
		texts = append(texts, p.Name+"="+string(p.Content))
	}
	return texts
}

func TestWhatIsRefused(t *testing.T) {
	header := func(lines ...string) string { return "--b\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\nx\r\n" + end }
	const named = `Content-Disposition: form-data; name="a"`
	for body, want := range map[string]error{
		"":                                    multipart.ErrStart,
		"--":                                  multipart.ErrStart,
		"--c\r\n":                             multipart.ErrStart,
		"--b":                                 multipart.ErrStart,
		"--bx\r\n":                            multipart.ErrStart,
		"--b\nContent":                        multipart.ErrStart,
		"preamble\r\n" + part("a", "x") + end: multipart.ErrStart,
		"\r\n\r\n" + part("a", "x") + end:     multipart.ErrStart,
		part("a", "x"):                        multipart.ErrCutShort,
		part("a", "x") + "--b":                multipart.ErrCutShort,
		part("a", "x") + "--b-":               multipart.ErrCutShort,
		part("a", "x") + "--bb--":             multipart.ErrCutShort,
		part("a", "--b\n") + end:              multipart.ErrCutShort,
		part("a", "--b--b") + end:             multipart.ErrCutShort,
		"--b\r\n" + named:                     multipart.ErrCutShort,
		"--b\r\n" + named + "\r\n\r\nx":       multipart.ErrCutShort,
		part("a", "x") + end + "after":        multipart.ErrAfter,
		part("a", "x") + end + part("a", "x") + end: multipart.ErrAfter,
		strings.Repeat(part("a", ""), 100) + end:    nil,
		strings.Repeat(part("a", ""), 101) + end:    multipart.ErrMany,

		header():                                            multipart.ErrHeader,
		header("Content-Type: text/csv"):                    multipart.ErrHeader,
		header(named, named):                                multipart.ErrHeader,
		header(named, " folded"):                            multipart.ErrHeader,
		header("Content-Disposition: form-data"):            multipart.ErrHeader,
		header(`Content-Disposition: form-data; name=""`):   multipart.ErrHeader,
		header(`Content-Disposition: attachment; name="a"`): multipart.ErrHeader,
		header(`Content-Disposition: form-data; name="a`):   multipart.ErrHeader,
		header(named, "no colon"):                           multipart.ErrHeader,
		header(named, ": x"):                                multipart.ErrHeader,
		header(named, "X Y: x"):                             multipart.ErrHeader,
		header(named, "X: a\x00b"):                          multipart.ErrHeader,
		header(named, "X: "+strings.Repeat("x", 3000)):      nil,
		header(named, "X: "+strings.Repeat("x", 4096)):      multipart.ErrHeader,
		header(named, strings.Repeat("X", 50<<10)):          multipart.ErrHeader,
		"--b\r\n" + strings.Repeat("X", 50<<10):             multipart.ErrHeader,

		header(named, "Content-Type: Multipart/Mixed; boundary=c"):   multipart.ErrNested,
		header(named, "Content-Transfer-Encoding: base64"):           multipart.ErrEncoded,
		header(named, "Content-Transfer-Encoding: Quoted-Printable"): multipart.ErrEncoded,
		header(named, "Content-Transfer-Encoding: binary"):           nil,
	} {
		got, err := multipart.Split([]byte(body), "b")
		require.ErrorIs(t, err, want, "%.200q", body)
		if err != nil {
			require.Nil(t, got)
		}
	}
}

// TestNoBoundary holds that a body cannot be split by nothing, even if it could be.
func TestNoBoundary(t *testing.T) {
	_, err := multipart.Split([]byte("--\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n----"), "")
	require.ErrorIs(t, err, multipart.ErrStart)
}

// TestTextLikeBoundaries holds that many texts that begin like the boundary take no more
// than a pass over the body.
func TestTextLikeBoundaries(t *testing.T) {
	for _, unit := range []string{"\r\n--bx", "\r\n--", "\r\n--\r\n", "\r", "--b", "\r\n--bb\r\n"} {
		text := "x" + strings.Repeat(unit, 4<<20/len(unit))
		got, err := multipart.Split([]byte(part("a", text)+end), "b")
		require.NoError(t, err, "%q", unit)
		require.Equal(t, []string{"a=" + text}, plainly(got))
	}
}

// FuzzSplit holds that whatever Split accepts, mime/multipart splits into the same parts.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{end, part("a", "x") + end, part("a", "\r\n--bc") + part("b", "") + "--b-- \r\n", "\r\n" + part("a", "x") + "--b--",
		"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--b\r\nContent-Disposition: form-data; name*=utf-8''b\r\n\r\n\r\n--b--", part("a", "x\r\n--b-") + end, part("a", "x\r\n--b \n") + end, part("a", "--b\n") + end, part("a\\\"b", "\n--b--") + end} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := multipart.Split(body, "b")
		if err != nil {
			return
		}
		want := []string{}
		for r := std.NewReader(bytes.NewReader(body), "b"); ; {
			p, err := r.NextRawPart()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, "%q", body)
			text, err := io.ReadAll(p)
			require.NoError(t, err, "%q", body)
			want = append(want, fmt.Sprintf("%s=%s", p.FormName(), text))
		}
		require.Equal(t, want, plainly(got), "%q", body)
	})
}
