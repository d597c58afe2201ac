package httpapi

import "io"

// gathered is an answer that is written into memory first. It grows piece by piece, so that
// nothing is copied. The zero value is empty.
type gathered struct {
	pieces [][]byte
	size   int
}

// pieceOfAnswer is how many bytes each piece has, but for the first, which is short.
const pieceOfAnswer = 256 << 10

func (g *gathered) Write(p []byte) (int, error) {
	n := len(p)
	g.size += n
	for len(p) > 0 {
		last := len(g.pieces) - 1
		if last < 0 || len(g.pieces[last]) == cap(g.pieces[last]) {
			length := pieceOfAnswer
			if last < 0 {
				length /= 8
			}
			g.pieces = append(g.pieces, make([]byte, 0, length))
			last++
		}
		room := min(len(p), cap(g.pieces[last])-len(g.pieces[last]))
		g.pieces[last] = append(g.pieces[last], p[:room]...)
		p = p[room:]
	}
	return n, nil
}

func (g *gathered) writeTo(w io.Writer) error {
	for _, piece := range g.pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}
