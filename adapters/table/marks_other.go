//go:build !amd64

package table

func mark(text []byte, into []marks, comma, eol byte) { markPlain(text, into, comma, eol) }
