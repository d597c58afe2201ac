package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/tests/service"
)

// waitLimit is how long a test waits for what must appear. Only a failure takes so long.
const waitLimit = 2 * time.Minute

// Tab is a tab of the browser with cookies and storage of its own. Its methods fail the test
// if something cannot be found or done. Those that act and those that wait return the tab, so
// that what is done and what is seen then stand in one line.
type Tab struct {
	t    testing.TB
	ctx  context.Context
	url  string
	dark bool // the system of the user is dark

	mu       sync.Mutex
	problems []string
	asked    int
	requests []string
	tolerant bool
}

// Open opens a tab of 1280 by 900 pixels, for the service at a URL. Nobody is signed in.
func Open(t testing.TB, url string) *Tab {
	t.Helper()
	ctx, end := chromedp.NewContext(shared.use(t), chromedp.WithNewBrowserContext())
	tab := &Tab{t: t, ctx: ctx, url: url}
	require.NoError(t, chromedp.Do(ctx), "open a tab")
	t.Cleanup(func() {
		if t.Failed() {
			tab.Shot(strings.ReplaceAll(t.Name(), "/", "-") + "-failed")
		}
		end()
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, problem := range tab.problems {
			if tab.tolerant {
				break
			}
			t.Errorf("the page has a problem: %s", problem)
		}
	})
	require.NoError(t, chromedp.Listen(ctx, tab.listen))
	call(tab, log.Enable, cdp.Empty{})
	call(tab, page.Enable, page.EnableParams{})
	call(tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: finding})
	tab.Resize(1280, 900)
	return tab
}

// Lend has another test fail, such as a part of the one that opened the tab, if something
// cannot be found or done, until what it returns is called.
func (tab *Tab) Lend(t testing.TB) (back func()) {
	owner := tab.t
	tab.t = t
	return func() { tab.t = owner }
}

