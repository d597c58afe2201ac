package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports/peers"
)

// Language returns the code of the first language of Accept-Language that the service
// speaks; en if there is none, and for programs. A page sends its own language alone; what a
// browser sends is in the order of its reader's wishes.
func (d *Dashboard) Language(r *http.Request) string {
	if ForPrograms(r.URL.Path) {
		return "en"
	}
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

func (d *Dashboard) Words(r *http.Request) peers.Wording { return d.Languages.In(d.Language(r)) }

// Names returns how sentences in the answer to a request name things.
func (d *Dashboard) Names(r *http.Request) peers.Names {
	if ForPrograms(r.URL.Path) {
		return d.server.ProgramNames()
	}
	return d.Languages.Names(d.Language(r))
}

// filesKey is the key of FilesCalled in the context of a request.
type filesKey struct{}

// FilesCalled returns a request whose refusals call files what called returns for them; blank: what
// Names calls them.
func FilesCalled(r *http.Request, called func(f domain.File, report int) string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), filesKey{}, called))
}

// fileNames has the names under which a person knows the files of a request.
type fileNames struct {
	peers.Names
	called func(f domain.File, report int) string
}

func (n fileNames) File(f domain.File, report int) string {
	return cmp.Or(n.called(f, report), n.Names.File(f, report))
}

// NamesInRefusals is Names for what is wrong with files.
func (d *Dashboard) NamesInRefusals(r *http.Request) peers.Names {
	called, known := r.Context().Value(filesKey{}).(func(domain.File, int) string)
	if !known {
		return d.Names(r)
	}
	return fileNames{d.Names(r), called}
}
