package sheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageToken is a token as whoever reads a page sees it.
type pageToken struct {
	kind  html.TokenType
	raw   string
	text  string // with \n for \r\n and \r
	attrs []string
	err   string
}

// requireSameTokens holds that a page is taken apart as html.Tokenizer does it.
func requireSameTokens(t *testing.T, page []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(longestTag)
	p := pageTokens{content: page}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for {
		want, got := pageToken{kind: z.Next(), raw: string(z.Raw())}, pageToken{kind: p.next(), raw: string(p.raw())}
		note := func(to *pageToken) func(key, value []byte) {
			return func(key, value []byte) {
				if asked(key) {
					to.attrs = append(to.attrs, string(key)+"="+string(value))
				}
			}
		}
		switch want.kind {
		case html.ErrorToken:
			want.err = z.Err().Error()
			if p.odd != nil && got.kind == html.ErrorToken {
				got.err = p.odd.Err().Error()
			}
		case html.TextToken:
			want.text, got.text = lines.Replace(string(z.Text())), lines.Replace(string(p.text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			want.kind = html.StartTagToken // which of the two does not matter where the kinds may differ
			if p.odd == nil || got.kind == html.SelfClosingTagToken {
				got.kind = html.StartTagToken
			}
			name, more := z.TagName()
			switch atom.Lookup(name) {
			case atom.Table, atom.Td, atom.Th:
				for more {
					var key, value []byte
					key, value, more = z.TagAttr()
					note(&want)(key, value)
				}
				p.eachAttribute(note(&got))
			}
		}
		require.Equal(t, want, got)
		if want.kind == html.ErrorToken {
			return
		}
	}
}

// oddPages are pages that are written as few are.
var oddPages = []string{
	`<table><tr><td>1</td><td align="left" sdval="3">3 &amp; &#8377;&nbsp;</td></tr></table>`,
	"a < b <<td>x</td><td a=1 A=2 / b = 'x>y' c=d/ e>&copy=1 &notit; &#128; &#0;</td ></ td></></td x='>'>",
	`<td colspan=2/><td =a=b c="&amp;&copy=" d="&quot;"/><TD ROWSPAN = "2"id=x>`,
	"<title><td></title><script>if (a<b) '<td>'<!-- <script> </script> --></script><td></td><plaintext><td>",
	"<!doctype html><!-- x --><?xml y?><![CDATA[z]]><!><td>\r\n\x00</td>",
	"<td x", "<td x='", "<td x=", "<td x=y", "</td", "</", "<", "a<", "<!--", "<td a='\r\n'>", "<td\x01 colspan=2>", "<td \x00=1>", "<a href='?x=1&y=2'>",
	"<td" + strings.Repeat(" a", 20) + ">", strings.Repeat("<!---->", 1000) + "<td>1</td>",
}

func TestPageTokens(t *testing.T) {
	for _, page := range oddPages {
		requireSameTokens(t, []byte(page))
		requireSameTokens(t, []byte(strings.Repeat(" ", oddBytes)+page+strings.Repeat("<td>1</td>", oddBytes/5)+page))
	}
	for _, size := range []int{longestTag - 1, longestTag, longestTag + 1} {
		for _, parts := range [][2]string{{"", "<td>"}, {"<td ", ">"}, {"<td a='", "'>"}, {"<td a=", ">"}, {"</td ", ">"}, {"<!--", "-->"}, {"", ""}} {
			page := parts[0] + strings.Repeat("x", size-len(parts[0])-len(parts[1])) + parts[1]
			requireSameTokens(t, []byte(page+"<td>1</td>"))
			requireSameTokens(t, []byte(page+"xx<td>1</td>"))
		}
	}
}

// FuzzPageTokens takes pages apart by both ways.
func FuzzPageTokens(f *testing.F) {
	for _, page := range append(oddPages, excelPage) {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		requireSameTokens(t, page)
		requireSameTokens(t, append(bytes.Repeat([]byte("<td>1</td>"), oddBytes/10), page...))
	})
}

// FuzzPlainCells reads pages, and reads them once more so that no cell is taken the short way.
func FuzzPlainCells(f *testing.F) {
	for _, page := range append(oddPages, excelPage, "<table><tr><td>a</td> <td><br></td>\n<td colspan=2> b  c</td></tr>\n<tr><td x:num=1>1</td>",
		`<table><tr><td data-t="s" data-v="a&amp;b" id="sjs-A1">a&amp;b<br/>c</td><td data-t="n" data-v="1.50" id="sjs-B1">1.5</td><td data-t="n" data-v="7">7</td>`+
			"<td data-t=\"n\" data-v=\"46086\" data-z=\"yyyy-mm-dd\" id=\"sjs-C1\">x</td><td x:num=\"3\" style=\"mso-number-format:'0000'\">3, \"4\"</td><td rowspan=\"2\">r</td></tr> <tr><td>₹ a,b</td></tr></table>",
		"<table><tr><td align=\"left\"><br></td>\n\t\t<td align=\"left\"><br></td>\n\t\t<td align=\"right\" sdval=\"1\">1</td>\n\t\t<td align=\"left\"><br></td>\n\t</tr>"+
			"<tr>\n\t\t<td align=\"left\"><br></td>\n\t\t<td align=\"left\">b</td>\n\t\t<td align=\"left\"><br></td>\n\t\t<td align=\"left\"> c</td></tr></table>",
		`<table><tr><td data-v="1" data-t="n" data-v="2" id="sjs-A1" id="x" align="left">1</td><td class="x" nowrap>a</td></tr></table>`) {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		z := html.NewTokenizer(bytes.NewReader(page))
		for is := z.Next(); is != html.ErrorToken; is = z.Next() {
			if raw := z.Raw(); bytes.Contains(raw, []byte("</td>")) && (is != html.EndTagToken || string(raw) != "</td>") {
				return // it stands in a text or in a value, too
			}
		}
		texts := func(page []byte) (all [][]byte, sound bool) {
			book, err := openHTML(page, Limits{Text: 1 << 20, Claim: func(int) error { return nil }})
			if err == nil && book.Kind() == KindHTML {
				all = book.(*openedBook).texts
			}
			return all, err == nil
		}
		short, sound := texts(page)
		long, longSound := texts(bytes.ReplaceAll(page, []byte("</td>"), []byte("</td >")))
		require.Equal(t, longSound, sound)
		require.Equal(t, long, short)
	})
}
