package config

import "go.uber.org/fx"

// Module reads the environment and provides each section of the settings.
func Module() fx.Option { return fx.Module("config", fx.Provide(FromEnvironment, split)) }

func split(c Config) (HTTP, Storage, Secrets, Identity, Sandbox, Webhook, Batch, Autopilot, Mail, Billing, OTP, Log, Telemetry) {
	return c.HTTP, c.Storage, c.Secrets, c.Identity, c.Sandbox, c.Webhook, c.Batch, c.Autopilot, c.Mail, c.Billing, c.OTP, c.Log, c.Telemetry
}
