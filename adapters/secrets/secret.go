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

// FileName is the name of the file of the generated secret, in the data directory. The file
// exists only after a database was set up with the secret. Like the setting, it may hold
// several secrets with commas between them.
const FileName = "secret.key"

const secretBytes = 32

// Secrets derive keys from the master secrets: the first signs and seals, all verify and
// open.
type Secrets struct{ all []*secret }

// New derives from the given secrets, each of at least 32 random bytes. There must be at
// least one.
func New(masters ...[]byte) *Secrets {
	s := new(Secrets)
	for _, master := range masters {
		s.all = append(s.all, derive(master))
	}
	return s
}

func (s *Secrets) first() *secret { return s.all[0] }

func (s *Secrets) Subkeys(purpose string) (keys [][32]byte) {
	for _, secret := range s.all {
		keys = append(keys, secret.subkey(purpose))
	}
	return keys
}

// Of returns the first 16 bytes of an HMAC-SHA256, in hexadecimal.
func (s *Secrets) Of(text string) string { return s.first().pseudonymOf(text) }

// Former returns what Of returned while one of the older secrets was the first.
func (s *Secrets) Former(text string) (names []string) {
	for _, older := range s.all[1:] {
		names = append(names, older.pseudonymOf(text))
	}
	return names
}

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

// subkey returns a key derived by HKDF-SHA256; the purpose is its info.
func (s *secret) subkey(purpose string) [32]byte {
	return [32]byte(must(hkdf.Key(sha256.New, s.master, nil, "milaan "+purpose, 32)))
}

// must returns v. The functions that it is for fail only for lengths other than ours.
func must[T any](v T, err error) T {
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

// keep writes a secret to its file. It writes it to a file beside that first, so that no
// process ever reads a part of it, and it survives a power cut.
func keep(path string, master []byte) error {
	dir := filepath.Dir(path)
	draft, err := os.CreateTemp(dir, FileName+".*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // after an error; otherwise it was renamed
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

// syncNames makes the names in a directory survive a power cut. It ignores errors, because
// some systems cannot sync a directory.
func syncNames(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// read reads the file. If other users can read it, it is made private and used, with a
// warning: some volumes widen permissions at each mount, and a refusal would stop services on
// them.
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
		return nil, fmt.Errorf("%s %w: it %w", path, errDamaged, err)
	}
	return New(keys...), nil
}
