package sheet

import "io"

// Pieces of a part are inflated before they are read: at most aheadPieces at a time.
// Nothing of a part that is shorter than two pieces is.
const (
	aheadPieces = 3
	aheadBytes  = 128 << 10
)

// ahead reads from another reader in a goroutine of its own, so that one core inflates
// while another takes apart what is inflated.
type ahead struct {
	free  chan []byte
	full  chan piece
	piece piece
	rest  []byte // of the piece
}

// piece is what was read at once.
type piece struct {
	bytes []byte
	err   error // with which the reading ended
}

// readAhead begins to read into pieces of memory, which it makes if there are none. Nobody
// else may use in and the pieces until Close has returned.
func readAhead(in io.Reader, pieces *[aheadPieces][]byte) *ahead {
	a := &ahead{free: make(chan []byte, aheadPieces), full: make(chan piece, aheadPieces)}
	for i := range pieces {
		if pieces[i] == nil {
			pieces[i] = make([]byte, aheadBytes)
		}
		a.free <- pieces[i]
	}
	go func() {
		defer close(a.full)
		for into := range a.free {
			n, err := 0, error(nil)
			for n < len(into) && err == nil {
				var more int
				more, err = in.Read(into[n:])
				n += more
			}
			a.full <- piece{into[:n], err} // there is a place for each piece
			if err != nil {
				return
			}
		}
	}()
	return a
}

func (a *ahead) Read(into []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.piece.err != nil {
			return 0, a.piece.err
		}
		if a.piece.bytes != nil {
			a.free <- a.piece.bytes[:aheadBytes]
		}
		a.piece = <-a.full
		a.rest = a.piece.bytes
	}
	n := copy(into, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close stops the reading, and returns once nothing is read any more.
func (a *ahead) Close() {
	close(a.free)
	for range a.full { // until the goroutine has ended
	}
}
