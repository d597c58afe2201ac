package dashboard

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// days returns how many whole days a span has.
func days(span time.Duration) int { return int(span / (24 * time.Hour)) }

// listKeptFiles is GET /account/connections/:id/files, the latest first.
func (d *Dashboard) listKeptFiles(c *gin.Context, by By) error {
	kept, err := d.Connections.KeptFiles(c.Request.Context(), by.Account.ID, c.Param("id"))
	return list(c, "files", kept, view.NewKeptFile, err)
}

// KeepFile keeps a report that was uploaded to a route with :id and :source, and answers with
// what is kept.
func (d *Dashboard) KeepFile(c *gin.Context, by By, name string, content []byte) error {
	kept, err := d.Connections.Keep(c.Request.Context(),
		domain.KeptFile{AccountID: by.Account.ID, ConnectionID: c.Param("id"), SourceID: c.Param("source"), Name: name}, content)
	return answer(c, http.StatusCreated, view.NewKeptFile(&kept), err)
}

// removeKeptFile is DELETE /account/connections/:id/files/:file.
func (d *Dashboard) removeKeptFile(c *gin.Context, by By) error {
	return noContent(c, d.Connections.RemoveKept(c.Request.Context(), by.Account.ID, c.Param("id"), c.Param("file")))
}
