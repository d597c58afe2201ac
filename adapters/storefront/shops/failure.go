package shops

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"syscall"

	"milaan/domain"
	"milaan/ports"
)

// badAnswer returns the error of an answer that cannot be understood.
func badAnswer(status int) *domain.ConnectorError {
	return &domain.ConnectorError{Rule: domain.ConnAnswer, Status: status}
}

// explain completes an error of a connector. An error of the caller's context is returned as
// it is, wrapped, whatever else came of it.
func explain(ctx context.Context, c connector, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("shop of %s: %w", c.ID, ctx.Err())
	}
	found, ok := errors.AsType[*domain.ConnectorError](err)
	if !ok {
		return err // of Grown
	}
	e := *found
	e.Connector = c.ID
	if e.IsFaultOfOthers() { // no setting has to do with it
		return &e
	}
	switch e.Rule {
	case domain.ConnForbidden, domain.ConnCertificate, domain.ConnUnreachable, domain.ConnAnswer:
		e.Setting = cmp.Or(e.Setting, c.hostSetting)
	}
	return &e
}

// explainNetwork says what an error of a request means. What it says of the host stays out.
func (c *client) explainNetwork(err error) *domain.ConnectorError {
	e := &domain.ConnectorError{Rule: domain.ConnUnreachable}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		e.Cause = errno
	}
	if c.guard.Forbidden(err) {
		e.Rule = domain.ConnForbidden
	}
	if _, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		e.Rule = domain.ConnCertificate
	}
	return e
}

// inRupees returns the error of an order in another currency.
func inRupees(currency string) error {
	if currency == "INR" {
		return nil
	}
	return &domain.ConnectorError{Rule: domain.ConnCurrency, Value: domain.Shortened(currency)}
}

// manyOrders is the error of a window with too many orders, where one of the given number of days
// would do.
func manyOrders(q ports.OrdersQuery, days int) error {
	if days < domain.MinWindowDays {
		days = 0
	}
	return &domain.ConnectorError{Rule: domain.ConnManyOrders, Limit: int64(q.Most), Days: days}
}
