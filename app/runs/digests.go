package runs

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"fmt"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// Digesting makes the digests by which a run is found that was made before.
type Digesting struct {
	keys []digestKey // of the present secret, and then of older ones: runs may be stored with their digests
}

// digestKey is what one secret hashes with.
type digestKey struct {
	secret [32]byte
	files  cipher.AEAD // hashes files
}

// NewDigesting makes it. Of files it stores only hashes with a key of its own, which tell a
// reader of the database nothing. When a secret of the service is gone, no run of its time is
// found.
func NewDigesting(subkeys ports.Subkeys) *Digesting {
	d := new(Digesting)
	for _, secret := range subkeys.Subkeys("run digests") {
		d.keys = append(d.keys, newDigestKey(secret))
	}
	return d
}

func newDigestKey(secret [32]byte) digestKey {
	key := hashing.Keyed(secret, "files", "", nil)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(fmt.Sprintf("cryptography refuses a length that is constant: %v", err))
	}
	files, err := cipher.NewGCM(block)
	if err != nil {
		panic(fmt.Sprintf("cryptography refuses a length that is constant: %v", err))
	}
	return digestKey{secret: secret, files: files}
}

// digestsOf returns the digests of a task of an account; none if no documents are made. The
// files must be as they were received.
func (r *Reconciling) digestsOf(a domain.Account, t *task) []domain.RunDigest {
	if r.in.Digesting == nil {
		return nil
	}
	return r.in.Digesting.of(a.ID, t, domain.TermsFor(t.OverdueDays, a.OverdueDays, t.MinorGap))
}

// of returns the digests of a run, one by each secret. They are equal for tasks of one
// account whose files, terms and labels are the same; what the answer includes, and a bank
// statement, decide on none of its results.
func (d *Digesting) of(accountID string, t *task, terms domain.Terms) (all []domain.RunDigest) {
	for _, key := range d.keys {
		sum := key.digest(t, terms)
		all = append(all, domain.RunDigest(hashing.Keyed(key.secret, "run", accountID, sum[:])))
	}
	return all
}

// digest returns a hash of everything that decides the results of a task. A single report is
// hashed as one of several, because it is read in the same way, and of couriers the ids are
// hashed, however a request writes them.
func (k *digestKey) digest(t *task, terms domain.Terms) (sum digest) {
	h := hashing.Fields{Hash: sha256.New()}
	h.Text([]byte(t.Brand))
	h.Text([]byte(t.courier))
	h.Number(terms.OffsetDays)
	h.Number(int(terms.MinorGap))
	h.Number(len(t.Sheets))
	for _, sheet := range t.Sheets {
		h.Text([]byte(sheet))
	}
	h.Text(k.hash(t.Storefront))
	h.Number(1 + len(t.others))
	for i := range 1 + len(t.others) {
		report := t.report(i + 1)
		h.Text(k.hash(report.content))
		h.Text([]byte(report.courier))
		columns := map[string]string{}
		for role, column := range report.choice.Columns {
			columns[role.String()] = column
		}
		h.Columns(columns)
	}
	h.Sum(sum[:0])
	return sum
}

// hash returns a keyed hash of a file: an AES-GMAC, which takes a tenth of the time of
// SHA-256, because every run pays for it. Nobody can choose two files with the same hash
// without the key. The nonce is always the same, which is safe as long as nobody sees the
// hash: it only goes into an HMAC.
func (k *digestKey) hash(file []byte) []byte {
	return k.files.Seal(nil, make([]byte, k.files.NonceSize()), nil, file)
}
