package couriers

import (
	"slices"
	"strings"
	"unicode"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// registered are the profiles that have registered themselves. TestProfilesAreSound
// says what is wrong with one.
var registered []Profile

func register(p Profile) { registered = append(registered, p) }

// courier is a profile made ready for detection.
type courier struct {
	info       ports.CourierInfo
	signature  nameKeys
	own        nameKeys
	lastResort nameKeys
	noCharges  map[string]bool
}

// Registry is the catalogue of couriers.
type Registry struct {
	tables   peers.Tables
	couriers []courier // sorted by id, custom the last
}

// New makes the catalogue of all couriers that have a profile.
func New(tables peers.Tables) *Registry { return newRegistry(tables, registered) }

func newRegistry(tables peers.Tables, profiles []Profile) *Registry {
	r := &Registry{tables: tables}
	for _, p := range profiles {
		r.couriers = append(r.couriers, courier{
			info:       ports.CourierInfo{ID: p.ID, Name: p.Name, Signature: p.Signature.columns(), InStatements: p.InStatements},
			signature:  p.Signature.names().keys(),
			own:        p.Own.keys(),
			lastResort: p.LastResort.keys(),
			noCharges:  keySet(p.NoCharges...),
		})
		if last := &r.couriers[len(r.couriers)-1]; last.isCustom() {
			last.lastResort = vocabularyKeys
		}
	}
	slices.SortStableFunc(r.couriers, func(a, b courier) int { return strings.Compare(a.place(), b.place()) })
	return r
}

func (c *courier) place() string {
	if c.isCustom() {
		return "~" // after every id
	}
	return c.info.ID
}

func (c *courier) isCustom() bool { return c.info.ID == domain.CustomCourier }

// hasName says that the courier has a name for a role, the vocabulary's among custom's.
func (c *courier) hasName(role domain.Role, key string) bool {
	return slices.Contains(c.signature[role], key) || slices.Contains(c.own[role], key) || slices.Contains(c.lastResort[role], key)
}

func (r *Registry) Catalogue() []ports.CourierInfo {
	infos := make([]ports.CourierInfo, len(r.couriers))
	for i := range r.couriers {
		infos[i] = r.couriers[i].info
		infos[i].Signature = slices.Clone(infos[i].Signature)
		infos[i].InStatements = slices.Clone(infos[i].InStatements)
	}
	return infos
}

func (r *Registry) Identify(courierName string) (id string, known bool) {
	plain := plainID(courierName)
	for i := range r.couriers {
		if id := r.couriers[i].info.ID; plainID(id) == plain {
			return id, true
		}
	}
	return "", false
}

// plainID is a courier's id without what people write differently: case,
// blanks, - and _.
func plainID(id string) string {
	return strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || unicode.IsSpace(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, id)
}
