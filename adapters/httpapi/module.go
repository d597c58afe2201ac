package httpapi

import (
	"context"
	"log/slog"

	"go.uber.org/fx"
)

// Module serves the API while the application runs, and provides its metrics. It needs what Params lists. The
// application's stop timeout must be longer than DrainDelay and DrainTimeout together.
func Module() fx.Option {
	return fx.Module("httpapi", fx.Provide(New, newSettings, (*Server).Figures), fx.Invoke(serve))
}

// serve starts and stops the server with the application. If a listener fails later, the
// application ends, because nobody could reach it any more.
func serve(life fx.Lifecycle, app fx.Shutdowner, log *slog.Logger, s *Server) {
	life.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			if err := s.Start(ctx); err != nil {
				return err
			}
			go func() {
				if err := s.Wait(); err != nil {
					log.Error("the listener has failed", "error", err)
					_ = app.Shutdown(fx.ExitCode(1)) // it fails only if the application is stopping already
				}
			}()
			return nil
		},
		OnStop: s.Stop,
	})
}
