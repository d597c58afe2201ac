package httpapi

import (
	"mime"
	"net/http"
	"strings"
)

// demandJSON is the first check of a POST, with the contract's 415. It reads the header
// alone.
func demandJSON(h http.Header) error {
	if len(h.Values("Content-Type")) > 1 || len(h.Values("Content-Encoding")) > 1 {
		return errMediaTwice // a proxy may read the other one, and see another body
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return errMedia
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return errMedia
	}
	if packed := h.Get("Content-Encoding"); packed != "" && !strings.EqualFold(packed, "identity") {
		return errPacked
	}
	return nil
}

// bearer returns the token of the Authorization header. ok is false unless there is
// exactly one such header, with the scheme Bearer.
func bearer(h http.Header) (token string, ok bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != "" && !strings.ContainsAny(token, " \t")
}
