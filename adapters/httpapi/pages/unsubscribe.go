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
func ServeUnsubscription(w http.ResponseWriter, u Unsubscription) {
	page := u.page()
	h := w.Header()
	h.Set("Content-Type", pageType)
	h.Set("Content-Length", strconv.Itoa(len(page)))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address has the token
	setPageHeaders(h, formPolicy)
	_, _ = w.Write(page) // it fails only if the client has left
}

func (u Unsubscription) page() []byte {
	kind := "alerts about the autopilot"
	if u.Digests {
		kind = "digests of the week"
	}
	var text markup
	switch {
	case u.Done:
		text = markupf(`<p role="status">Done: <strong>%v</strong> gets no more %v. `+
			"They can be switched on again under Autopilot, after signing in.</p>", u.Email, kind)
	case u.Email != "":
		text = markupf(`<p>Should <strong>%v</strong> get no more %v?</p>
<form method="post"><button class="button">Send no more</button></form>`, u.Email, kind)
	default:
		text = `<p role="alert">This link is not valid. Open the link of the latest mail, ` +
			"or switch mails off under Autopilot, after signing in.</p>"
	}
	return frame(english, "Mails · Milaan", "", markupf(`<main id="main" class="wide">
<h1>Mails from Milaan</h1>
%v
</main>
`, text))
}
