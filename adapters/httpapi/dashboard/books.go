package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

func (d *Dashboard) addBooks(r Routes) {
	r.Read("/books", domain.Accountant, func(c *gin.Context, by By) error {
		b, err := d.Accounts.ShowBooks(c.Request.Context(), by.Account.ID)
		return answer(c, http.StatusOK, view.NewBooks(&b), err)
	})
	// What is not given stays as it is.
	r.Change(http.MethodPut, "/books", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Ledgers map[string]string `json:"ledgers"` // by key
		ByOrder *bool             `json:"by_order"`
	}) error {
		b, err := d.Accounts.SetBooks(c.Request.Context(), by.Account.ID, by.Actor(), func(b *domain.Books) {
			for _, ledger := range b.Ledgers() {
				if name, given := sent.Ledgers[ledger.Key]; given {
					*ledger.Name = name
				}
			}
			if sent.ByOrder != nil {
				b.ByOrder = *sent.ByOrder
			}
		})
		return answer(c, http.StatusOK, view.NewBooks(&b), err)
	}))
}
