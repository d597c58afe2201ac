package cli

import (
	"context"

	"go.uber.org/dig"
	"go.uber.org/fx"
)

// opens returns an Opener for parts that a test makes. It counts how often they are closed.
func opens(closed *int, parts ...fx.Option) Opener {
	return func(_ context.Context, part any, options ...fx.Option) (func() error, error) {
		made := fx.New(fx.NopLogger, fx.Options(parts...), fx.Options(options...), fx.Populate(part))
		return func() error { *closed++; return nil }, dig.RootCause(made.Err())
	}
}

func as[Port any](value Port) fx.Option { return fx.Provide(func() Port { return value }) }
