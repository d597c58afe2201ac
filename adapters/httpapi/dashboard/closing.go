package dashboard

import (
	"io"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports"
)

// exportAccount is GET /account/export.
func (d *Dashboard) exportAccount(c *gin.Context, by By) error {
	export, err := d.Closing.Export(c.Request.Context(), by.Account.ID, by.Actor())
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", `attachment; filename="milaan-`+domain.DayOf(export.At).String()+`.json"`)
	return d.server.Stream(c, by.Account.ID, func(out io.Writer) error { return d.Exports.WriteExport(out, export) })
}

// closeAccount is DELETE /account. A person confirms it by typing the account's e-mail
// address.
func (d *Dashboard) closeAccount(c *gin.Context, by By, sent *struct {
	Confirm string `json:"confirm"`
}) error {
	if err := d.Closing.Close(c.Request.Context(), *by.Account, ports.Closing{Confirm: sent.Confirm, By: by.Actor()}); err != nil {
		return err
	}
	if by.Session.ID != "" {
		d.dropCookie(c, sessionCookie)
	}
	return noContent(c, nil)
}
