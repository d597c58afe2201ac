package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// listMappings is GET /app/api/mappings.
func (d *Dashboard) listMappings(c *gin.Context, by By) error {
	saved, err := d.Accounts.Mappings(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, courier := range d.Couriers.Catalogue() {
		names[courier.ID] = courier.Name
	}
	views := make([]view.SavedMapping, len(saved))
	for i, s := range saved {
		views[i] = view.SavedMapping{Courier: s.CourierName, Name: names[s.CourierName], Columns: s.Mapping.ByRole(),
			SavedAt: view.Instant(s.SavedAt)}
		if views[i].Name == "" {
			views[i].Name = s.CourierName // a courier that this version does not know
		}
	}
	writeJSON(c, http.StatusOK, struct {
		Mappings []view.SavedMapping `json:"mappings"`
	}{views})
	return nil
}

// removeMapping is DELETE /app/api/mappings/:courier.
func (d *Dashboard) removeMapping(c *gin.Context, by By) error {
	return noContent(c, d.Accounts.RemoveMapping(c.Request.Context(), by.Account.ID, c.Param("courier"), domain.ByDashboard))
}
