package unpack

import (
	"io"
)

// counted reads at most a number of bytes, in pieces. It has ReadByte, so that a reader of a stream
// reads nothing that follows it.
type counted struct {
	from     io.Reader
	most     int64
	tooLarge error
	read     func(from io.Reader, into []byte, arrived int) (int, error)

	piece   [4 << 10]byte
	unread  []byte // of piece
	arrived int    // bytes
	failed  error  // at which reading has ended
	idle    int    // how many bytes may have arrived before something is given out; 0: any number
}

func (c *counted) fill() error {
	if c.failed != nil {
		return c.failed
	}
	if c.idle > 0 && c.arrived > c.idle {
		return errManyBlocks
	}
	for range 100 { // empty reads
		n, err := c.read(c.from, c.piece[:], c.arrived)
		c.failed = err
		c.arrived += n
		if c.most -= int64(n); c.most < 0 {
			c.failed = c.tooLarge
			return c.failed
		}
		if c.unread = c.piece[:n]; n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	c.failed = io.ErrNoProgress
	return c.failed
}

func (c *counted) used() int { return c.arrived - len(c.unread) }

func (c *counted) Read(p []byte) (int, error) {
	if len(c.unread) == 0 {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

func (c *counted) ReadByte() (byte, error) {
	if len(c.unread) == 0 {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	b := c.unread[0]
	c.unread = c.unread[1:]
	return b, nil
}
