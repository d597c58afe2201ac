package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"milaan/ports/peers"
)

// Language returns the code of the first language of Accept-Language that the service
// speaks; en if there is none. A page sends its own language alone; what a browser sends is
// in the order of its reader's wishes.
func (d *Dashboard) Language(r *http.Request) string {
	known := d.Languages.All()
	for wish := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		code, _, _ := strings.Cut(wish, ";")
		code, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(code)), "-")
		if slices.ContainsFunc(known, func(l peers.Language) bool { return l.Code == code }) {
			return code
		}
	}
	return "en"
}

// Words returns the words of a request's language.
func (d *Dashboard) Words(r *http.Request) peers.Wording { return d.Languages.In(d.Language(r)) }

// Names returns how sentences for the page of a request name things.
func (d *Dashboard) Names(r *http.Request) peers.Names { return d.Languages.Names(d.Language(r)) }
