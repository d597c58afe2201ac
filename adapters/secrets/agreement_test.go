package secrets

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
)

// starting is one instance on a database.
type starting struct {
	t     *testing.T
	facts *facts
}

// start starts an instance with secrets, which are told by a number each.
func (s starting) start(secrets ...byte) error { return s.load(false, secrets...) }

func (s starting) load(lost bool, secrets ...byte) error {
	_, err := Load(s.t.Context(), config.Secrets{Keys: mastersOf(secrets), Lost: lost}, s.facts, quiet)
	return err
}

func (s starting) retire(secrets ...byte) {
	require.NoError(s.t, s.agreement(secrets...).Retire(s.t.Context()))
}

func (s starting) agreement(secrets ...byte) *Agreement {
	return NewAgreement(New(mastersOf(secrets)...), s.facts)
}

// mastersOf gives the secrets that are told by numbers.
func mastersOf(numbers []byte) (masters [][]byte) {
	for _, number := range numbers {
		masters = append(masters, counting(number))
	}
	return masters
}

const old, fresh, other = 0, 1, 2

// lastVersions is what the last version, which knew one secret, has agreed on by
// the old one.
const lastVersions = "11f75db06b0a53b855365a97f7ddd43e"

func TestInstancesOnOneDatabaseMustAgree(t *testing.T) {
	s := starting{t, newFacts()}
	require.NoError(t, s.start(old))
	require.NoError(t, s.start(old), "another instance, or a restart")
	err := s.start(fresh)
	require.ErrorIs(t, err, errOther)
	require.Equal(t, errOther, err, "and nothing before it")
	require.ErrorContains(t, err, "set up with another secret key: give every instance of the service the same MILAAN_SECRET_KEY")
	for _, value := range s.facts.stored {
		require.NotContains(t, hex.EncodeToString(counting(old)), value)
	}
	s.facts.fault = errors.New("database away")
	require.ErrorIs(t, s.start(old), s.facts.fault)
}

// A database that was set up by the last version, which knew one secret, is
// agreed on as before.
func TestTheLastVersionsAgreementHolds(t *testing.T) {
	s := starting{t, newFacts()}
	s.facts.stored[agreedFact] = "22f75db06b0a53b855365a97f7ddd43e"
	require.ErrorIs(t, s.start(old), errOther)
	s.facts.stored[agreedFact] = lastVersions
	require.NoError(t, s.start(old))
	require.Equal(t, lastVersions, s.facts.stored[agreedFact], "and left as it was, for instances that are not upgraded yet")
}

// The whole way from one secret to another, and at each step which instances may
// start: those that can open what the others seal.
func TestTheSecretIsChangedStepByStep(t *testing.T) {
	s := starting{t, newFacts()}
	type list []byte
	may := func(step string, allowed ...list) {
		t.Helper()
		for _, secrets := range []list{{old}, {fresh}, {old, fresh}, {fresh, old}, {other}, {other, old}, {other, fresh}} {
			was := s.facts.stored[agreedFact]
			err := s.start(secrets...)
			s.facts.stored[agreedFact] = was // it did not stay
			if slices.ContainsFunc(allowed, func(a list) bool { return slices.Equal(a, secrets) }) {
				require.NoError(t, err, "%s: %v", step, secrets)
			} else {
				require.True(t, disagreement(err), "%s: %v: %v", step, secrets, err)
			}
		}
	}
	require.NoError(t, s.start(old))
	may("before", list{old}, list{old, fresh}, list{fresh, old}, list{other, old})
	require.NoError(t, s.start(old, fresh))
	may("the new one is known", list{old}, list{old, fresh}, list{fresh, old}, list{other, old})
	require.NoError(t, s.start(fresh, old))
	may("the new one seals", list{old, fresh}, list{fresh, old})
	require.ErrorIs(t, s.start(old), errIncomplete, "it could not open what the others seal")
	require.ErrorContains(t, s.start(old), "milaan reseal")
	require.ErrorIs(t, s.start(fresh), errIncomplete)
	require.ErrorIs(t, s.start(other), errOther)
	s.retire(fresh, old)
	may("all is sealed afresh", list{fresh}, list{old, fresh}, list{fresh, old}, list{other, fresh})
	require.ErrorIs(t, s.start(old), errOther)
	require.NoError(t, s.start(fresh))
	s.retire(fresh)
	may("for good", list{fresh}, list{old, fresh}, list{fresh, old}, list{other, fresh})
}

