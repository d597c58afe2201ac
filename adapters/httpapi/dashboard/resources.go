package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Resources are what the pages show of an account and what they change of it.
type Resources struct {
	fx.In

	Accounts ports.ManagingAccounts
	Webhooks ports.ManagingWebhooks
	Phones   ports.VerifyingPhones
	Gate     ports.Gate
	Billing  ports.ManagingBilling
	Exports  peers.Answers
	Closing  ports.ClosingAccounts
}

// addResources adds the routes of what an account has.
func (d *Dashboard) addResources(r Routes) {
	read := func(path string, least domain.MemberRole, h Handler) { r.Account(http.MethodGet, path, least, h) }
	change := func(method, path string, least domain.MemberRole, h Handler) {
		r.Account(method, path, least, d.countChange(h))
	}

	read("/api/runs", domain.Reader, d.listRuns)
	read("/api/runs/:id", domain.Reader, d.showRun)
	read("/api/trend", domain.Reader, d.showTrend)
	read("/api/compare", domain.Reader, d.compareRuns)

	read("/api/mappings", domain.Accountant, d.listMappings)
	change(http.MethodDelete, "/api/mappings/:courier", domain.Accountant, d.removeMapping)
	change(http.MethodPost, "/api/named-mappings", domain.Accountant, d.saveMapping)
	change(http.MethodPatch, "/api/named-mappings", domain.Accountant, d.renameMapping)
	change(http.MethodDelete, "/api/named-mappings", domain.Accountant, d.removeNamedMapping)

	for path, key := range map[string]keyHandlers{"/api/key": {d, domain.LiveKey}, "/api/sandbox-key": {d, domain.SandboxKey}} {
		read(path, domain.Owner, key.show)
		change(http.MethodPost, path, domain.Owner, key.replace)
		change(http.MethodDelete, path, domain.Owner, key.revoke)
	}

	read("/api/webhook", domain.Owner, d.showWebhook)
	change(http.MethodPut, "/api/webhook", domain.Owner, d.setWebhook)
	change(http.MethodDelete, "/api/webhook", domain.Owner, d.removeWebhook)
	change(http.MethodPost, "/api/webhook/secret", domain.Owner, d.showSecret)
	change(http.MethodPost, "/api/webhook/rotate", domain.Owner, d.rotateSecret)
	change(http.MethodPost, "/api/webhook/test", domain.Owner, d.testWebhook)
	read("/api/webhook/deliveries", domain.Owner, d.listDeliveries)
	change(http.MethodPost, "/api/webhook/deliveries/:id/redeliver", domain.Owner, d.redeliver)

	read("/api/branding", domain.Accountant, d.showBranding)
	change(http.MethodPut, "/api/branding", domain.Owner, d.setBranding)
	read("/api/branding/logo", domain.Accountant, d.showLogo)

	change(http.MethodPatch, "/api/account", domain.Owner, d.changeAccount)
	read("/api/security", domain.Owner, d.listEvents)
	read("/api/security/download", domain.Owner, d.downloadEvents)
	r.Own(http.MethodGet, "/account/export", domain.Owner, d.exportAccount)
	r.Own(http.MethodDelete, "/account", domain.Owner, d.countChange(d.closeAccount))
}

// countChange returns a handler that counts a change before it is made.
func (d *Dashboard) countChange(h Handler) Handler {
	return func(c *gin.Context, by By) error {
		if err := d.Gate.CountChange(c.Request.Context(), by.Account.ID); err != nil {
			return err
		}
		return h(c, by)
	}
}
