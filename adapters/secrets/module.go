package secrets

import (
	"context"
	"log/slog"

	"go.uber.org/fx"

	"milaan/config"
	"milaan/ports"
)

// Module hands out what is derived from the secret. Nothing is loaded, agreed
// or written unless something asks for it.
var Module = fx.Module("secrets", fx.Provide(
	agreed,
	func(s *Secret) ports.Subkeys { return s },
	func(s *Secret) ports.Pseudonyms { return s },
	func(s *Secret) ports.Sealer { return s },
))

// agreed loads the secret, and fails if the database was set up with another
// one. The storage that it asks bounds how long that takes.
func agreed(settings config.Secrets, facts ports.Facts, log *slog.Logger) (*Secret, error) {
	return Load(context.Background(), settings, facts, log)
}
