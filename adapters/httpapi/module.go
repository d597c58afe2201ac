package httpapi

import (
	"context"
	"log/slog"

	"go.uber.org/fx"
)

// Module serves the API while the application runs. It needs Settings and what
// Params lists. The application's stop timeout must be longer than the
// DrainDelay and the DrainTimeout together.
var Module = fx.Module("httpapi", fx.Provide(New), fx.Invoke(serve))

// serve ties the server's life to the application's. A listener that fails
// later ends the application, for nobody could reach it any more.
func serve(life fx.Lifecycle, app fx.Shutdowner, log *slog.Logger, s *Server) {
	life.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			if err := s.Start(ctx); err != nil {
				return err
			}
			go func() {
				if err := s.Wait(); err != nil {
					log.Error("the listener has failed", "error", err)
					_ = app.Shutdown(fx.ExitCode(1)) // fails only if it is stopping already
				}
			}()
			return nil
		},
		OnStop: s.Stop,
	})
}
