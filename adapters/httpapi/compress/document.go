package compress

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Document is a text that clients keep. They revalidate it by its hash, which is another one
// for the compressed text.
type Document struct {
	contentType, etag string // the etag without its quotes
	text              []byte
	small             func() []byte
}

// NewDocument makes a document. It is compressed when that is first asked for.
func NewDocument(contentType string, text []byte) *Document {
	sum := sha256.Sum256(text)
	return &Document{
		contentType: contentType, etag: base64.RawURLEncoding.EncodeToString(sum[:15]), text: text,
		small: sync.OnceValue(func() []byte { return Small(text) }),
	}
}

// ServeHTTP answers with the document.
func (d *Document) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.Serve(w, r, http.StatusOK) }

// Serve answers with the document and a status. Clients keep it with the status 200 alone.
func (d *Document) Serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	body, etag, accepted := d.text, `"`+d.etag+`"`, accepts(r) // of HEAD too, whose headers are those of GET
	if accepted {
		etag = `"` + d.etag + `-gzip"`
	}
	h.Set("Cache-Control", "no-cache")
	if status == http.StatusOK {
		h.Set("ETag", etag)
		if known := r.Header.Get("If-None-Match"); known == "*" || strings.Contains(known, etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", d.contentType)
	if accepted {
		h.Set("Content-Encoding", "gzip")
		body = d.small()
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // it fails only if the client has left
}
