package browser_test

import (
	"testing"

	"milaan/tests/browser"
)

// TestAScreenIsFetchedAgain loses the connection while the files of the screens that nobody
// sees first are fetched. A browser remembers for a page that it could not load a script.
func TestAScreenIsFetchedAgain(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"later.js", "autopilot-later.js"} {
		t.Run(lost, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, draw(1, 3).text(t))
			s.lost.Store(lost)
			tab := browser.Open(t, s.URL).Go("/app/results?sample")
			tab.See("This screen could not be loaded.")
			tab.Click("Try again").See("This screen could not be loaded.")
			s.lost.Store("")
			// The page may try by itself meanwhile.
			tab.Wait(`(milaanTest.target("Try again")?.click(), milaanTest.sees("Sample results"))`)
			tab.Forgive("ERR_EMPTY_RESPONSE")
		})
	}
}
