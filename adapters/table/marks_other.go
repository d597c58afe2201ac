//go:build !amd64

package table

func mark(text []byte, into []marks, comma, eol byte) { markPlain(text, into, comma, eol) }

func (m *marker) fillFast(_ []byte, from, _ int, _ dialect) (at int) { return from }

func places(all uint64, into []uint16, from uint16) { placesPlain(all, into, from) }
