package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/adapters/httpapi/packing"
	"milaan/domain"
)

// addWords adds GET /app/api/words/:code: the translations of the texts of the pages, by
// their English text. They change with the program alone, so browsers keep them.
func (d *Dashboard) addWords(r Routes) {
	languages := map[string]http.Handler{}
	for _, l := range d.Languages.All() {
		words := d.Languages.Pages(l.Code)
		if len(words) == 0 {
			words = []byte("{}")
		}
		languages[l.Code] = assets.Text(l.Code+".json", words, assets.Packing{Accepted: packing.Accepted, Small: packing.Small})
	}
	r.Anyone(http.MethodGet, "/api/words/:code", func(c *gin.Context, _ By) error {
		words, known := languages[c.Param("code")]
		if !known {
			return &domain.Error{Kind: domain.KindMissing, Code: domain.CodeNoRoute}
		}
		words.ServeHTTP(c.Writer, c.Request)
		return nil
	})
}
