package dashboard

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// keptFileView is a report that is kept for the autopilot. Its content is shown to nobody.
type keptFileView struct {
	ID        string       `json:"id"`
	SourceID  string       `json:"source_id"`
	Name      string       `json:"name"`
	Bytes     int64        `json:"bytes"`
	At        view.Instant `json:"at"`
	DeletedAt view.Instant `json:"deleted_at"` // when it will be
}

func viewKeptFile(f *domain.KeptFile) keptFileView {
	return keptFileView{ID: f.ID, SourceID: f.SourceID, Name: f.Name, Bytes: f.Bytes, At: view.Instant(f.At), DeletedAt: view.Instant(f.At.Add(domain.KeptFileSpan))}
}

// days returns how many whole days a span has.
func days(span time.Duration) int { return int(span / (24 * time.Hour)) }

// listKeptFiles is GET /app/api/connections/:id/files, the latest first.
func (d *Dashboard) listKeptFiles(c *gin.Context, by By) error {
	kept, err := d.Autopilot.Keeping.List(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	views := make([]keptFileView, len(kept))
	for i := range kept {
		views[i] = viewKeptFile(&kept[i])
	}
	writeJSON(c, http.StatusOK, struct {
		Files []keptFileView `json:"files"`
	}{views})
	return nil
}

// KeepFile keeps a report that was uploaded to a route with :id and :source, and answers with
// what is kept.
func (d *Dashboard) KeepFile(c *gin.Context, by By, name string, content []byte) error {
	kept, err := d.Autopilot.Keeping.Keep(c.Request.Context(), domain.KeptFile{AccountID: by.Account.ID, ConnectionID: c.Param("id"), SourceID: c.Param("source"), Name: name}, content)
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusCreated, viewKeptFile(&kept))
	return nil
}

// removeKeptFile is DELETE /app/api/connections/:id/files/:file.
func (d *Dashboard) removeKeptFile(c *gin.Context, by By) error {
	if err := d.Autopilot.Keeping.Remove(c.Request.Context(), by.Account.ID, c.Param("id"), c.Param("file")); err != nil {
		return err
	}
	return noContent(c)
}
