package secrets

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"milaan/config"
)

// fileName is the generated secret's, in the data directory.
const fileName = "secret.key"

const secretBytes = 32

// Secret derives keys from the master secret. It fills ports.Subkeys,
// ports.Pseudonyms and ports.Sealer.
type Secret struct {
	master    []byte
	pseudonym [32]byte
	sealer    cipher.AEAD
}

// New derives from the given secret, which must be of at least 32 random bytes.
func New(master []byte) *Secret {
	s := &Secret{master: master}
	s.pseudonym = s.Subkey("pseudonyms")
	s.sealer = newSealer(s.Subkey("seals"))
	return s
}

// Subkey is HKDF-SHA256 of the secret; the purpose is the info.
func (s *Secret) Subkey(purpose string) [32]byte {
	key, err := hkdf.Key(sha256.New, s.master, nil, "milaan "+purpose, 32)
	if err != nil {
		panic(fmt.Sprintf("HKDF refuses constant lengths: %v", err))
	}
	return [32]byte(key)
}

// Of is the first 16 bytes of an HMAC-SHA256, in hexadecimal.
func (s *Secret) Of(text string) string {
	mac := hmac.New(sha256.New, s.pseudonym[:])
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// create writes a new secret beside its place and links it there, which fails
// if another copy was faster. A plain exclusive create would show the other
// copy an empty file for a moment.
func create(dir, path string) error {
	draft, err := os.CreateTemp(dir, fileName+".*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	var master [secretBytes]byte
	_, _ = rand.Read(master[:]) // never fails
	_, err = draft.WriteString(hex.EncodeToString(master[:]) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return os.Link(draft.Name(), path)
}

// read reads the file. One that others can read is made private and goes on in
// use, with a warning: refusing it would stop services whose volumes widen
// permissions at each mount.
func read(path string, log *slog.Logger) ([]byte, error) {
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
	var key config.SecretKey
	if err := key.UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("%s is damaged: it %w", path, err)
	}
	return key, nil
}
