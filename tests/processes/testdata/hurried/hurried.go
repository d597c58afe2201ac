package adapters

import (
	"cmp"
	"context"
	"os"
	"strconv"
	"time"

	"go.uber.org/fx"

	"milaan/adapters/jobs"
	"milaan/adapters/sources"
	"milaan/adapters/storefront/shops"
	"milaan/app/autopilot"
	"milaan/app/mails"
	"milaan/ports"
)

// The tests of processes build the program with this file in it, so that the autopilot's
// periods and the timeouts of its connectors are short. The program that people get has no
// such settings.
func init() {
	period, err := time.ParseDuration(os.Getenv("HURRIED_PERIOD"))
	if err != nil {
		return
	}
	part, err := strconv.Atoi(os.Getenv("HURRIED_TIMEOUTS")) // the connectors' usual timeouts are divided by this
	if err != nil {
		panic(err)
	}
	schedule, _ := time.ParseDuration(os.Getenv("HURRIED_SCHEDULE"))
	takeover, _ := time.ParseDuration(os.Getenv("HURRIED_TAKEOVER"))
	shorter := func(d time.Duration) time.Duration { return d / time.Duration(part) }
	hurry(
		fx.Decorate(func(b ports.Background) ports.Background {
			b.PassPeriod = period
			return b
		}),
		fx.Decorate(func(s jobs.Settings) jobs.Settings {
			s.Schedule, s.Takeover = cmp.Or(schedule, s.Schedule), cmp.Or(takeover, s.Takeover)
			return s
		}),
		fx.Decorate(func(s shops.Settings) shops.Settings {
			s.Limits.Answer, s.Limits.Pause, s.Limits.Wait = shorter(time.Minute), shorter(time.Second), shorter(2*time.Minute)
			return s
		}),
		fx.Decorate(func(s sources.Settings) sources.Settings {
			s.Limits.Idle, s.Limits.Open, s.Limits.List = shorter(30*time.Second), shorter(time.Minute), shorter(3*time.Minute)
			s.Limits.Read, s.Limits.Pause = shorter(5*time.Minute), shorter(500*time.Millisecond)
			return s
		}),
	)
	// Only the instance that leads adds passes and mails, and the next one leads up to 15 s after
	// that one was killed: for tests that kill it every second, each instance adds them.
	if every, err := time.ParseDuration(os.Getenv("HURRIED_EACH")); err == nil {
		hurry(fx.Invoke(func(life fx.Lifecycle, s autopilot.Scheduling, a *mails.Alarming) {
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for ctx.Err() == nil {
					time.Sleep(every)
					_ = s.Schedule(ctx)
					_ = a.Round(ctx)
				}
			}()
			life.Append(fx.StopHook(func() {
				cancel()
				<-ended
			}))
		}))
	}
}

// hurry adds options to the adapters.
func hurry(options ...fx.Option) {
	module := Module
	Module = func() fx.Option { return fx.Options(module(), fx.Options(options...)) }
}
