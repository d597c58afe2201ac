package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
)

// Memory collects the garbage of the page's script and returns how many bytes are left: in
// objects, and in buffers such as the body of an answer.
func (tab *Tab) Memory() (objects, buffers float64) {
	tab.t.Helper()
	call(tab, heapprofiler.CollectGarbage, cdp.Empty{})
	usage := call(tab, runtime.GetHeapUsage, cdp.Empty{})
	return usage.UsedSize, usage.BackingStorageSize
}

// Scroll scrolls what is at a point of the window down by some pixels, as a finger does, at
// speed pixels a second.
func (tab *Tab) Scroll(x, y, down float64, speed int64) {
	tab.t.Helper()
	call(tab, input.SynthesizeScrollGesture, input.SynthesizeScrollGestureParams{X: x, Y: y, YDistance: -down, Speed: speed})
}
