package pdf

import (
	"bytes"
	"time"

	"milaan/domain"
)

// ControlTotals returns a document of the control totals of reports alone.
func ControlTotals(all []domain.ReportTotals) ([]byte, error) {
	l, err := newLook(new(domain.Branding))
	if err != nil {
		return nil, err
	}
	r := new(findings)
	if r.document, err = newDocument(l, "totals", time.Unix(0, 0)); err != nil {
		return nil, err
	}
	r.newPage()
	r.letterhead()
	r.reports(all)
	var b bytes.Buffer
	err = r.output(&b)
	return b.Bytes(), err
}
