package config

import "go.uber.org/fx"

// Module reads the environment and provides each section of the settings.
var Module = fx.Module("config", fx.Provide(FromEnvironment, split))

type sections struct {
	fx.Out

	HTTP     HTTP
	Storage  Storage
	Secrets  Secrets
	Identity Identity
	Webhook  Webhook
	Batch    Batch
	Log      Log
}

func split(c Config) sections {
	return sections{
		HTTP: c.HTTP, Storage: c.Storage, Secrets: c.Secrets, Identity: c.Identity,
		Webhook: c.Webhook, Batch: c.Batch, Log: c.Log,
	}
}
