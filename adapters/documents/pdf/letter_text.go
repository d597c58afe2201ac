package pdf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// textColumns is how many characters a line of a plain letter has at most, unless a word is
// longer.
const textColumns = 76

// LetterText returns a letter as plain text for an e-mail. Its lines end in \n.
func LetterText(l *Letter) string {
	c := l.compose()
	var b strings.Builder
	if name := clean(l.Branding.Name); name != "" {
		writeLines(&b, "", name)
	}
	writeLines(&b, "", c.date)
	b.WriteByte('\n')
	writeLines(&b, "", c.to...)
	b.WriteByte('\n')
	writeLines(&b, "", c.about...)
	for _, text := range c.opening {
		b.WriteByte('\n')
		writeLines(&b, "", text)
	}
	for i := range c.groups {
		writeGroup(&b, &c.groups[i])
	}
	if c.totals != nil {
		b.WriteString("\nTotals\n")
	}
	for _, total := range c.totals {
		b.WriteString("  " + total[0] + ": " + total[1] + "\n")
	}
	for _, text := range c.closing {
		b.WriteByte('\n')
		writeLines(&b, "", text)
	}
	b.WriteString("\n" + c.farewell + "\n\n\n" + strings.Repeat("_", 32) + "\n")
	writeLines(&b, "", c.signed...)
	if footer := clean(l.Branding.Footer); footer != "" {
		b.WriteByte('\n')
		writeLines(&b, "", footer)
	}
	return b.String()
}

func writeGroup(b *strings.Builder, g *group) {
	b.WriteByte('\n')
	writeLines(b, "", g.title(), g.about.Ask)
	for i, c := range g.disputes {
		b.WriteByte('\n')
		writeLines(b, "   ", strconv.Itoa(i+1)+". "+clean(c.Line))
	}
	if g.more > 0 {
		b.WriteByte('\n')
		writeLines(b, "", moreOrders(g.more))
	}
}

// writeLines writes texts in lines, between words. Lines after the first of a text begin with indent.
func writeLines(b *strings.Builder, indent string, texts ...string) {
	for _, text := range texts {
		at := 0 // characters on the line
		for i, word := range strings.Split(text, " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case at+1+n > textColumns && at > len(indent):
				b.WriteString("\n" + indent)
				at = len(indent)
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
		}
		b.WriteByte('\n')
	}
}
