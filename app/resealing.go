package app

import (
	"context"
	"fmt"

	"milaan/ports"
)

// Resealing changes the secret that seals. It fills ports.ManagingSecrets.
type Resealing struct {
	seals     ports.Seals
	agreement ports.Agreement
}

// NewResealing makes the use case.
func NewResealing(seals ports.Seals, agreement ports.Agreement) *Resealing {
	return &Resealing{seals: seals, agreement: agreement}
}

// Reseal seals afresh what is sealed with older secrets, and only if all of it
// is done settles that these are not needed any more.
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
