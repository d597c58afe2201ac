package secrets

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"milaan/config"
	"milaan/domain"
	"milaan/ports/glue"
)

// agreedFact is the name under which the database remembers the check values of
// the secrets that seal, with commas between them. From a check value the secret
// cannot be found.
const agreedFact = "secret_key"

// The disagreements between a copy of the service and the database. What this
// copy would seal or sign meant nothing to the others, or the other way about.
var (
	// errOther says that the database was set up with another secret.
	errOther = errors.New("this database was set up with another secret key: give every copy of the service the same " +
		config.Prefix + "SECRET_KEY (or the same " + FileName + " in its data directory); if that secret is lost, " +
		"README.md, Changing the secret, says what to do")
	// errIncomplete says that one of the secrets in use is not there.
	errIncomplete = errors.New("this database holds what is sealed with a secret key that is not among those of " +
		config.Prefix + "SECRET_KEY (or of " + FileName + " in the data directory): name it there too, after a comma, until milaan reseal " +
		"has said that it is not needed any more; if it is lost, README.md, Changing the secret, says what to do")
)

// disagreement says that err is one of them.
func disagreement(err error) bool {
	return errors.Is(err, errOther) || errors.Is(err, errIncomplete) || errors.Is(err, errAbsent)
}

// Agreement fills ports.Agreement.
type Agreement struct {
	secrets *Secrets
	facts   glue.Facts
}

// NewAgreement is what a copy with these secrets has agreed with the others.
func NewAgreement(s *Secrets, facts glue.Facts) *Agreement { return &Agreement{s, facts} }

// agree makes sure that every copy of the service on one database can open what
// the others seal: each adds its first secret to those that seal, and none goes
// on that lacks one of these. With lost, those that it lacks are given up. It
// returns errOther, errIncomplete or what the database returns.
func (a *Agreement) agree(ctx context.Context, lost bool) error {
	return a.facts.Alter(ctx, agreedFact, func(stored string) (string, error) {
		known, lacking := a.sort(stored)
		switch {
		case len(lacking) > 0 && !lost && len(known) == 0:
			return "", errOther
		case len(lacking) > 0 && !lost:
			return "", errIncomplete
		}
		return strings.Join(a.withFirst(known), ","), nil
	})
}

// renewEvery is the time between two renewals.
const renewEvery = time.Minute

// keep renews the agreement until ctx ends. What fails is for the log: the next
// renewal tries again.
func (a *Agreement) keep(ctx context.Context, log *slog.Logger) {
	ticker := time.NewTicker(renewEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := a.renew(ctx); err != nil && ctx.Err() == nil {
			log.LogAttrs(ctx, slog.LevelError, "cannot agree with the other instances on the secrets", slog.Any("error", err))
		}
	}
}

// renew says again that this instance seals with its first secret, which is
// missing among those that seal if milaan reseal retired it while this instance
// was at work with it. It returns domain.ErrMissingSecret if others seal with one
// that this instance lacks.
func (a *Agreement) renew(ctx context.Context) error {
	stored, err := a.facts.Find(ctx, agreedFact)
	if err != nil {
		return err
	}
	if !slices.Contains(split(stored), a.secrets.first().check) {
		err := a.facts.Alter(ctx, agreedFact, func(now string) (string, error) {
			stored = now
			return strings.Join(a.withFirst(split(now)), ","), nil
		})
		if err != nil {
			return err
		}
	}
	return a.has(stored)
}

// Retire fills ports.Agreement. What this copy does not know stays: another one
// has begun to seal with it meanwhile.
func (a *Agreement) Retire(ctx context.Context) error {
	return a.facts.Alter(ctx, agreedFact, func(stored string) (string, error) {
		_, lacking := a.sort(stored)
		return strings.Join(a.withFirst(lacking), ","), nil
	})
}

// askLimit is how long the database is asked which secrets seal.
const askLimit = 2 * time.Second

// complete is nil if this copy has every secret that seals: what it cannot open
// then, nobody can. Else it returns domain.ErrMissingSecret, or what the database
// returns.
func (a *Agreement) complete() error {
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	stored, err := a.facts.Find(ctx, agreedFact)
	if err != nil {
		return domain.ErrMissingSecret.Caused(err)
	}
	return a.has(stored)
}

// has returns domain.ErrMissingSecret unless every stored check value is of one of
// this instance's secrets.
func (a *Agreement) has(stored string) error {
	if _, lacking := a.sort(stored); len(lacking) > 0 {
		return domain.ErrMissingSecret.Caused(errIncomplete)
	}
	return nil
}

// sort tells the stored check values of this copy's secrets from others.
func (a *Agreement) sort(stored string) (known, lacking []string) {
	for _, check := range split(stored) {
		if a.secrets.knows(check) {
			known = append(known, check)
		} else {
			lacking = append(lacking, check)
		}
	}
	return known, lacking
}

func (a *Agreement) withFirst(checks []string) []string {
	if first := a.secrets.first().check; !slices.Contains(checks, first) {
		return append(slices.Clone(checks), first)
	}
	return checks
}

func split(stored string) []string {
	return strings.FieldsFunc(stored, func(r rune) bool { return r == ',' })
}

// sharedSealer opens seals and takes none for lost that another copy of the service
// could open. It fills glue.Sealer.
type sharedSealer struct {
	*Secrets

	agreement *Agreement
}

// Open returns domain.ErrMissingSecret for a seal that cannot be opened here but
// may be elsewhere.
func (s sharedSealer) Open(sealed []byte, place ...string) ([]byte, error) {
	text, err := s.Secrets.Open(sealed, place...)
	if err != nil {
		if incomplete := s.agreement.complete(); incomplete != nil {
			return nil, incomplete
		}
	}
	return text, err
}