// listen notes what the page complains about.
func (tab *Tab) listen(event any) {
	note := func(text string) {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.problems = append(tab.problems, text)
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		note(text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			note(fmt.Sprint("console: ", describe(e.Args)))
		}
	case *network.EventRequestWillBeSent:
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.requests = append(tab.requests, e.Request.Method+" "+e.Request.URL)
	case *page.EventJavascriptDialogOpening:
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.asked++
		go func() { // it must not wait here for what it asks of the browser
			_, _ = chromedp.Call(tab.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	case *log.EventEntryAdded:
		// A refusal of the service is no fault of the page: tests provoke many.
		refused := e.Entry.Source == log.EntrySourceNetwork && strings.Contains(e.Entry.Text, "the server responded with a status of 4")
		if (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) && !refused {
			note(fmt.Sprint(e.Entry.Source, ": ", e.Entry.Text, " ", e.Entry.URL))
		}
	}
}

func describe(args []*runtime.RemoteObject) string {
	var texts []string
	for _, a := range args {
		texts = append(texts, string(a.Value)+a.Description)
	}
	return strings.Join(texts, " ")
}

// Forgive forgets the problems so far that contain a text, for a test that provokes them. It
// fails if there are none.
func (tab *Tab) Forgive(text string) {
	tab.t.Helper()
	tab.mu.Lock()
	defer tab.mu.Unlock()
	var left []string
	for _, p := range tab.problems {
		if !strings.Contains(p, text) {
			left = append(left, p)
		}
	}
	require.Less(tab.t, len(left), len(tab.problems), "no problem contains %q: %q", text, tab.problems)
	tab.problems = left
}

// Tolerate says that problems do not fail the test, which opens pages of attackers.
func (tab *Tab) Tolerate() { tab.tolerant = true }

// Complains waits until a problem contains a text, and forgets the problems so far.
func (tab *Tab) Complains(text string) {
	tab.t.Helper()
	require.Eventually(tab.t, func() bool {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		if !slices.ContainsFunc(tab.problems, func(p string) bool { return strings.Contains(p, text) }) {
			return false
		}
		tab.problems = nil
		return true
	}, waitLimit, 10*time.Millisecond, "nothing complains of %s", text)
}

// Asked returns how often the browser has asked whether the page may be left. The tab always
// says yes.
func (tab *Tab) Asked() int {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.asked
}

// call runs a command of the browser's protocol.
func call[P, R any](tab *Tab, command cdp.Command[P, R], params P) R {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	require.NoError(tab.t, err, command.Method)
	return result
}

// Eval evaluates an expression in the page. A promise is awaited.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	value, err := tryEval[T](tab, expression)
	require.NoError(tab.t, err, expression)
	return value
}

func tryEval[T any](tab *Tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit+5*time.Second)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Wait waits until an expression in the page is true.
func (tab *Tab) Wait(expression string) *Tab {
	tab.t.Helper()
	await[bool](tab, expression, expression)
	return tab
}

// await waits until an expression is neither null nor false, and returns its value. A page
// that is loaded in the meantime begins anew.
func await[T any](tab *Tab, expression, what string) T {
	tab.t.Helper()
	until := time.Now().Add(waitLimit)
	for {
		value, err := tryEval[T](tab, fmt.Sprintf(`milaanTest.await(() => (%s), %d)`, expression, max(1, time.Until(until).Milliseconds())))
		if err == nil {
			return value
		}
		if time.Now().After(until) || !strings.Contains(err.Error(), "context") && !strings.Contains(err.Error(), "navigat") && !strings.Contains(err.Error(), "milaanTest is not defined") {
			require.FailNow(tab.t, "the page never showed it: "+what, "%v\nThe page says:\n%s", err, tab.text())
		}
	}
}

func (tab *Tab) text() string {
	text, _ := tryEval[string](tab, `document.body.innerText.replace(/\s+/g, " ").slice(0, 2000)`)
	return text
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string cannot fail
	return string(b)
}

// Go loads a page, such as /app, and waits until it shows a screen.
func (tab *Tab) Go(path string) *Tab {
	tab.t.Helper()
	tab.Visit(tab.url + path)
	return tab
}

// Visit loads a page of anybody by its whole URL. It has a title of its own.
func (tab *Tab) Visit(url string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
	defer cancel()
	require.NoError(tab.t, chromedp.Do(ctx, chromedp.Navigate(url)), url)
	tab.Wait(`document.querySelector("h1") !== null`)
}

// At waits until the address has a path and query.
func (tab *Tab) At(address string) *Tab {
	tab.t.Helper()
	return tab.Wait(`location.pathname + location.search === ` + quoted(address))
}

// See waits until a text can be seen on the page.
func (tab *Tab) See(texts ...string) *Tab {
	tab.t.Helper()
	for _, text := range texts {
		await[bool](tab, `milaanTest.sees(`+quoted(text)+`)`, text)
	}
	return tab
}

// Gone waits until a text can no longer be seen.
func (tab *Tab) Gone(text string) *Tab {
	tab.t.Helper()
	await[bool](tab, `!milaanTest.sees(`+quoted(text)+`)`, "without "+text)
	return tab
}

// Click clicks on the link, button or the like with a name, as a mouse does.
func (tab *Tab) Click(name string) *Tab {
	tab.t.Helper()
	tab.clickAt(`milaanTest.target(`+quoted(name)+`)`, name)
	return tab
}

// ClickOn clicks on the first element that a CSS selector finds.
func (tab *Tab) ClickOn(selector string) *Tab {
	tab.t.Helper()
	tab.clickAt(`document.querySelector(`+quoted(selector)+`)`, selector)
	return tab
}

// clickAt clicks again if the click was on something else: the page may have grown above it as
// the mouse came.
func (tab *Tab) clickAt(element, what string) {
	tab.t.Helper()
	for tries := 3; tries > 0; tries-- {
		at := await[[]float64](tab, `milaanTest.aim(() => `+element+`)`, what)
		ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
		err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1]))
		cancel()
		require.NoError(tab.t, err, what)
		if missed, err := tryEval[bool](tab, `milaanTest.missed()`); err != nil || !missed { // a click may load another page
			return
		}
	}
	require.Fail(tab.t, "three clicks were on something else", what)
}

// Fill replaces the text of the field with a label.
func (tab *Tab) Fill(label, text string) *Tab {
	tab.t.Helper()
	await[bool](tab, `milaanTest.select(milaanTest.field(`+quoted(label)+`))`, "the field "+label)
	if text == "" {
		return tab.Press(kb.Delete)
	}
	call(tab, input.InsertText, input.InsertTextParams{Text: text})
	return tab
}

// Choose chooses an option of the field with a label. The option is named by its text.
func (tab *Tab) Choose(label, option string) *Tab {
	tab.t.Helper()
	await[bool](tab, `milaanTest.choose(milaanTest.field(`+quoted(label)+`), `+quoted(option)+`)`, label+": "+option)
	return tab
}

func (tab *Tab) Value(label string) string {
	tab.t.Helper()
	return await[string](tab, `milaanTest.field(`+quoted(label)+`)?.value ?? null`, "the field "+label)
}

// Upload chooses files in the file field with a label.
func (tab *Tab) Upload(label string, files ...string) *Tab {
	tab.t.Helper()
	await[bool](tab, `(globalThis.milaanFiles = milaanTest.field(`+quoted(label)+`)) !== null`, "the field "+label)
	found := call(tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "milaanFiles"})
	call(tab, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: absolute(tab.t, files), ObjectID: found.Result.ObjectID})
	return tab
}

// Drop drops files on the first element that a CSS selector finds, as from the desktop.
func (tab *Tab) Drop(selector string, files ...string) *Tab {
	tab.t.Helper()
	return tab.DropPast(selector, selector, files...)
}

