package browser

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// programs are the names under which Chromium is installed.
var programs = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"}

func findChromium() string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// ForeignHost is a name that leads the browser to this machine and is not one of its own.
const ForeignHost = "milaan.test"

// chromium is the one browser of all tests of a package. Each test has a context of its own
// in it, with its own cookies and storage.
type chromium struct {
	once sync.Once
	ctx  context.Context
	end  context.CancelFunc
	err  error
}

var shared chromium

// Run runs the tests of a package and ends the browser that they have shared.
func Run(m *testing.M) int {
	defer func() {
		if shared.end != nil {
			shared.end()
		}
	}()
	return m.Run()
}

func (c *chromium) use(t testing.TB) context.Context {
	t.Helper()
	path := findChromium()
	require.NotEmpty(t, path, "there is no Chromium on the path: apt-get install chromium")
	c.once.Do(func() {
		c.ctx, c.end = chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
			chromedp.ExecPath(path),
			chromedp.WindowSize(1280, 900),
			// Chromium's sandbox refuses root, which is who runs tests in containers.
			chromedp.Flag("no-sandbox", os.Geteuid() == 0),
			chromedp.Flag("disable-dev-shm-usage", true),
			// No test connects to another machine, and neither does its browser.
			chromedp.Flag("host-resolver-rules", "MAP "+ForeignHost+" 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"),
			chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-component-update", true),
			chromedp.Flag("lang", "en-IN"),
			// The lists below the address bar, which nobody opens, are pages of their own in Chromium 156: each new
			// window would begin another process for them.
			chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI"),
			// Several tabs are used at once, and each as if it were in front.
			chromedp.Flag("disable-background-timer-throttling", true),
			chromedp.Flag("disable-backgrounding-occluded-windows", true),
			chromedp.Flag("disable-renderer-backgrounding", true),
		))
		c.err = chromedp.Do(c.ctx)
	})
	require.NoError(t, c.err, "start Chromium")
	return c.ctx
}
