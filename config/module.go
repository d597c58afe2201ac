package config

import "go.uber.org/fx"

// Module reads the environment and hands out the settings by section.
var Module = fx.Module("config", fx.Provide(FromEnvironment, sections))

type sectionsOut struct {
	fx.Out

	HTTP     HTTP
	Storage  Storage
	Secrets  Secrets
	Identity Identity
	Webhook  Webhook
	Batch    Batch
	Log      Log
}

func sections(c Config) sectionsOut {
	return sectionsOut{
		HTTP: c.HTTP, Storage: c.Storage, Secrets: c.Secrets, Identity: c.Identity,
		Webhook: c.Webhook, Batch: c.Batch, Log: c.Log,
	}
}
