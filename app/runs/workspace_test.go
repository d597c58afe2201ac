package runs

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/only"
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

// TestUnusedWorkspacesAreLetGo holds that a run finds the workspace of the one before it, unless the last one of large files
// has ended long ago.
func TestUnusedWorkspacesAreLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewReconciling(ReconcilingParams{})
		w := r.workspaces.get()
		for range 2 {
			w.place = only.Value(r.takePlace(t.Context(), largeFiles))(t)
			r.workspaces.put(w)
			time.Sleep(unusedFor - 1)
			require.True(t, w == r.workspaces.get())
		}
		r.workspaces.put(w)
		time.Sleep(2 * time.Nanosecond)
		require.False(t, w == r.workspaces.get())
	})
}
