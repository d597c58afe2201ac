package httpapi

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/multipart"
	"milaan/domain"
	"milaan/ports"
)

// keepUpload is POST /account/connections/:id/sources/:source/files: a form whose part file is
// a report that is kept for the autopilot.
func (s *Server) keepUpload(c *gin.Context, by dashboard.By) error {
	count := func(ctx context.Context, account domain.Account) error {
		return s.params.Gate.CountChange(ctx, account.ID)
	}
	form, b, err := s.takeForm(c, &by, count, func(form []multipart.Part) (w ports.WorkbookMemory) {
		for _, p := range form {
			if beginsLikeAWorkbook(p.Content) {
				w = ports.MemoryOfWorkbooks(int64(len(p.Content)), 0, ports.MostUploadText)
				w.Bytes = w.Most
			}
		}
		return w
	})
	if err != nil {
		return err
	}
	defer b.Release()
	form = slices.DeleteFunc(form, func(p multipart.Part) bool { return p.Name != keptPart })
	var wrong domain.Faults
	wrong.Add(len(form) == 0 || len(form[0].Content) == 0, domain.Fault{Field: domain.FieldFile, Rule: domain.RuleNoFile})
	wrong.Add(len(form) > 1, domain.Fault{Field: domain.FieldFile, Rule: domain.RuleTwice})
	if err := wrong.Err(); err != nil {
		return err
	}
	return s.dashboard.KeepFile(c, by, form[0].FileName, form[0].Content)
}

// keptPart is the name of the part that has the report.
const keptPart = "file"
