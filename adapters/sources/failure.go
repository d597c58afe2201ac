package sources

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"

	"milaan/domain"
)

// failure explains an error of a connector. An error of the caller's context is returned as
// it is, wrapped; any other becomes a *domain.ConnectorError.
func (o *opened) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("report source %s: %w", o.connector.ID, ctx.Err())
	}
	// A limit that was passed has ended the connections, of which any other error came.
	if passed := o.network.broken(); passed != nil {
		err = passed
	}
	var e *domain.ConnectorError
	if found, ok := errors.AsType[*domain.ConnectorError](err); ok {
		copied := *found // it may be in use for other files
		e = &copied
	} else {
		e = &domain.ConnectorError{Rule: ruleOf(err), Cause: hushed(err)}
	}
	e.Connector = o.connector.ID
	switch e.Rule {
	case domain.ConnForbidden, domain.ConnCertificate, domain.ConnUnreachable:
		e.Setting = cmp.Or(e.Setting, o.connector.hostSetting)
	}
	return e
}

// ruleOf returns the rule for an error that no connector has explained.
func ruleOf(err error) domain.ConnectorRule {
	if _, ok := errors.AsType[*unreachable](err); ok {
		return domain.ConnUnreachable
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return domain.ConnCertificate
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return domain.ConnUnreachable
	}
	// A client of HTTP had no answer. Some of its errors for broken connections have no type.
	if _, ok := errors.AsType[*url.Error](err); ok {
		return domain.ConnUnreachable
	}
	for _, end := range []error{os.ErrDeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, syscall.ECONNRESET,
		syscall.EPIPE} {
		if errors.Is(err, end) {
			return domain.ConnUnreachable
		}
	}
	return domain.ConnAnswer
}

// hushed returns what the system says of an error, or else its type, for the log. Other
// texts may repeat a host, a name or what the server says.
func hushed(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Errorf("%T", err)
		}
		err = inner
	}
}
