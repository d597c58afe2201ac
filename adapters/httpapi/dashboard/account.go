package dashboard

import (
	"cmp"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// addAccount adds the routes of an account's settings and its security log, and of its end.
func (d *Dashboard) addAccount(r Routes) {
	r.Account(http.MethodPatch, "/api/account", domain.Owner, d.countChange(Sending(d, d.changeAccount)))
	r.Account(http.MethodGet, "/api/security", domain.Owner, func(c *gin.Context, by By) error {
		events, err := d.Gate.LatestEvents(c.Request.Context(), by.Account.ID)
		return list(c, "events", events, view.NewSecurityEvent, err)
	})
	r.Account(http.MethodGet, "/api/security/download", domain.Owner, d.downloadEvents)
	r.Read("/account/export", domain.Owner, d.exportAccount)
	r.Change(http.MethodDelete, "/account", domain.Owner, Sending(d, d.closeAccount))
}

// changeAccount is PATCH /app/api/account. People may change the days until an unpaid order
// of theirs is overdue, of which 0 stands for the service's own, and what charges are.
func (d *Dashboard) changeAccount(c *gin.Context, by By, sent *struct {
	OverdueDays *float64        `json:"overdue_days"`
	Charges     *domain.Charges `json:"charges"`
}) error {
	changed, err := d.Accounts.Change(c.Request.Context(), by.Account.Email, by.Actor(), func(a *domain.Account, _ domain.Day) error {
		if sent.Charges != nil {
			if err := a.ChooseCharges(*sent.Charges); err != nil {
				return err
			}
		}
		if sent.OverdueDays == nil {
			return nil
		}
		days := *sent.OverdueDays
		if days < 0 || days > domain.MaxOverdueDays || days != float64(int(days)) {
			return domain.Faults{domain.OutOfBounds(domain.FieldOwnOverdueDays)}.Err()
		}
		a.OverdueDays = int(days)
		return nil
	})
	return answer(c, http.StatusOK, view.NewAccount(&changed, d.Clock()), err)
}

// downloadEvents is GET /app/api/security/download, with format csv or json: the whole log.
func (d *Dashboard) downloadEvents(c *gin.Context, by By) error {
	format := cmp.Or(c.Query("format"), "csv")
	if format != "csv" && format != "json" {
		return domain.Faults{{Field: domain.FieldFormat, Rule: domain.RuleOneOf, Options: []string{"csv", "json"}}}.Err()
	}
	c.Header("Content-Disposition", `attachment; filename="milaan-security-`+domain.DayOf(d.Clock()).String()+"."+format+`"`)
	events := d.Gate.AllEvents(c.Request.Context(), by.Account.ID)
	return d.server.Stream(c, by.Account.ID, func(out io.Writer) error {
		if format == "csv" {
			c.Header("Content-Type", "text/csv; charset=utf-8")
		}
		return d.Exports.WriteSecurityLog(out, events, format == "csv")
	})
}
