// Package adapters puts the adapters together and gives each its own section of the
// settings. No other package of the adapters imports all of them.
package adapters

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/fx"

	"milaan/adapters/answer"
	"milaan/adapters/documents"
	"milaan/adapters/documents/ledger"
	"milaan/adapters/httpapi"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/identity"
	"milaan/adapters/jobs"
	"milaan/adapters/logo"
	"milaan/adapters/mail"
	"milaan/adapters/otp"
	"milaan/adapters/outbound"
	"milaan/adapters/razorpay"
	"milaan/adapters/secrets"
	"milaan/adapters/sources"
	"milaan/adapters/statement"
	"milaan/adapters/storage"
	"milaan/adapters/storage/backup"
	"milaan/adapters/storefront"
	"milaan/adapters/storefront/shops"
	"milaan/adapters/table"
	"milaan/adapters/telemetry"
	"milaan/adapters/webhook"
	"milaan/adapters/wording"
	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Module returns every adapter that the service runs with. It is a variable for a test that builds the
// program with shorter periods.
var Module = func() fx.Option { return fx.Options(Driven(), driving()) }

// Driven are the adapters that the application calls. Each of them is made only when
// something needs it. So a command that needs no database opens none, and a command
// that adds jobs does not run any.
func Driven() fx.Option {
	return fx.Module("driven",
		table.Module(), storefront.Module(), statement.Module(), logo.Module(), documents.Module(), wording.Module(), answer.Module(),
		storage.Module(), backup.Module(), jobs.Module(), secrets.Module(), identity.Module(),
		outbound.Module(), webhook.Module(), mail.Module(), otp.Module(), razorpay.Module(),
		shops.Module(), sources.Module(),
		fx.Provide(storageSettings, backupSettings, billingSettings, newLog,
			func(s *storage.Store) jobs.Database { return jobs.Database(s.Handle()) },
			func(c config.Autopilot) jobs.Settings { return jobs.Settings{Passes: c.Passes}.WithDefaults() },
			func(o *jobs.Outbox) storage.Outbox { return o },
			func(c config.Batch, kept config.Storage, s jobs.Settings) ports.Background {
				return ports.Background{Retention: c.Retention, RunRetention: kept.RunRetention, Deliveries: s.Deliveries, Passes: s.Passes,
					Runners: s.Runners, PickUp: pickUp}
			},
			func(c config.Webhook, guards peers.Guards) webhook.Settings {
				return webhook.Settings{AllowLoopback: c.AllowLoopback, Guards: guards}
			},
			func(c config.OTP) ports.PhoneCodesPerHour { return ports.PhoneCodesPerHour(c.PerHour) },
			func(c config.Autopilot) shops.Settings { return shops.Settings{AllowLoopback: c.ConnectionLoopback} },
			func(c config.Autopilot) sources.Settings {
				return sources.Settings{AllowLoopback: c.ConnectionLoopback, Folder: c.ConnectionFolder}
			},
			func(c config.HTTP) ports.BaseURL { return ports.BaseURL(c.BaseURL()) },
			func(c config.Sandbox) ports.SandboxOn { return ports.SandboxOn(c.On) },
			func(c config.Billing) ports.BillingOn { return c.RazorpayKeyID != "" },
			func(c config.Identity) ports.SignInWays {
				return ports.SignInWays{Links: c.OIDCIssuer == "", SignUp: bool(c.SignUp)}
			},
			func() ports.Clock { return time.Now },
			func() ports.OpenLedger {
				return ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows, MaxText: table.Contract().MaxText})).Open
			}),
		fx.Supply(ports.WriteLedger(ledger.WriteText)),
		fx.Supply(fx.Annotate(httpapi.Names{}, fx.As(new(peers.Names))), table.Contract(), ports.MaxRows(domain.MaxRows)),
	)
}

// driving are the adapters that call the application: the job engine, which needs to be asked for so
// that it runs, and the server. They start in this order and stop in the opposite order, before the database is
// closed. The engine begins to stop before everything else.
func driving() fx.Option {
	return fx.Module("driving", telemetry.Module(), fx.Module("working", fx.Invoke(func(peers.Engine) {})), httpapi.Module(), quitting(),
		fx.Provide(fx.Annotate(memory, fx.As(fx.Self()), fx.As(new(ports.Memory)))))
}

// quitting makes the job engine begin to stop before the server stops. So jobs and
// requests in flight finish at the same time, within the same drain timeout. It is the
// last of driving, because what starts last stops first.
func quitting() fx.Option {
	return fx.Module("quitting", fx.Invoke(func(life fx.Lifecycle, engine *jobs.Engine) {
		life.Append(fx.Hook{OnStop: func(ctx context.Context) error {
			engine.BeginStop(ctx)
			return nil
		}})
	}))
}

// storageSettings returns the settings of the store. The store also migrates the tables
// of the job engine, because jobs are added in the store's own transactions.
func storageSettings(c config.Storage, b config.Batch) storage.Settings {
	return storage.Settings{
		DatabaseURL: string(c.DatabaseURL), DataDir: c.DataDir, Evidence: filepath.Join(c.DataDir, secrets.FileName),
		Rebuild: c.Rebuild, BatchQuota: int64(b.Quota),
		Also: func(ctx context.Context, h storage.Handle) error { return jobs.Migrate(ctx, jobs.Database(h)) },
	}
}

// backupSettings has the secret only if it is generated: one of the settings is the operator's to keep.
func backupSettings(c config.Storage, s config.Secrets) backup.Settings {
	settings := backup.Settings{Dir: c.DataDir, PostgreSQL: c.DatabaseURL != "", Version: config.ThisBuild().Version}
	if len(s.Keys) == 0 {
		settings.Secret = filepath.Join(c.DataDir, secrets.FileName)
	}
	return settings
}

// pickUp is how long it takes until the engine begins a job if a worker is free, as
// measured on both databases.
const pickUp = 30 * time.Millisecond

func billingSettings(c config.Billing) razorpay.Settings {
	s := razorpay.Settings{KeyID: c.RazorpayKeyID, KeySecret: string(c.RazorpayKeySecret), URL: strings.TrimSuffix(c.RazorpayURL, "/")}
	for _, secret := range c.RazorpayWebhookSecrets {
		s.WebhookSecrets = append(s.WebhookSecrets, string(secret))
	}
	for _, p := range c.RazorpayPlans {
		s.Plans = append(s.Plans, ports.BillingPlan{ID: p.ID, Plan: domain.Plan(p.Plan)})
	}
	return s
}

// memory returns the memory of this instance for all that may be large. In a container it is
// five eighths of the limit. The rest is for the program, its database, small bodies, unpacking, and what
// was used and is not collected yet.
func memory(c config.HTTP) *intake.Memory {
	size := 2 * int64(c.BodyMemory+c.UploadMemory)
	if limit, found := config.MemoryLimit(os.DirFS("/")); found {
		size = min(size, limit/8*5)
	}
	return intake.NewMemory(size)
}
