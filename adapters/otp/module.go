package otp

import (
	"context"
	"log/slog"
	"net/http"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
)

// Module provides ports.OTPSender.
func Module() fx.Option {
	return fx.Module("otp", fx.Provide(func(c config.OTP, log *slog.Logger) ports.OTPSender { return New(c, nil, log) }))
}

// New makes the sender that the settings ask for. client is nil except in tests.
func New(c config.OTP, client *http.Client, log *slog.Logger) ports.OTPSender {
	switch c.Way {
	case config.OTPLog:
		return &toLog{log}
	case config.OTPMSG91:
		return newMSG91(c, client)
	}
	return off{}
}

type off struct{}

func (off) Enabled() bool { return false }

func (off) SendCode(context.Context, domain.PhoneNumber, domain.PhoneCode) error {
	return domain.ErrPhoneRefused
}
