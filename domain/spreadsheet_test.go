package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestIdsStayText holds what Excel would change: long numbers, leading zeros,
// exponents, dates, truth values. Each is read back as it was.
func TestIdsStayText(t *testing.T) {
	for id, want := range map[string]string{
		"": "", "#1001": "#1001", "1001": "1001", "0": "0", "1234567890": "1234567890", "SF123456789IN": "SF123456789IN", "ORDER-77": "ORDER-77", "मिलान": "मिलान",
		"12345678901": `="12345678901"`, "14902602000001": `="14902602000001"`, "007": `="007"`, "1E5": `="1E5"`, "1.49026E+13": `="1.49026E+13"`,
		"3/4": `="3/4"`, "1-2": `="1-2"`, "10:30": `="10:30"`, "MAR1": `="MAR1"`, "Sept-26": `="Sept-26"`, "TRUE": `="TRUE"`, "false": `="false"`, ".5": `=".5"`, "(5)": `="(5)"`,
		"$5": `="$5"`, "₹5": `="₹5"`, "14902602000001, 14902602000002": `="14902602000001, 14902602000002"`, "7C": `="7C"`,
		"=1+1": "'=1+1", "+91": "'+91", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "1\"x": "1\"x", "1\n2": "1\n2",
		strings.Repeat("9", 256): strings.Repeat("9", 256),
	} {
		got := domain.SpreadsheetID([]byte(id))
		require.Equal(t, want, got, "%q", id)
		if want != "" && want[0] == '=' {
			require.Equal(t, id, string(domain.Unwrap([]byte(got))))
			want = "'" + id
		}
		marked := domain.SpreadsheetMark([]byte(id))
		require.Equal(t, id, string(domain.Unwrap([]byte(marked))))
		require.True(t, marked == want || marked == "'"+id, marked)
	}
}

func TestTextsAreInertInSpreadsheets(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "#1001": "#1001", "1-2": "1-2", "=1+1": "'=1+1", "+91": "'+91", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)",
		"＝1": "'＝1", "＋91": "'＋91", "－1": "'－1", "＠SUM(A1)": "'＠SUM(A1)", " ＝1": "' ＝1", "\u3000=1": "'\u3000=1", "１": "１", "a＝1": "a＝1",
		"\t=1": "'\t=1", " =1": "' =1", "\rx": "'\rx", "मिलान": "मिलान",
	} {
		require.Equal(t, want, domain.SpreadsheetText(text), "%q", text)
	}
}
