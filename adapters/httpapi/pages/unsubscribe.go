package pages

import (
	"net/http"
	"strconv"
)

// Unsubscription is what the page about a link in a mail says. A blank Email stands for a
// link that is not valid.
type Unsubscription struct {
	Email   string
	Digests bool // the link ends digests, or else alerts
	Done    bool
}

// ServeUnsubscription answers with the page. Its form goes to the address of the page itself.
func ServeUnsubscription(w http.ResponseWriter, u Unsubscription) error {
	page, err := render("unsubscribe.html", u)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", pageType)
	h.Set("Content-Length", strconv.Itoa(len(page)))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address has the token
	setPageHeaders(h, formPolicy)
	_, _ = w.Write(page) // it fails only if the client has left
	return nil
}
