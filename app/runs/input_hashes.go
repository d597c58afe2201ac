package runs

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"fmt"
	"sync"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// InputHashing makes the hashes by which a run is found that was made before.
type InputHashing struct {
	keys []hashKey // of the present secret, and then of older ones: runs may be stored with hashes by these
}

// hashKey is what one secret hashes with.
type hashKey struct {
	secret [32]byte
	files  cipher.AEAD // hashes files
}

// NewInputHashing makes it. Of files it stores only hashes with a key of its own, which tell a
// reader of the database nothing. When a secret of the service is gone, no run of its time is
// found.
func NewInputHashing(subkeys ports.Subkeys) *InputHashing {
	h := new(InputHashing)
	for _, secret := range subkeys.Subkeys("run digests") {
		h.keys = append(h.keys, newHashKey(secret))
	}
	return h
}

func newHashKey(secret [32]byte) hashKey {
	key := hashing.Keyed(secret, "files", "", nil)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(fmt.Sprintf("cryptography refuses a length that is constant: %v", err))
	}
	files, err := cipher.NewGCM(block)
	if err != nil {
		panic(fmt.Sprintf("cryptography refuses a length that is constant: %v", err))
	}
	return hashKey{secret: secret, files: files}
}

// hashInputs hashes the inputs of a task of an account; there are no hashes if no documents are
// made. Large texts are hashed while they are read, in another goroutine; reading may
// alter workbooks. The files must stay until wait has returned the hashes.
func (r *Reconciling) hashInputs(a domain.Account, t *task) (wait func() []domain.InputHash) {
	if r.in.InputHashing == nil {
		return func() []domain.InputHash { return nil }
	}
	received, terms := *t, termsOf(t, a) // of its reports nothing is read here that is recalled or read meanwhile
	wait = sync.OnceValue(func() []domain.InputHash { return r.in.InputHashing.of(a.ID, &received, terms) })
	if t.Workbooks || t.Bytes() < worthAnotherCore {
		wait()
		return wait
	}
	go func() {
		defer func() { _ = recover() }() // the caller of wait gets the panic too
		wait()
	}()
	return wait
}

// of returns the hashes of a run, one by each secret. They are equal for tasks of one
// account whose files, terms and labels are the same; what the answer includes, and a bank
// statement, decide on none of its results.
func (h *InputHashing) of(accountID string, t *task, terms domain.Terms) (all []domain.InputHash) {
	for _, key := range h.keys {
		sum := key.inputs(t, terms)
		all = append(all, domain.InputHash(hashing.Keyed(key.secret, "run", accountID, sum[:])))
	}
	return all
}

// inputs returns a hash of everything that decides the results of a task. A single report is
// hashed as one of several, because it is read in the same way, and of couriers the ids are
// hashed, however a request writes them.
func (k *hashKey) inputs(t *task, terms domain.Terms) (sum [sha256.Size]byte) {
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
	h.Number(len(t.reports))
	for _, report := range t.reports {
		h.Text(k.hash(report.content))
		h.Text([]byte(report.courier))
		h.Columns(domain.NamedColumns(report.choice.Columns))
	}
	if terms.AcceptCharges { // or else the hash is that of an earlier version
		h.Flag(true)
	}
	if t.Previous != nil { // the same
		h.Number(-1 - domain.MaxReports)
		h.Text(k.hash(t.Previous))
	}
	for i, report := range t.reports {
		if report.mapping == "" {
			continue // the same
		}
		h.Number(-1 - i)
		h.Text([]byte(domain.MappingKey(report.mapping)))
		if asked := report.choice.Asked; asked != nil { // it may have been replaced under its name
			for _, column := range asked.Mapping {
				h.Text([]byte(column))
			}
		}
	}
	h.Sum(sum[:0])
	return sum
}

// hash returns a keyed hash of a file: an AES-GMAC, which takes a tenth of the time of
// SHA-256, because every run pays for it. Nobody can choose two files with the same hash
// without the key. The nonce is always the same, which is safe as long as nobody sees the
// hash: it only goes into an HMAC.
func (k *hashKey) hash(file []byte) []byte {
	return k.files.Seal(nil, make([]byte, k.files.NonceSize()), nil, file)
}
