package dashboard

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// me is GET /app/api/me.
func (d *Dashboard) me(c *gin.Context, _ By) error {
	by, err := d.identify(c)
	if err != nil {
		return err
	}
	if by.ended {
		d.dropCookie(c, sessionCookie)
	}
	held := d.MaySend.Check(c.Request.Context())
	if held != nil && !errors.Is(held, domain.ErrHeld) {
		return held
	}
	v := view.Me{
		Visitor: "none", SignIn: view.SignIn{Link: d.Ways.Links, OIDC: d.Provider.Enabled()},
		Limits:        view.Limits{Rows: int(d.MaxRows), Reports: domain.MaxReports, BodyBytes: d.most},
		Defaults:      view.Defaults{OverdueDays: domain.DefaultOverdueDays, MinorGap: domain.DefaultMinorGap},
		RetentionDays: days(d.Background.RunRetention), BaseURL: d.server.Base(), Sandbox: bool(d.Sandbox),
		PhoneCodes: d.Phones.CanSend(), Held: held != nil,
		Couriers: []view.Courier{}, Languages: []view.Language{}, SignUp: d.Ways.SignUp, Billing: bool(d.Sells), Accounts: []view.WorksFor{},
	}
	for _, courier := range d.Couriers.Catalogue() {
		v.Couriers = append(v.Couriers, view.Courier{ID: courier.ID, Name: courier.Name})
	}
	for _, l := range d.Languages.All() {
		v.Languages = append(v.Languages, view.Language{Code: l.Code, Name: l.Name})
	}
	switch {
	case by.Account != nil:
		usage, err := d.History.Usage(c.Request.Context(), *by.Account)
		if err != nil {
			return err
		}
		works, err := d.SigningIn.AccountsOf(c.Request.Context(), by.signedIn())
		if err != nil {
			return err
		}
		for _, m := range works {
			v.Accounts = append(v.Accounts, view.WorksFor{ID: m.Account.ID, Email: m.Account.Email, Role: m.Role})
		}
		v.Person, v.Role = &by.Email, &by.Role
		v.Setup = &view.Setup{Phone: by.Account.PhoneVerified,
			Subscription: by.Account.SubscriptionAt(d.Clock()) != domain.SubscriptionIncomplete}
		v.Visitor, v.Account = "account", view.NewAccount(by.Account, d.Clock())
		v.Quota = &view.Quota{Used: usage.Used, ResetsOn: usage.ResetsOn.String()}
		if usage.Limited {
			v.Quota.Cap = &usage.Cap
		}
	case d.isVisitor(c.Request):
		v.Visitor = "local"
	}
	return answer(c, http.StatusOK, v, nil)
}
