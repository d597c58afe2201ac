package pdf

import (
	"bytes"
	"time"

	"milaan/domain"
	"milaan/domain/verdict"
)

// ControlTotals returns a document of the control totals of reports alone.
func ControlTotals(all []verdict.ReportTotals) ([]byte, error) {
	l, err := newLook(new(domain.Branding))
	if err != nil {
		return nil, err
	}
	return alone(l, func(r *findings) {
		r.letterhead()
		r.reports(all)
	})
}

// Section returns a document of one section that begins the given number of points from the page's end.
func Section(left float64, title, text string) ([]byte, error) {
	l, err := newLook(new(domain.Branding))
	if err != nil {
		return nil, err
	}
	return alone(l, func(r *findings) {
		r.y = bottom - left
		r.section(title, []string{text})
	})
}

func alone(l *look, draw func(*findings)) ([]byte, error) {
	r := new(findings)
	var err error
	if r.document, err = newDocument(l, "totals", time.Unix(0, 0)); err != nil {
		return nil, err
	}
	r.newPage()
	draw(r)
	var b bytes.Buffer
	err = r.output(&b)
	return b.Bytes(), err
}
