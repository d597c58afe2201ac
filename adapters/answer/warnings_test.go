package answer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/peers"
)

// spoken words a warning as its first example.
type spoken struct{ peers.Wording }

func (spoken) AppendReason(dst []byte, _ *domain.Reason) []byte { return dst }
func (spoken) Message(err error, _ peers.Names) string          { return err.Error() }
func (spoken) Warning(w *domain.Warning, _ peers.Names) string  { return "says " + w.Examples[0] }

// TestWarnings holds the shape of warnings (guide: verdict 6): what is not
// told is absent.
func TestWarnings(t *testing.T) {
	write := func(all ...domain.Warning) string {
		s := &stream{words: spoken{}}
		s.warnings(all)
		return string(s.b)
	}
	require.Empty(t, write(), "absent if there are none")
	require.Equal(t, `,"warnings":[{"code":"unclaimed_lines","message":"says a","count":5,"amount":3895.5}]`,
		write(domain.Warning{Code: domain.WarnUnclaimedLines, Count: 5, Amount: 389550, HasAmount: true, Examples: []string{"a"}}))
	require.Equal(t, `,"warnings":[{"code":"empty_report","message":"says \"b\""},{"code":"unclaimed_lines","message":"says c","count":1,"amount":0}]`,
		write(domain.Warning{Code: domain.WarnEmptyReport, Examples: []string{`"b"`}},
			domain.Warning{Code: domain.WarnUnclaimedLines, Count: 1, HasAmount: true, Examples: []string{"c"}}))
	require.Equal(t, `,"warnings":[{"code":"few_matched","message":"says d","count":0},{"code":"footer_differs","message":"says e","count":0}]`,
		write(domain.Warning{Code: domain.WarnFewMatched, Of: 5, Examples: []string{"d"}},
			domain.Warning{Code: domain.WarnFooterDiffers, StatedCount: 3, Examples: []string{"e"}}), "none of some is told")
	require.Equal(t, `,"warnings":[{"code":"footer_differs","message":"says f","amount":0}]`,
		write(domain.Warning{Code: domain.WarnFooterDiffers, Stated: 300, HasAmount: true, Examples: []string{"f"}}))
	for _, odd := range []string{"bad\xff", "new\nline", `back\slash`, "₹", "\x00"} {
		var got struct{ Warnings []struct{ Message string } }
		require.NoError(t, json.Unmarshal([]byte("{"+write(domain.Warning{Code: "x", Examples: []string{odd}})[1:]+"}"), &got))
		require.Len(t, got.Warnings, 1)
	}
}
