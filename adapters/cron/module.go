package cron

import "go.uber.org/fx"

// Module starts and stops the clock with the service.
var Module = fx.Module("cron",
	fx.Provide(New),
	fx.Invoke(func(lc fx.Lifecycle, c *Cron) {
		lc.Append(fx.Hook{OnStart: c.Start, OnStop: c.Stop})
	}),
)
