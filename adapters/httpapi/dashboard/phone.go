package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// addPhone adds the routes by which an account's phone number is verified. They are there
// while it is not verified and while the account's setup is not complete.
func (d *Dashboard) addPhone(r Routes) {
	r.Read("/account/phone", domain.Owner, func(c *gin.Context, by By) error {
		state, err := d.Phones.State(c.Request.Context(), *by.Account)
		return answer(c, http.StatusOK, view.NewPhone[view.Instant](&state), err)
	})
	r.Change(http.MethodPost, "/account/phone", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Number string `json:"number"`
	}) error {
		code, err := d.Phones.Send(c.Request.Context(), *by.Account, sent.Number, by.Actor())
		return answer(c, http.StatusAccepted, view.NewSentCode[view.Instant](&code), err)
	}))
	r.Change(http.MethodPost, "/account/phone/verify", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Code string `json:"code"`
	}) error {
		err := d.Phones.Verify(c.Request.Context(), *by.Account, sent.Code, by.Actor())
		return answer(c, http.StatusOK, struct {
			Verified bool `json:"verified"`
		}{true}, err)
	}))
}
