// Package http3 stands in for HTTP/3, which gin imports and Milaan does not use.
package http3

import (
	"errors"
	"net/http"
)

func ListenAndServeQUIC(string, string, string, http.Handler) error {
	return errors.New("Milaan has no HTTP/3")
}
