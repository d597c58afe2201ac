package app

import (
	"context"
	"fmt"

	"go.uber.org/fx"

	"milaan/ports"
)

// Resealing changes the secret that seals.
type Resealing struct {
	fx.In

	Seals  ports.Seals
	Retire ports.RetireSecrets
}

func (r *Resealing) Reseal(ctx context.Context) (ports.Resealed, error) {
	done, err := r.Seals.Reseal(ctx)
	if err != nil {
		return done, err
	}
	if err := r.Retire(ctx); err != nil {
		return done, fmt.Errorf("retire the older secrets: %w", err)
	}
	return done, nil
}