// An instance that was passed over goes on sealing with a secret that is retired:
// it says so again, and then no instance starts that lacks it.
func TestARetiredSecretThatStillSealsIsNotForgotten(t *testing.T) {
	s := starting{t, newFacts()}
	require.NoError(t, s.start(old, fresh))
	late := s.agreement(old, fresh)
	require.NoError(t, s.start(fresh, old))
	s.retire(fresh, old)
	require.NoError(t, s.start(fresh))
	require.NoError(t, late.renew(t.Context()))
	require.ErrorIs(t, s.start(fresh), errIncomplete)
	require.ErrorIs(t, s.agreement(fresh).renew(t.Context()), domain.ErrMissingSecret)
	require.NoError(t, s.agreement(fresh, old).renew(t.Context()))

	s.retire(fresh, old)
	require.NoError(t, s.start(fresh), "resealed again")
}

// Every instance does so by itself, every minute until it stops.
func TestTheAgreementIsKeptUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := starting{t, newFacts()}
		require.NoError(t, s.start(old, fresh))
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		go s.agreement(old, fresh).keep(ctx, slog.New(slog.NewTextHandler(&log, nil)))
		s.retire(fresh, old)
		time.Sleep(renewEvery + time.Second)
		synctest.Wait()
		require.ErrorIs(t, s.start(fresh), errIncomplete, "it is known again that the old one seals")
		s.facts.mu.Lock()
		s.facts.fault = errors.New("database away")
		s.facts.mu.Unlock()
		time.Sleep(3 * renewEvery)
		synctest.Wait()
		require.Equal(t, 3, bytes.Count(log.Bytes(), []byte("database away")), "every failure is logged")
		cancel()
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, 3, bytes.Count(log.Bytes(), []byte("database away")), "a stop ends it")
	})
}

// What was begun meanwhile is not retired with the rest.
func TestRetiringLeavesOthersSecrets(t *testing.T) {
	s := starting{t, newFacts()}
	require.NoError(t, s.start(old))
	require.NoError(t, s.start(fresh, old))
	require.NoError(t, s.start(other, fresh, old))
	s.retire(fresh, old)
	require.ErrorIs(t, s.start(fresh), errIncomplete)
	require.NoError(t, s.start(other, fresh))
}

func TestALostSecretIsGivenUp(t *testing.T) {
	s := starting{t, newFacts()}
	require.NoError(t, s.start(old))
	require.ErrorIs(t, s.start(fresh), errOther)
	require.NoError(t, s.load(true, fresh))
	require.NoError(t, s.start(fresh))
	require.ErrorIs(t, s.start(old), errOther)

	require.NoError(t, s.start(other, fresh))
	require.NoError(t, s.load(true, fresh), "one of two")
	require.NoError(t, s.start(fresh))
}

// A restored folder without its secret: a new one would not do, and is not made.
func TestARestoredFolderWithoutItsSecretSaysSo(t *testing.T) {
	dir, f := t.TempDir(), newFacts()
	settings := config.Secrets{DataDir: dir}
	first := loaded(t, settings, f)
	path := filepath.Join(dir, FileName)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	for range 2 {
		_, err = Load(t.Context(), settings, f, quiet)
		require.ErrorIs(t, err, errAbsent)
		require.ErrorContains(t, err, path+" is missing, and MILAAN_SECRET_KEY is not set, but this database was set up with a secret key: put the file back from your backup")
		require.Empty(t, entries(t, dir))
	}
	require.NoError(t, os.WriteFile(path, kept, 0o600))
	require.Equal(t, first, loaded(t, settings, f))

	require.NoError(t, os.Remove(path))
	settings.Lost = true
	anew := loaded(t, settings, f)
	require.NotEqual(t, first, anew)
	settings.Lost = false
	require.Equal(t, anew, loaded(t, settings, f))
}

// The generated file takes several secrets as the setting does.
func TestTheFileMayHoldSeveral(t *testing.T) {
	dir, f := t.TempDir(), newFacts()
	settings := config.Secrets{DataDir: dir}
	first := loaded(t, settings, f)
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append([]byte(hex.EncodeToString(counting(fresh))+","), text...), 0o600))
	both := loaded(t, settings, f)
	require.Equal(t, New(counting(fresh), first.first().master), both)
	require.Equal(t, both.first().check, New(counting(fresh)).first().check)
	require.Equal(t, [][32]byte{New(counting(fresh)).Subkeys("x")[0], first.Subkeys("x")[0]}, both.Subkeys("x"))
	require.Equal(t, []string{first.Of("x")}, both.Former("x"))
	require.Empty(t, first.Former("x"))
}
