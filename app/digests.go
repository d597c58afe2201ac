package app

import (
	"crypto/sha256"
	"sync"

	"milaan/domain"
	"milaan/ports"
)

// Digesting makes the digests by which a run is found that was made before.
type Digesting struct {
	secrets [][32]byte // the present one, and then older ones: runs may be stored with their digests
}

// NewDigesting makes it. Of files it stores only hashes with a key of its own, which tell a
// reader of the database nothing. When a secret of the service is gone, no run of its time is
// found.
func NewDigesting(subkeys ports.Subkeys) *Digesting {
	return &Digesting{secrets: subkeys.Subkeys("run digests")}
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
// statement, decide on none of its results. The files must be as they were received.
func (d *Digesting) of(accountID string, t *task, terms domain.Terms) (all []domain.RunDigest) {
	sum := t.digest(terms)
	for _, secret := range d.secrets {
		all = append(all, domain.RunDigest(keyedHash(secret, "run", accountID, sum[:])))
	}
	return all
}

// digest returns a hash of everything that decides the results of a task. A single report is
// hashed as one of several, because it is read in the same way.
func (t *task) digest(terms domain.Terms) (sum digest) {
	reports := t.Reports
	if len(reports) == 0 {
		reports = []ports.Report{{Courier: t.Courier}}
	}
	files := t.hashFiles(reports)
	h := writing{sha256.New()}
	h.text([]byte(t.Brand))
	h.text([]byte(t.courier))
	h.number(terms.OffsetDays)
	h.number(int(terms.MinorGap))
	h.number(len(t.Sheets))
	for _, sheet := range t.Sheets {
		h.text([]byte(sheet))
	}
	h.columns(t.Columns)
	h.Write(files[0][:])
	h.number(len(reports))
	for i := range reports {
		h.Write(files[i+1][:])
		h.text([]byte(reports[i].CourierName))
		h.columns(reports[i].Columns)
	}
	h.Sum(sum[:0])
	return sum
}

// hashFiles returns the hashes of the export and then of the reports, which are hashed at the
// same time if they are large.
func (t *task) hashFiles(reports []ports.Report) []digest {
	sums := make([]digest, 1+len(reports))
	hashReports := func() {
		for i := range reports {
			sums[i+1] = sha256.Sum256(reports[i].Courier)
		}
	}
	var other sync.WaitGroup
	if t.Bytes()-int64(len(t.Storefront)) >= worthAnotherCore {
		other.Go(hashReports)
	} else {
		hashReports()
	}
	sums[0] = sha256.Sum256(t.Storefront)
	other.Wait()
	return sums
}
