package secrets

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"milaan/config"
)

// FileName is the generated secret's, in the data directory. It is there only
// once a database has been set up with it. Like the setting, it may hold several
// secrets with commas between them.
const FileName = "secret.key"

const secretBytes = 32

// Secrets derive keys from the master secrets: the first signs and seals, all
// verify and open. They fill ports.Subkeys, ports.Pseudonyms and glue.Resealer.
type Secrets struct{ all []*secret }

// New derives from the given secrets, which must be of at least 32 random bytes
// each. There must be one.
func New(masters ...[]byte) *Secrets {
	s := new(Secrets)
	for _, master := range masters {
		s.all = append(s.all, derive(master))
	}
	return s
}

func (s *Secrets) first() *secret { return s.all[0] }

// Subkeys gives the keys for a purpose by each secret, the first one's first.
func (s *Secrets) Subkeys(purpose string) (keys [][32]byte) {
	for _, secret := range s.all {
		keys = append(keys, secret.subkey(purpose))
	}
	return keys
}

// Of is the first 16 bytes of an HMAC-SHA256, in hexadecimal.
func (s *Secrets) Of(text string) string { return s.first().pseudonymOf(text) }

// Former is what Of gave when one of the older secrets was the first.
func (s *Secrets) Former(text string) (names []string) {
	for _, older := range s.all[1:] {
		names = append(names, older.pseudonymOf(text))
	}
	return names
}

// knows says that one of the secrets has this check value.
func (s *Secrets) knows(check string) bool {
	return slices.ContainsFunc(s.all, func(secret *secret) bool { return secret.check == check })
}

// secret is what is derived from one master secret.
type secret struct {
	master    []byte
	check     string // tells the secret from others, and is of no help in finding it
	pseudonym [32]byte
	sealer    cipher.AEAD
}

func derive(master []byte) *secret {
	s := &secret{master: master}
	check := s.subkey("check value")
	s.check = hex.EncodeToString(check[:16])
	s.pseudonym = s.subkey("pseudonyms")
	s.sealer = newSealer(s.subkey("seals"))
	return s
}

// subkey is HKDF-SHA256 of the secret; the purpose is the info.
func (s *secret) subkey(purpose string) [32]byte {
	return [32]byte(sure(hkdf.Key(sha256.New, s.master, nil, "milaan "+purpose, 32)))
}

// sure is for what fails for other lengths than ours only.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("cryptography refuses lengths that are constant: %v", err))
	}
	return v
}

func (s *secret) pseudonymOf(text string) string {
	mac := hmac.New(sha256.New, s.pseudonym[:])
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// keep puts a secret in its place. It writes it beside that first: nobody ever sees
// a part of it, and it outlasts a power cut.
func keep(path string, master []byte) error {
	dir := filepath.Dir(path)
	draft, err := os.CreateTemp(dir, FileName+".*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // where it has not become the secret
	_, err = draft.WriteString(hex.EncodeToString(master) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), path); err != nil {
		return err
	}
	syncNames(dir)
	return nil
}

// syncNames makes the names in a directory outlast a power cut. Where the system
// has no such thing, the secret is as safe as it can be.
func syncNames(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// read reads the file. One that others can read is made private and goes on in
// use, with a warning: refusing it would stop services whose volumes widen
// permissions at each mount.
func read(path string, log *slog.Logger) (*Secrets, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, fmt.Errorf("other users can read it, and that cannot be changed: %w", err)
		}
		log.Warn("other users of this machine could read the service's secret; its file is private now", "file", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var keys config.SecretKeys
	if err := keys.UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("%s is damaged: it %w", path, err)
	}
	return New(keys...), nil
}
