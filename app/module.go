package app

import (
	"go.uber.org/fx"

	"milaan/ports"
)

// Module makes the use cases, and says which ports they fill.
var Module = fx.Module("app", fx.Provide(
	fx.Annotate(NewGate, fx.As(new(ports.Gate))),
	fx.Annotate(NewIssuingKeys, fx.As(new(ports.IssuingKeys))),
	fx.Annotate(NewManagingKeys, fx.As(fx.Self()), fx.As(new(ports.ManagingKeys))),
	fx.Annotate(NewManagingMappings, fx.As(new(ports.ManagingMappings))),
	fx.Annotate(NewChanging, fx.As(new(ports.CountingChanges))),
	fx.Annotate(NewReadingHistory, fx.As(new(ports.ReadingHistory))),
	fx.Annotate(NewSecurityLog, fx.As(new(ports.ReadingSecurity))),
	fx.Annotate(NewAccounts, fx.As(new(ports.ManagingAccounts))),
	fx.Annotate(NewListingAccounts, fx.As(new(ports.ListingAccounts))),
	fx.Annotate(NewExportingAccounts, fx.As(new(ports.ExportingAccounts))),
	fx.Annotate(NewClosingAccounts, fx.As(new(ports.ClosingAccounts))),
	fx.Annotate(NewIssuingSessions, fx.As(new(ports.IssuingSessions))),
	fx.Annotate(NewIdentifying, fx.As(new(ports.Identifying))),
	fx.Annotate(NewSigningIn, fx.As(new(ports.SigningIn)), fx.As(new(ports.CountingSignIns))),
	NewInvitationTokens,
	fx.Annotate(NewPeople, fx.As(new(ports.ManagingPeople))),
	fx.Annotate(NewJoining, fx.As(fx.Self()), fx.As(new(ports.Joining))),
	fx.Annotate(NewSwitching, fx.As(new(ports.Switching))),
	fx.Annotate(NewMakingLinks, fx.As(new(ports.MakingLinks))),
	fx.Annotate(NewVerifyingPhones, fx.As(new(ports.VerifyingPhones))),
	fx.Annotate(NewResealing, fx.As(new(ports.ManagingSecrets))),
	NewHousekeeping,
	fx.Annotate(NewUploading, fx.As(new(ports.Uploading))),
	fx.Annotate(NewInspecting, fx.As(new(ports.Inspecting))),
	fx.Annotate(NewReconciling, fx.As(fx.Self()), fx.As(new(ports.Reconciling))),
	NewClaiming,
	NewDigesting,
	fx.Annotate(NewDocuments, fx.As(new(ports.MakingDocuments))),
	fx.Annotate(NewBranding, fx.As(new(ports.ManagingBranding))),
	fx.Annotate(NewDemo, fx.As(new(ports.Demo))),
	fx.Annotate(NewBatching, fx.As(new(ports.Batching))),
	fx.Annotate(NewManagingWebhooks, fx.As(new(ports.ManagingWebhooks))),
	fx.Annotate(NewManagingDeliveries, fx.As(new(ports.ManagingDeliveries))),
	fx.Annotate(NewWorking, fx.As(new(ports.Work))),
	NewDelivering,
	NewSchedulingPasses,
	NewPassing,
	fx.Annotate(NewManagingConnections, fx.As(new(ports.ManagingConnections)), fx.As(new(ports.ReadingConnections))),
	fx.Annotate(NewKeepingFiles, fx.As(new(ports.KeepingFiles))),
	NewAlarming,
	fx.Annotate(NewMailing, fx.As(fx.Self()), fx.As(new(ports.ChoosingMails))),
	fx.Annotate(NewUnsubscribing, fx.As(new(ports.Unsubscribing))),
	NewRunningBatches,
	fx.Annotate(NewBilling, fx.As(fx.Self()), fx.As(new(ports.TakingNotices))),
	fx.Annotate(NewManagingBilling, fx.As(new(ports.ManagingBilling)), fx.As(new(ports.EndingBilling))),
))
