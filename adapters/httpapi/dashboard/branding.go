package dashboard

import (
	"encoding/base64"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// mostBranding is how many bytes the body of a branding may have: a logo in base64, and the
// texts.
const mostBranding = 512 << 10

func (d *Dashboard) addBranding(r Routes) {
	r.Read("/branding", domain.Accountant, func(c *gin.Context, by By) error {
		b, err := d.Accounts.ShowBranding(c.Request.Context(), by.Account.ID)
		if err != nil && !errors.Is(err, domain.ErrNoBranding) {
			return err
		}
		return answer(c, http.StatusOK, view.NewBranding(&b), nil)
	})
	r.Change(http.MethodPut, "/branding", domain.Owner, d.setBranding)
	r.Read("/branding/logo", domain.Accountant, func(c *gin.Context, by By) error {
		b, err := d.Accounts.ShowBranding(c.Request.Context(), by.Account.ID)
		if err == nil && len(b.Logo) == 0 {
			err = domain.ErrNoBranding
		}
		if err != nil {
			return err
		}
		c.Data(http.StatusOK, "image/png", b.Logo)
		return nil
	})
}

// setBranding is PUT /account/branding. What is not given stays as it is.
func (d *Dashboard) setBranding(c *gin.Context, by By) error {
	var sent struct {
		Name   *string `json:"name"`
		Colour *string `json:"colour"`
		Footer *string `json:"footer"`
		Logo   string  `json:"logo"` // a PNG or JPEG in base64
		NoLogo bool    `json:"no_logo"`
	}
	if err := d.readSent(c, &by, mostBranding, &sent); err != nil {
		return err
	}
	change := ports.BrandingChange{Name: sent.Name, Colour: sent.Colour, Footer: sent.Footer, NoLogo: sent.NoLogo}
	if sent.Logo != "" {
		logo, err := base64.StdEncoding.DecodeString(sent.Logo)
		if err != nil || len(logo) == 0 {
			return domain.Faults{{Field: domain.FieldBrandingLogo, Rule: domain.RuleImage}}.Err()
		}
		change.Logo = logo
	}
	b, err := d.Accounts.SetBranding(c.Request.Context(), *by.Account, by.Actor(), change)
	return answer(c, http.StatusOK, view.NewBranding(&b), err)
}
