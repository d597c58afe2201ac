package autopilot

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"time"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// snapshotKeys hashes what is remembered of files: a reader of the database learns nothing of
// them.
type snapshotKeys [32]byte

func (k snapshotKeys) hash(texts ...string) string {
	h := hashing.Fields{Hash: hmac.New(sha256.New, k[:])}
	for _, text := range texts {
		h.Text([]byte(text))
	}
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:16])
}

// take takes a snapshot of each file of a pass that can grow. before are the snapshots of the
// last pass, or the first ones of this pass; a file that has the same version there keeps its
// time. growing is a file whose version was not seen at least domain.SnapshotInterval ago; nil:
// there is none.
func (k snapshotKeys) take(
	sources []*passSource, before map[string]domain.Snapshot, now time.Time,
) (snapshots map[string]domain.Snapshot, growing *domain.ConnectorError) {
	snapshots = map[string]domain.Snapshot{}
	for _, s := range sources {
		for _, file := range s.files {
			if file.Settled {
				continue
			}
			key := k.hash(s.ID, string(s.Connector), file.Name)
			taken := domain.Snapshot{Version: k.hash(file.Version), At: now}
			if earlier, seen := before[key]; seen && earlier.Version == taken.Version && !earlier.At.After(now) {
				taken.At = earlier.At
			}
			if snapshots[key] = taken; now.Sub(taken.At) < domain.SnapshotInterval && growing == nil {
				growing = s.failure(domain.ConnectorError{Rule: domain.ConnGrowing, File: file.Name})
			}
		}
	}
	return snapshots, growing
}

// takeSnapshots takes snapshots of the files. A file that is new or has another version than at
// the last pass needs a second one, domain.SnapshotInterval later.
func (t *attempt) takeSnapshots(ctx context.Context) (snapshots map[string]domain.Snapshot, again time.Duration, err error) {
	now, keys := t.in.Clock(), snapshotKeys(t.keys[0])
	if t.Snapshots == nil {
		first, growing := keys.take(t.sources, t.State.Snapshots, now)
		if growing == nil {
			return first, 0, nil
		}
		return nil, domain.SnapshotInterval, t.in.Passes.StoreSnapshots(ctx, t.Pass.ID, now, first)
	}
	if wait := t.Pass.SnapshotAt.Add(domain.SnapshotInterval).Sub(now); wait > 0 {
		return nil, min(wait, domain.SnapshotInterval), nil
	}
	second, growing := keys.take(t.sources, t.Snapshots, now)
	if growing != nil {
		t.State.Snapshots = second // which the next pass need not begin anew
		return nil, 0, growing
	}
	return second, 0, nil
}

// inputHashes returns the hashes of the inputs of a pass, one by each secret of the service:
// equal for passes whose orders, files, terms and saved mappings are the same, on whatever day
// they are made. Files are the same if their versions are; but if their contents are known, as
// reports, then if these are, wherever they lie. Files that are left out belong to neither.
func (t *attempt) inputHashes(orders [32]byte, mappings map[string]domain.Mapping, reports []passReport) (all []domain.InputHash) {
	h := hashing.Fields{Hash: sha256.New()}
	h.Text(orders[:])
	h.Text([]byte(t.Connection.Brand))
	terms := t.terms()
	h.Number(terms.OffsetDays)
	h.Text([]byte(terms.OffsetSource))
	h.Number(int(terms.MinorGap))
	h.Text([]byte(t.Connection.Shop.Connector))
	h.Number(len(t.sources))
	for _, s := range t.sources {
		h.Text([]byte(s.Connector))
		if reports == nil {
			writeSettings(h, s.Settings, ports.FindConnector(t.in.Sources.Catalogue(), s.Connector))
		} else {
			h.Text([]byte(s.ID))
		}
		h.Text([]byte(s.Courier))
		h.Columns(domain.NamedColumns(s.Columns))
		if reports == nil {
			h.Number(len(s.files))
			for _, file := range s.files {
				h.Text([]byte(file.Name))
				h.Text([]byte(file.Version))
			}
		}
	}
	if reports != nil { // or else the hash is that of an earlier version
		h.Number(len(reports))
	}
	for i := range reports { // in their order, because a later report may correct an earlier one
		h.Number(reports[i].position)
		h.Text(reports[i].sum[:])
	}
	h.Number(len(mappings))
	for _, courier := range slices.Sorted(maps.Keys(mappings)) {
		h.Text([]byte(courier))
		for _, role := range domain.Roles() {
			h.Text([]byte(mappings[courier][role]))
		}
	}
	if terms.AcceptCharges { // or else the hash is that of an earlier version
		h.Flag(true)
	}
	sum := h.Sum(nil)
	for _, key := range t.keys {
		all = append(all, domain.InputHash(hashing.Keyed(key, "pass", t.Connection.ID, sum)))
	}
	return all
}

// writeSettings hashes the settings that are not secret: the version of a file means something
// only in one place.
func writeSettings(h hashing.Fields, settings domain.Settings, info ports.ConnectorInfo) {
	shown, _ := info.Show(settings)
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		h.Text([]byte(name))
		h.Text([]byte(shown[name]))
	}
	h.Number(-1)
}
