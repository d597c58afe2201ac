package app

import (
	"go.uber.org/fx"

	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/app/autopilot"
	"milaan/app/billing"
	"milaan/app/mails"
	"milaan/app/runs"
	"milaan/app/webhooks"
	"milaan/ports"
)

// Module makes the use cases, and says which ports they implement.
func Module() fx.Option {
	return fx.Module("app",
		accounts.Module(),
		admission.Module(),
		autopilot.Module(),
		billing.Module(),
		mails.Module(),
		runs.Module(),
		webhooks.Module(),
		fx.Provide(
			func(r Resealing) ports.ManagingSecrets { return &r },
			func(h Holding) ports.Holding { return &h },
			NewMaySend,
			func(w Working) ports.Work { return &w },
		),
	)
}
