package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
)

// sealVersion is the first byte of every seal, so that the way of sealing can change and
// older seals can still be opened.
const sealVersion = 1

// errSeal is the one error for a seal that cannot be opened: any detail would help only an
// attacker.
var errSeal = errors.New("this seal is damaged, of another place or by a secret key that is lost")

// newSealer makes AES-256-GCM with random nonces. One key may make 2^32 seals
// before two nonces could meet (NIST SP 800-38D, section 8.3): a thousand a
// minute for eight years.
func newSealer(key [32]byte) cipher.AEAD {
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(key[:]))))
}

// Seal returns a version byte, the nonce, the encrypted text and its tag: 29 bytes more
// than the text has.
func (s *Secrets) Seal(text []byte, place ...string) []byte {
	sealer := s.first().sealer
	sealed := make([]byte, 1, 1+len(text)+sealer.Overhead())
	sealed[0] = sealVersion
	return sealer.Seal(sealed, nil, text, bind(place))
}

// Open tries all secrets: a seal does not say which one made it, so that versions of the
// service with only one secret can open it too.
func (s *Secrets) Open(sealed []byte, place ...string) ([]byte, error) {
	text, _, err := s.open(sealed, place)
	return text, err
}

func (s *Secrets) Reseal(sealed []byte, place ...string) ([]byte, error) {
	text, by, err := s.open(sealed, place)
	if err != nil || by == s.first() {
		return nil, err
	}
	return s.Seal(text, place...), nil
}

// open also returns the secret by which the text was sealed.
func (s *Secrets) open(sealed []byte, place []string) (text []byte, by *secret, err error) {
	if len(sealed) == 0 || sealed[0] != sealVersion {
		return nil, nil, errSeal
	}
	for _, secret := range s.all {
		if text, err := secret.sealer.Open(nil, nil, sealed[1:], bind(place)); err == nil {
			return text, secret, nil
		}
	}
	return nil, nil, errSeal
}

// bind returns what a seal is bound to: the version and the place. Each part follows its
// length, because otherwise ("ab", "c") and ("a", "bc") would be the same place.
func bind(place []string) []byte {
	bound := []byte{sealVersion}
	for _, part := range place {
		bound = binary.BigEndian.AppendUint64(bound, uint64(len(part)))
		bound = append(bound, part...)
	}
	return bound
}
