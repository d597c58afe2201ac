package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// addResources adds the routes of what the pages show of an account and what they change of it.
func (d *Dashboard) addResources(r Routes) {
	read, change := d.owned(r)
	read("/runs", domain.Reader, d.listRuns)
	read("/runs/:id", domain.Reader, d.showRun)
	r.Account(http.MethodGet, "/api/trend", domain.Reader, d.showTrend)
	read("/compare", domain.Reader, d.compareRuns)

	read("/mappings", domain.Accountant, d.listMappings)
	change(http.MethodDelete, "/mappings/:courier", domain.Accountant, d.removeMapping)
	change(http.MethodPost, "/named-mappings", domain.Accountant, Sending(d, d.saveMapping))
	change(http.MethodPatch, "/named-mappings", domain.Accountant, Sending(d, d.renameMapping))
	change(http.MethodDelete, "/named-mappings", domain.Accountant, d.removeNamedMapping)

	for path, key := range map[string]keyHandlers{"/api/key": {d, domain.LiveKey}, "/api/sandbox-key": {d, domain.SandboxKey}} {
		r.Account(http.MethodGet, path, domain.Owner, key.show)
		r.Account(http.MethodPost, path, domain.Owner, d.CountChange(Sending(d, key.replace)))
		r.Account(http.MethodDelete, path, domain.Owner, d.CountChange(Sending(d, key.revoke)))
	}

	read("/webhook", domain.Owner, d.showWebhook)
	change(http.MethodPut, "/webhook", domain.Owner, Sending(d, d.setWebhook))
	change(http.MethodDelete, "/webhook", domain.Owner, d.removeWebhook)
	change(http.MethodPost, "/webhook/secret", domain.Owner, d.showSecret)
	change(http.MethodPost, "/webhook/rotate", domain.Owner, d.rotateSecret)
	change(http.MethodPost, "/webhook/test", domain.Owner, d.testWebhook)
	read("/webhook/deliveries", domain.Owner, d.listDeliveries)
	change(http.MethodPost, "/webhook/deliveries/:id/redeliver", domain.Owner, d.redeliver)

	read("/branding", domain.Accountant, d.showBranding)
	change(http.MethodPut, "/branding", domain.Owner, d.setBranding)
	read("/branding/logo", domain.Accountant, d.showLogo)

	read("/books", domain.Accountant, d.showBooks)
	change(http.MethodPut, "/books", domain.Owner, Sending(d, d.setBooks))

	r.Account(http.MethodPatch, "/api/account", domain.Owner, d.CountChange(Sending(d, d.changeAccount)))
	r.Account(http.MethodGet, "/api/security", domain.Owner, d.listEvents)
	r.Account(http.MethodGet, "/api/security/download", domain.Owner, d.downloadEvents)
	read("/account/export", domain.Owner, d.exportAccount)
	change(http.MethodDelete, "/account", domain.Owner, Sending(d, d.closeAccount))
}

// owned returns what adds a route of Own that reads, and one that changes and is counted.
func (d *Dashboard) owned(r Routes) (
	read func(path string, least domain.MemberRole, h Handler), change func(method, path string, least domain.MemberRole, h Handler),
) {
	read = func(path string, least domain.MemberRole, h Handler) { r.Own(http.MethodGet, path, least, h) }
	change = func(method, path string, least domain.MemberRole, h Handler) {
		r.Own(method, path, least, d.CountChange(h))
	}
	return read, change
}

// CountChange returns a handler that counts a change before it is made.
func (d *Dashboard) CountChange(h Handler) Handler {
	return func(c *gin.Context, by By) error {
		if err := d.Gate.CountChange(c.Request.Context(), by.Account.ID); err != nil {
			return err
		}
		return h(c, by)
	}
}
