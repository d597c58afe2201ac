package verdict

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestTokensOfLargeFiles takes three AWBs for each order of an export beyond the
// contract's limit, and no more than MaxTokens of few orders.
func TestTokensOfLargeFiles(t *testing.T) {
	var orders Orders
	track := func(n, each int) (refused int) {
		orders.Reset()
		for i := range n {
			o, _ := orders.FindOrAdd([]byte(strconv.Itoa(i)))
			var cell strings.Builder
			for k := range each {
				cell.WriteString(strconv.Itoa(each*i+k) + " ")
			}
			if !orders.Track(o, []byte(cell.String())) {
				refused++
			}
		}
		return refused
	}
	require.Zero(t, track(domain.MaxRows+20_000, 3))
	require.Zero(t, track(MaxTokens/MaxAWBs, MaxAWBs))
	require.Equal(t, 7, track(MaxTokens/MaxAWBs+7, MaxAWBs))
}
