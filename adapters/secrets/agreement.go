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
	"milaan/ports/peers"
)

// agreedFact is the name under which the database remembers the check values of
// the secrets that seal, with commas between them. From a check value the secret
// cannot be found.
const agreedFact = "secret_key"

// The disagreements between an instance and the database: the others could not open what
// this instance would seal, or this instance what the others seal.
var (
	errOther = errors.New("this database was set up with another secret key: give every instance of the service the same " +
		config.Prefix + "SECRET_KEY (or the same " + FileName + " in its data directory); if that secret is lost, " +
		"milaan help secret says what to do")
	// errIncomplete says that this instance lacks one of the secrets in use.
	errIncomplete = errors.New("this database holds what is sealed with a secret key that is not among those of " +
		config.Prefix + "SECRET_KEY (or of " + FileName + " in the data directory): name it there too, after a comma, until milaan reseal " +
		"has said that it is not needed any more; if it is lost, milaan help secret says what to do")
)

// disagreement says whether err is one of them, or errAbsent.
func disagreement(err error) bool {
	return errors.Is(err, errOther) || errors.Is(err, errIncomplete) || errors.Is(err, errAbsent)
}

// Agreement is what the instances agree on: the secret to seal with.
type Agreement struct {
	secrets *Secrets
	facts   peers.Facts
}

// NewAgreement returns the agreement of an instance that has these secrets with the others.
func NewAgreement(s *Secrets, facts peers.Facts) *Agreement { return &Agreement{s, facts} }

// agree makes sure that every instance on one database can open what the others seal: it
// adds this instance's first secret to those that seal, and fails if this instance lacks one
// of them. With lost, the secrets that it lacks are given up instead. It returns errOther,
// errIncomplete or the error of the database.
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

const renewEvery = time.Minute

// keep renews the agreement until ctx ends. It logs errors; the next renewal tries again.
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

// renew adds this instance's first secret to those that seal, if it is missing: milaan
// reseal may have retired it while this instance still sealed with it. It returns
// domain.ErrMissingSecret if others seal with a secret that this instance lacks.
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
	return a.check(stored)
}

// Retire does not retire a secret that this instance does not know: another instance has
// begun to seal with it meanwhile.
func (a *Agreement) Retire(ctx context.Context) error {
	return a.facts.Alter(ctx, agreedFact, func(stored string) (string, error) {
		_, lacking := a.sort(stored)
		return strings.Join(a.withFirst(lacking), ","), nil
	})
}

// askLimit is how long the database may take to say which secrets seal.
const askLimit = 2 * time.Second

// checkComplete returns nil if this instance has every secret that seals: what it cannot open
// then, no instance can open. Otherwise, or if the database does not answer, it returns
// domain.ErrMissingSecret.
func (a *Agreement) checkComplete() error {
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	stored, err := a.facts.Find(ctx, agreedFact)
	if err != nil {
		return domain.ErrMissingSecret.Caused(err)
	}
	return a.check(stored)
}

// check returns domain.ErrMissingSecret unless every stored check value belongs to a secret
// of this instance.
func (a *Agreement) check(stored string) error {
	if _, lacking := a.sort(stored); len(lacking) > 0 {
		return domain.ErrMissingSecret.Caused(errIncomplete)
	}
	return nil
}

// sort divides the stored check values into those of this instance's secrets and others.
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

// sharedSealer is a sealer that does not take a seal for lost if another instance may be
// able to open it.
type sharedSealer struct {
	*Secrets

	agreement *Agreement
}

// Open returns domain.ErrMissingSecret for a seal that this instance cannot open but another
// one may.
func (s sharedSealer) Open(sealed []byte, place ...string) ([]byte, error) {
	text, err := s.Secrets.Open(sealed, place...)
	if err != nil {
		if incomplete := s.agreement.checkComplete(); incomplete != nil {
			return nil, incomplete
		}
	}
	return text, err
}
