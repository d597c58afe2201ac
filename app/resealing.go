package app

import (
	"context"
	"fmt"

	"milaan/ports"
)

// Resealing changes the secret that seals.
type Resealing struct {
	seals     ports.Seals
	agreement ports.Agreement
}

// NewResealing makes the use case.
func NewResealing(seals ports.Seals, agreement ports.Agreement) *Resealing {
	return &Resealing{seals: seals, agreement: agreement}
}

// Reseal seals again what is sealed with older secrets. Only if all of it is done, it
// stores that the older secrets are not needed any more.
func (r *Resealing) Reseal(ctx context.Context) (ports.Resealed, error) {
	done, err := r.seals.Reseal(ctx)
	if err != nil {
		return done, err
	}
	if err := r.agreement.Retire(ctx); err != nil {
		return done, fmt.Errorf("retire the older secrets: %w", err)
	}
	return done, nil
}
