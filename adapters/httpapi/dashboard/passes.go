package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/peers"
)

// passNames are the names of a page for the warnings of a pass, whose orders come from no file.
type passNames struct{ peers.Names }

func (passNames) Surface() peers.Surface { return peers.Passes }

func (d *Dashboard) viewPass(r *http.Request, p *domain.Pass) view.Pass {
	return view.NewPass(p, d.sentences(r), func(w *domain.Warning) string {
		return d.Words(r).Warning(w, passNames{d.Names(r)})
	})
}

// askPass is POST /account/connections/:id/run.
func (d *Dashboard) askPass(c *gin.Context, by By) error {
	asked, err := d.Connections.Run(c.Request.Context(), by.Account.ID, c.Param("id"))
	return answer(c, http.StatusAccepted, d.viewPass(c.Request, &asked), err)
}

// listPasses is GET /account/connections/:id/passes, the latest first.
func (d *Dashboard) listPasses(c *gin.Context, by By) error {
	latest, err := d.Connections.Passes(c.Request.Context(), by.Account.ID, c.Param("id"))
	return list(c, "passes", latest, func(p *domain.Pass) view.Pass { return d.viewPass(c.Request, p) }, err)
}
