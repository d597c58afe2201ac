package otp

import (
	"context"
	"log/slog"
	"net/http"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Module provides ports.OTPSender.
var Module = fx.Module("otp", fx.Provide(func(s Settings, log *slog.Logger) ports.OTPSender { return New(s, nil, log) }))

// Settings say how codes are sent.
type Settings struct {
	Way      string // Off, Log or MSG91; blank: Off
	AuthKey  string // of MSG91
	Template string // id of the message at MSG91
	URL      string // of MSG91's API, without a path; blank: MSG91's own
}

// The ways.
const (
	Off   = "off"
	Log   = "log"
	MSG91 = "msg91"
)

// New makes the sender that the settings ask for. client is nil except in tests.
func New(s Settings, client *http.Client, log *slog.Logger) ports.OTPSender {
	switch s.Way {
	case Log:
		return &toLog{log}
	case MSG91:
		return newMSG91(s, client)
	}
	return off{}
}

// off sends nothing.
type off struct{}

func (off) Enabled() bool { return false }

func (off) SendCode(context.Context, domain.PhoneNumber, domain.PhoneCode) error {
	return domain.ErrPhoneRefused
}