// DropPast drops files as Drop does. They come into the page over another element, and the
// browser says that they are over the one that takes them only as they are dropped: as with a
// quick mouse, or a page that moves under it.
func (tab *Tab) DropPast(first, selector string, files ...string) *Tab {
	tab.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: absolute(tab.t, files), DragOperationsMask: 1}
	for _, step := range []struct {
		kind input.DispatchDragEventType
		over string
	}{
		{input.DispatchDragEventTypeDragEnter, first},
		{input.DispatchDragEventTypeDragOver, first},
		{input.DispatchDragEventTypeDrop, selector},
	} {
		// What comes above the place meanwhile moves it.
		at := await[[]float64](tab, `milaanTest.middle(document.querySelector(`+quoted(step.over)+`))`, step.over)
		call(tab, input.DispatchDragEvent, input.DispatchDragEventParams{Type: step.kind, X: at[0], Y: at[1], Data: data})
	}
	return tab
}

func absolute(t testing.TB, files []string) []string {
	t.Helper()
	var all []string
	for _, f := range files {
		path, err := filepath.Abs(f)
		require.NoError(t, err)
		require.FileExists(t, path)
		all = append(all, path)
	}
	return all
}

// Press presses keys, such as kb.Tab or "\r".
func (tab *Tab) Press(keys string) *Tab {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
	defer cancel()
	require.NoError(tab.t, chromedp.Do(ctx, chromedp.KeyEvent(keys)), keys)
	return tab
}

// Focused returns the name of the element that has the focus.
func (tab *Tab) Focused() string {
	tab.t.Helper()
	return Eval[string](tab, `milaanTest.name(document.activeElement)`)
}

// HasFocus waits until the element with a name has the focus.
func (tab *Tab) HasFocus(name string) *Tab {
	tab.t.Helper()
	await[bool](tab, `milaanTest.name(document.activeElement) === `+quoted(name), "the focus on "+name)
	return tab
}

// Resize gives the window another size, in CSS pixels.
func (tab *Tab) Resize(width, height int64) *Tab {
	tab.t.Helper()
	call(tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	return tab
}

// Zone puts the machine into another time zone, such as America/Los_Angeles.
func (tab *Tab) Zone(name string) {
	tab.t.Helper()
	call(tab, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: name})
}

// Dark says whether the system of the user is dark.
func (tab *Tab) Dark(dark bool) {
	tab.t.Helper()
	tab.dark = dark
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Print shows the page as it is printed on A4, until Dark is called.
func (tab *Tab) Print() {
	tab.t.Helper()
	tab.Resize(718, 1000)
	call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	Eval[bool](tab, `dispatchEvent(new Event("beforeprint")), true`)
}

// Offline says whether the tab has lost the network.
func (tab *Tab) Offline(offline bool) {
	tab.t.Helper()
	tab.network(network.Conditions{Offline: offline, UploadThroughput: -1})
}

// Uploads says how many bytes the tab can send in a second; -1: any number.
func (tab *Tab) Uploads(bytes float64) {
	tab.t.Helper()
	tab.network(network.Conditions{UploadThroughput: bytes})
}

func (tab *Tab) network(c network.Conditions) {
	tab.t.Helper()
	c.DownloadThroughput = -1
	call(tab, emulateNetwork, emulatedNetwork{c.Offline, []*network.Conditions{&c}})
}

// emulateNetwork is network.EmulateNetworkConditionsByRule with what Chromium up to 148 demands
// besides: whether the browser is offline belongs to the command there.
var emulateNetwork = cdp.Command[emulatedNetwork, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}

type emulatedNetwork struct {
	Offline    bool                  `json:"offline"`
	Conditions []*network.Conditions `json:"matchedNetworkConditions"`
}

// Downloads returns a folder into which the tab downloads from now on.
func (tab *Tab) Downloads() string {
	tab.t.Helper()
	folder := tab.t.TempDir()
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(tab.ctx).BrowserContextID, DownloadPath: folder,
	})
	require.NoError(tab.t, err)
	return folder
}

// Shot writes a picture of the whole page to the folder that MILAAN_TEST_SCREENSHOTS names. It
// does nothing if none is named.
func (tab *Tab) Shot(name string) {
	tab.t.Helper()
	folder := os.Getenv("MILAAN_TEST_SCREENSHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(tab.ctx, waitLimit)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		tab.t.Logf("no picture of %s: %v", name, err)
		return
	}
	require.NoError(tab.t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644))
}

// SignIn signs the tab in as a customer, by a link of the command line, and shows a page. It returns the
// tab.
func (tab *Tab) SignIn(s *service.Service, c *service.Customer, path string) *Tab {
	tab.t.Helper()
	link, err := s.Links.Link(tab.t.Context(), c.Email, "")
	require.NoError(tab.t, err)
	tab.Go("/app/sign-in")
	status := Eval[int](tab, `fetch("/app/api/sign-in", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({token: `+quoted(link)+`})}).then((r) => r.status)`)
	require.Equal(tab.t, 204, status, "sign in")
	return tab.Go(path)
}

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
