package app

import (
	"go.uber.org/fx"

	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/app/billing"
	"milaan/app/mails"
	"milaan/app/webhooks"
	"milaan/ports"
)

// Module makes the use cases, and says which ports they fill.
var Module = fx.Module("app",
	accounts.Module,
	admission.Module,
	billing.Module,
	mails.Module,
	webhooks.Module,
	fx.Provide(
		fx.Annotate(NewReadingHistory, fx.As(new(ports.ReadingHistory))),
		fx.Annotate(NewResealing, fx.As(new(ports.ManagingSecrets))),
		NewHousekeeping,
		fx.Annotate(NewInspecting, fx.As(new(ports.Inspecting))),
		fx.Annotate(NewReconciling, fx.As(fx.Self()), fx.As(new(ports.Reconciling))),
		NewClaiming,
		NewDigesting,
		fx.Annotate(NewDocuments, fx.As(new(ports.MakingDocuments))),
		fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
		fx.Annotate(NewBatching, fx.As(new(ports.Batching))),
		fx.Annotate(NewWorking, fx.As(new(ports.Work))),
		NewSchedulingPasses,
		NewPassing,
		fx.Annotate(NewManagingConnections, fx.As(new(ports.ManagingConnections)), fx.As(new(ports.ReadingConnections))),
		fx.Annotate(NewKeepingFiles, fx.As(new(ports.KeepingFiles))),
		NewRunningBatches,
	),
)
