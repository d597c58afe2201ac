package autopilot

import (
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

// lookKeys hashes what is remembered of files: a reader of the database learns nothing of
// them.
type lookKeys [32]byte

// hash returns a keyed hash of texts.
func (k lookKeys) hash(texts ...string) string {
	h := hashing.Fields{Hash: hmac.New(sha256.New, k[:])}
	for _, text := range texts {
		h.Text([]byte(text))
	}
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:16])
}

// looked is what a look at the files of a pass has found.
type looked struct {
	// looks are all files that can grow. A file that an earlier look saw with the same
	// version keeps the time of that look.
	looks   map[string]domain.Look
	growing *domain.ConnectorError // a file that was not seen at least domain.LookSpan ago with the same version; nil: there is none
}

// look looks at the files of a pass. before are the looks of the last pass, or the first look
// of this one.
func (k lookKeys) look(sources []*passSource, before map[string]domain.Look, now time.Time) looked {
	found := looked{looks: map[string]domain.Look{}}
	for _, s := range sources {
		for _, file := range s.files {
			if file.Settled {
				continue
			}
			key := k.hash(s.ID, string(s.Connector), file.Name)
			look := domain.Look{Version: k.hash(file.Version), At: now}
			if earlier, seen := before[key]; seen && earlier.Version == look.Version && !earlier.At.After(now) {
				look.At = earlier.At
			}
			if found.looks[key] = look; now.Sub(look.At) < domain.LookSpan && found.growing == nil {
				found.growing = s.failure(domain.ConnectorError{Rule: domain.ConnGrowing, File: file.Name})
			}
		}
	}
	return found
}

// digests returns the digests of the inputs of a pass, one by each secret of the service:
// equal for passes whose orders, files, terms and saved mappings are the same, on whatever day
// they are made.
func (p *Passing) digests(t *attempt, orders [32]byte, mappings map[string]domain.Mapping) (all []domain.RunDigest) {
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
		writeSettings(h, s.Settings, ports.FindConnector(p.in.Sources.Catalogue(), s.Connector))
		h.Text([]byte(s.Courier))
		columns := map[string]string{}
		for role, column := range s.Columns {
			columns[role.String()] = column
		}
		h.Columns(columns)
		h.Number(len(s.files))
		for _, file := range s.files {
			h.Text([]byte(file.Name))
			h.Text([]byte(file.Version))
		}
	}
	h.Number(len(mappings))
	for _, courier := range slices.Sorted(maps.Keys(mappings)) {
		h.Text([]byte(courier))
		for _, role := range domain.Roles() {
			h.Text([]byte(mappings[courier][role]))
		}
	}
	sum := h.Sum(nil)
	for _, key := range p.keys {
		all = append(all, domain.RunDigest(hashing.Keyed(key, "pass", t.Connection.ID, sum)))
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
