package pages

import (
	"fmt"
	"strings"
)

// markup is a piece of a page. The pages are not made by html/template: it calls methods by
// name, and then the linker keeps every method of every type (decision 20).
type markup string

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD")

// markupf puts values into a piece of a page, each for a %v. What is no markup itself is escaped,
// so that it stays a text between tags, or the value of an attribute in double quotes. It may
// stand nowhere else.
func markupf(form string, values ...any) markup {
	for i, v := range values {
		if _, safe := v.(markup); !safe {
			values[i] = escaped.Replace(fmt.Sprint(v))
		}
	}
	return markup(fmt.Sprintf(form, values...))
}

func each[T any](things []T, piece func(T) markup) markup {
	var all strings.Builder
	for _, thing := range things {
		all.WriteString(string(piece(thing)))
	}
	return markup(all.String())
}

// when is a piece of a page that is left out if it is not so.
func when(so bool, piece markup) markup {
	if !so {
		return ""
	}
	return piece
}
