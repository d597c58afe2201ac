package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// meView is what the pages know of the service and of who asks.
type meView struct {
	Visitor       string         `json:"visitor"` // account, local or none
	SignIn        signInView     `json:"sign_in"`
	Billing       bool           `json:"billing"` // plans are bought here
	SignUp        bool           `json:"sign_up"` // whoever signs in at the provider makes an account
	Person        *string        `json:"person"`  // e-mail address of who has signed in
	Role          *string        `json:"role"`    // theirs in the account
	Accounts      []worksForView `json:"accounts"`
	Setup         *setupView     `json:"setup"`
	Account       *view.Account  `json:"account"`
	Quota         *quotaView     `json:"quota"`
	Limits        limitsView     `json:"limits"`
	Couriers      []courierView  `json:"couriers"`
	Languages     []languageView `json:"languages"`
	Defaults      defaultsView   `json:"defaults"`
	RetentionDays int            `json:"retention_days"`
	BaseURL       string         `json:"base_url"`
	Sandbox       bool           `json:"sandbox"`
	PhoneCodes    bool           `json:"phone_codes"` // the service sends codes to verify numbers
}

// signInView says by which ways people can sign in.
type signInView struct {
	Link bool `json:"link"`
	OIDC bool `json:"oidc"`
}

// worksForView is an account that the person can go on to.
type worksForView struct {
	ID    string            `json:"id"`
	Email string            `json:"email"`
	Role  domain.MemberRole `json:"role"`
}

// setupView says what of an account's setup is done.
type setupView struct {
	Phone        bool `json:"phone"`        // it is verified
	Subscription bool `json:"subscription"` // there is one, or was
}

type quotaView struct {
	Used     int    `json:"used"`
	Cap      *int   `json:"cap"` // null: no limit
	ResetsOn string `json:"resets_on"`
}

type limitsView struct {
	Rows      int   `json:"rows"` // of all reports of a run together
	Reports   int   `json:"reports"`
	BodyBytes int64 `json:"body_bytes"`
}

type courierView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type languageView struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type defaultsView struct {
	OverdueDays int `json:"overdue_days"`
	MinorGap    int `json:"minor_gap"` // rupees
}

// me is GET /app/api/me.
func (d *Dashboard) me(c *gin.Context, _ By) error {
	by, err := d.identify(c)
	if err != nil {
		return err
	}
	if by.ended {
		d.dropCookie(c, sessionCookie)
	}
	v := meView{
		Visitor: "none", SignIn: signInView{Link: d.Ways.Links, OIDC: d.Provider.Enabled()},
		Limits:        limitsView{Rows: int(d.MaxRows), Reports: domain.MaxReports, BodyBytes: d.most},
		Defaults:      defaultsView{OverdueDays: domain.DefaultOverdueDays, MinorGap: domain.DefaultMinorGap},
		RetentionDays: days(d.Background.RunRetention), BaseURL: d.server.Base(), Sandbox: bool(d.Sandbox), PhoneCodes: d.Phones.CanSend(),
		Couriers: []courierView{}, Languages: []languageView{}, SignUp: d.Ways.SignUp, Billing: bool(d.Sells), Accounts: []worksForView{},
	}
	for _, courier := range d.Couriers.Catalogue() {
		v.Couriers = append(v.Couriers, courierView{ID: courier.ID, Name: courier.Name})
	}
	for _, l := range d.Languages.All() {
		v.Languages = append(v.Languages, languageView{Code: l.Code, Name: l.Name})
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
			v.Accounts = append(v.Accounts, worksForView{ID: m.Account.ID, Email: m.Account.Email, Role: m.Role})
		}
		v.Person, v.Role = &by.Email, new(string(by.Role))
		v.Setup = &setupView{Phone: by.Account.PhoneVerified, Subscription: by.Account.SubscriptionAt(d.Clock()) != domain.SubscriptionIncomplete}
		v.Visitor, v.Account = "account", view.NewAccount(by.Account, d.Clock())
		v.Quota = &quotaView{Used: usage.Used, ResetsOn: usage.ResetsOn.String()}
		if usage.Limited {
			v.Quota.Cap = &usage.Cap
		}
	case d.isVisitor(c.Request):
		v.Visitor = "local"
	}
	writeJSON(c, http.StatusOK, v)
	return nil
}
