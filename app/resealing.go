package app

import (
	"context"
	"fmt"

	"milaan/ports"
)

// Resealing changes the secret that seals.
type Resealing struct {
	seals  ports.Seals
	retire ports.RetireSecrets
}

// NewResealing makes the use case.
func NewResealing(seals ports.Seals, retire ports.RetireSecrets) *Resealing {
	return &Resealing{seals: seals, retire: retire}
}

// Reseal seals again what is sealed with older secrets. Only if all of it is done, it
// stores that the older secrets are not needed any more.
func (r *Resealing) Reseal(ctx context.Context) (ports.Resealed, error) {
	done, err := r.seals.Reseal(ctx)
	if err != nil {
		return done, err
	}
	if err := r.retire(ctx); err != nil {
		return done, fmt.Errorf("retire the older secrets: %w", err)
	}
	return done, nil
}
