package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
)

// listSeenFiles is GET /account/connections/:id/seen: the files that the last pass knew of, and those
// that are ignored.
func (d *Dashboard) listSeenFiles(c *gin.Context, by By) error {
	connection, err := d.Connections.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	seen, err := d.Connections.Seen(c.Request.Context(), by.Account.ID, connection.ID)
	return answer(c, http.StatusOK, view.NewSeenFiles(seen, &connection, d.sentences(c.Request)), err)
}

// ignoreFile is POST /account/connections/:id/ignored, with the id of a file that the last pass knew of.
func (d *Dashboard) ignoreFile(c *gin.Context, by By, sent *struct {
	File string `json:"file"`
}) error {
	ignored, err := d.Connections.Ignore(c.Request.Context(), by.Account.ID, c.Param("id"), sent.File, by.Actor())
	return answer(c, http.StatusCreated, view.NewIgnoredFile(&ignored), err)
}

// takeFileBack is DELETE /account/connections/:id/ignored/:file.
func (d *Dashboard) takeFileBack(c *gin.Context, by By) error {
	return noContent(c, d.Connections.TakeBack(c.Request.Context(), by.Account.ID, c.Param("id"), c.Param("file"), by.Actor()))
}
