package otp

import (
	"context"
	"log/slog"

	"milaan/domain"
)

// toLog writes codes to the log, where whoever runs the service on their own machine reads
// them. The settings refuse it for a service that others can reach.
type toLog struct{ log *slog.Logger }

func (*toLog) Enabled() bool { return true }

// SendCode logs a warning, so that commands show it too.
func (l *toLog) SendCode(ctx context.Context, number domain.PhoneNumber, code domain.PhoneCode) error {
	l.log.WarnContext(ctx, "the phone code is not sent, because MILAAN_OTP is log", "number", number.Masked(), "code", code.Reveal())
	return nil
}
