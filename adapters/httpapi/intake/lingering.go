package intake

import (
	"context"
	"time"
)

// A connection that ends although bytes of its request may still arrive lingers: its side for
// sending is closed, so that the client sees the end of the answer, and what arrives is read
// and thrown away until the client closes it too. It is cut if nothing arrives for
// LingerTimeout, if less arrives than at the slowest rate, or after lingerBytes. At the limit
// of connections, one that lingers gives way like one that is unused.

// lingerBytes is how much of what arrives is read at most, of one connection.
const lingerBytes = MaxUpload + 7<<20

// lingerersAtOnce is of how many connections the rest is read at once, because reading what
// many refused clients send would cost too much of the processor. Further ones wait for that
// until they are cut.
const lingerersAtOnce = 64

// lingerPiece is how many bytes are read at once.
const lingerPiece = 32 << 10

// leaveUnread notes that nobody reads what may still arrive: the connection lingers before it
// is closed.
func (c *connection) leaveUnread() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.unread = true
}

// CloseWrite is called by net/http, so that a client sees the end of an answer before the
// connection is closed.
func (c *connection) CloseWrite() error {
	err := c.closeWrite()
	c.startLingering()
	return err
}

func (c *connection) closeWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection, or has it linger. It does not wait for the end of that.
func (c *connection) Close() error {
	if c.startLingering() {
		return nil
	}
	return c.cut()
}

// cut closes the connection at once, which then counts no more.
func (c *connection) cut() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// startLingering has the connection linger if nobody reads what may still arrive. It returns
// whether the connection lingers.
func (c *connection) startLingering() bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.unread && !c.lingers && !c.closed {
		c.lingers = true
		c.of.lingering.Go(c.linger)
	}
	return c.lingers
}

// linger reads what arrives until the client has closed its side, within the limits, and
// closes the connection.
func (c *connection) linger() {
	defer func() { _ = c.cut() }()
	_ = c.closeWrite()
	timeout := time.NewTimer(c.of.linger)
	defer timeout.Stop()
	select {
	case c.of.lingerers <- struct{}{}:
		defer func() { <-c.of.lingerers }()
	case <-timeout.C:
		return
	}
	begun, into := time.Now(), make([]byte, lingerPiece)
	for arrived := 0; arrived < lingerBytes; {
		deadline := time.Now().Add(c.of.linger)
		if latest := begun.Add(timeFor(arrived)); deadline.After(latest) {
			deadline = latest
		}
		_ = c.SetReadDeadline(deadline)
		n, err := c.Read(into)
		if arrived += n; err != nil {
			return
		}
	}
}

// AwaitLingering waits until no connection of clients lingers any more, or until ctx ends.
func (in *Intake) AwaitLingering(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		in.public.lingering.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
