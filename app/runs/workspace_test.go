package runs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestWhichWorkspacesAreKept holds that a run of ordinary reports leaves its memory to the
// next, and that one of which each lane had too many rows does not.
func TestWhichWorkspacesAreKept(t *testing.T) {
	for lines, kept := range map[int]bool{domain.MaxRows / 4: true, 2 * domain.MaxRows: false} {
		all := newWorkspaces()
		w := all.get()
		w.remittances.Expect(domain.MaxRows)
		for range mostLanes {
			lane := new(verdict.Remittances)
			lane.Reset()
			lane.Expect(lines)
			w.lanes = append(w.lanes, lane)
		}
		all.put(w)
		require.Equal(t, kept, all.get() == w, "%d", lines)
	}
}
