package secrets

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"milaan/config"
	"milaan/ports"
)

// agreedFact is the name under which the database remembers which secret it
// was set up with.
const agreedFact = "secret_key"

// ErrDisagreed says that the database was set up with another secret. Sessions
// and pseudonyms of this copy would mean nothing to the others.
var ErrDisagreed = errors.New("this database was set up with another secret key: give every copy of the service the same " +
	config.Prefix + "SECRET_KEY (or the same " + FileName + " in its data directory)")

// Agree makes sure that every copy of the service on one database has the same
// secret: the first one leaves a check value, from which the secret cannot be
// found, and the others compare. It returns ErrDisagreed, or what the database
// returns.
func (s *Secret) Agree(ctx context.Context, facts ports.Facts) error {
	check := s.Subkey("check value")
	mine := hex.EncodeToString(check[:16])
	stored, err := facts.Claim(ctx, agreedFact, mine)
	if err != nil {
		return fmt.Errorf("compare secret keys: %w", err)
	}
	if stored != mine {
		return ErrDisagreed
	}
	return nil
}
