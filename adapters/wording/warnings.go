package wording

import "milaan/domain"

// AppendWarning fills ports.Wording.
func (English) AppendWarning(dst []byte, w *domain.Warning) []byte {
	return append(dst, w.Code...)
}
