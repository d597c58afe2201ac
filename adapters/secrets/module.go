package secrets

import (
	"context"
	"log/slog"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
)

// Module hands out what is derived from the secret. Nothing is loaded, and no
// file made, unless something asks for it.
var Module = fx.Module("secrets", fx.Provide(
	agreed,
	func(s *Secret) ports.Subkeys { return s },
	func(s *Secret) ports.Pseudonyms { return s },
))

// agreed loads the secret and stops the start if the database was set up with
// another one. The storage was made before, so its own start comes first.
func agreed(lc fx.Lifecycle, settings config.Secrets, facts ports.Facts, log *slog.Logger) (*Secret, error) {
	s, err := Load(settings, log)
	if err != nil {
		return nil, err
	}
	lc.Append(fx.StartHook(func(ctx context.Context) error { return s.Agree(ctx, facts) }))
	return s, nil
}
