package dashboard

import (
	"cmp"
	"encoding/hex"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func (d *Dashboard) addMappings(r Routes) {
	r.Read("/mappings", domain.Accountant, d.listMappings)
	r.Change(http.MethodDelete, "/mappings/:courier", domain.Accountant, func(c *gin.Context, by By) error {
		return noContent(c, d.Accounts.RemoveMapping(c.Request.Context(), by.Account.ID, c.Param("courier"), by.Actor()))
	})
	r.Change(http.MethodPost, "/named-mappings", domain.Accountant, Sending(d, d.saveMapping))
	r.Change(http.MethodPatch, "/named-mappings", domain.Accountant, Sending(d, func(c *gin.Context, by By, sent *struct {
		Name string `json:"name"`
		To   string `json:"to"`
	}) error {
		return noContent(c, d.Accounts.RenameMapping(c.Request.Context(), by.Account.ID, sent.Name, sent.To, by.Actor()))
	}))
	r.Change(http.MethodDelete, "/named-mappings", domain.Accountant, asking(func(c *gin.Context, by By) error {
		return noContent(c, d.Accounts.RemoveNamedMapping(c.Request.Context(), by.Account.ID, c.Query("name"), by.Actor()))
	}, "name"))
}

// listMappings is GET /account/mappings.
func (d *Dashboard) listMappings(c *gin.Context, by By) error {
	saved, err := d.Accounts.Mappings(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, courier := range d.Couriers.Catalogue() {
		names[courier.ID] = courier.Name
	}
	views := view.Each(saved, func(s *ports.StoredMapping) view.SavedMapping {
		name := cmp.Or(names[s.CourierName], s.CourierName) // of a courier that this version does not know
		return view.SavedMapping{Courier: s.CourierName, Name: name, Columns: s.Mapping.ByRole(), SavedAt: view.Instant(s.SavedAt)}
	})
	named, err := d.Accounts.NamedMappings(c.Request.Context(), by.Account.ID)
	return answer(c, http.StatusOK, struct {
		Mappings []view.SavedMapping `json:"mappings"`
		Named    []view.NamedMapping `json:"named"`
	}{views, view.Each(named, view.NewNamedMapping)}, err)
}

// saveMapping is POST /account/named-mappings.
func (d *Dashboard) saveMapping(c *gin.Context, by By, sent *struct {
	Name        string         `json:"name"`
	Header      string         `json:"header"`       // of pages: as an inspection has it
	HeaderNames []string       `json:"header_names"` // of programs, which see the report themselves
	Columns     domain.Columns `json:"columns"`
	Replace     bool           `json:"replace"`
}) error {
	m := ports.NewNamedMapping{Name: sent.Name, Columns: sent.Columns, Replace: sent.Replace}
	if hash, err := hex.DecodeString(sent.Header); err == nil && len(hash) == len(m.Header) {
		copy(m.Header[:], hash)
	} else if len(sent.HeaderNames) > 0 {
		m.Header, m.Names = domain.HashHeader(sent.HeaderNames), sent.HeaderNames
	}
	return noContent(c, d.Accounts.SaveMapping(c.Request.Context(), *by.Account, m, by.Actor()))
}
