package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// Gate lets requests with a live API key in. It fills ports.Gate.
type Gate struct {
	keys  ports.Keys
	clock ports.Clock
}

// NewGate makes a gate.
func NewGate(keys ports.Keys, clock ports.Clock) *Gate { return &Gate{keys: keys, clock: clock} }

// Admit checks the key, the account and the rate, in the order of decisions,
// section 5. A key that is not well formed never reaches the database, and an
// account that may not use the API uses up nothing of its rate.
func (g *Gate) Admit(ctx context.Context, secret string) (ports.Caller, error) {
	hash, err := domain.CheckKey(secret)
	if err != nil {
		return ports.Caller{}, err
	}
	var caller ports.Caller
	err = g.keys.Present(ctx, hash, func(use ports.KeyUse) (domain.Window, bool, error) {
		if !use.Key.Hash.Equal(hash) {
			return use.Window, false, domain.ErrKey
		}
		if err := use.Account.MayUseAPI(); err != nil {
			return use.Window, false, err
		}
		next, wait, changed := domain.KeyRate.Admit(use.Window, g.clock())
		if wait > 0 {
			return next, changed, domain.ErrRate(wait)
		}
		caller = ports.Caller{Account: use.Account, KeyID: use.Key.ID}
		return next, changed, nil
	})
	if err != nil {
		return ports.Caller{}, err
	}
	return caller, nil
}
