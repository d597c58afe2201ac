package browser_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestBranding gives an account a name, a colour and a logo, after a colour that is too light.
func TestBranding(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/branding")
	tab.See("Your branding").Axe()
	tab.Fill("Name", "Asha Textiles")
	tab.Fill("Colour", "#FFFF00")
	tab.Upload("Logo", logo(t)).See("logo.png,")
	tab.Click("Save").Wait(`document.querySelector(".field-error") !== null`)
	tab.Wait(focused("Colour"))
	require.Equal(t, "Asha Textiles", tab.Value("Name"))
	tab.Axe()
	tab.Fill("Colour", "#1a4f8b")
	browser.Eval[bool](tab, `(document.querySelector("main form").requestSubmit(),
		Object.assign(milaanTest.field("Footer"), { value: "Pune" }).dispatchEvent(new Event("input", { bubbles: true })))`)
	tab.See("Saved.")
	require.Equal(t, "#1A4F8B", tab.Value("Colour"))
	require.Equal(t, "Pune", tab.Value("Footer"), "what was typed while it was saved stays")
	tab.Wait(`document.querySelector(".sheet img")?.naturalWidth === 60`).Look("branding")

	tab.Upload("Logo", report)
	tab.Click("Save").Wait(`document.querySelector("input[type=file][aria-invalid=true] ~ .field-error") !== null`)
	tab.Wait(focused("Logo"))
	tab.Resize(390, 800).Wait(fits)
	tab.Resize(1280, 900)

	tab.Click("Remove the logo").See("The logo is removed.")
	tab.Wait(`document.querySelector(".sheet img") === null`)
	tab.Click("Remove all…")
	tab.ClickOn("dialog .danger").See("The branding is removed.")
	require.Empty(t, tab.Value("Name"))
	_, err := s.Branding.ShowBranding(t.Context(), c.Stored(t).ID)
	require.ErrorIs(t, err, domain.ErrNoBranding)
}

// TestTheBooksAreNamed names ledgers, and has a name refused.
func TestTheBooksAreNamed(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/books")
	tab.See("Names of ledgers")
	tab.Fill("Bank", "HDFC Bank")
	tab.Click("Settle order by order")
	tab.Click("Save").See("Saved.").Look("books")
	b, err := s.Manage.ShowBooks(t.Context(), c.Stored(t).ID)
	require.NoError(t, err)
	require.Equal(t, domain.Books{Bank: "HDFC Bank", ByOrder: true}, b)
	tab.Fill("Freight", strings.Repeat("x", 101))
	tab.Click("Save").Wait(focused("Freight")).Axe()
	tab.Resize(390, 800).Wait(fits)
}

// logo is a picture of 60 by 20 pixels.
func logo(t *testing.T) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 60, 20))
	for i := range 60 * 20 {
		picture.Set(i%60, i/60, color.RGBA{R: 26, G: 79, B: 139, A: 255})
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, picture))
	path := filepath.Join(t.TempDir(), "logo.png")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// TestTheAccountHasItsOwnOverdueDays sets them with keys alone, after a number out of range.
func TestTheAccountHasItsOwnOverdueDays(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/account")
	tab.See("0 of 10 runs are used.", "verified")
	browser.Eval[bool](tab, `milaanTest.field("Days after delivery").focus(), true`)
	tab.Press("99" + kb.Tab).Wait(focused("Save"))
	tab.Press(" ").Wait(`document.querySelector(".field-error") !== null`)
	tab.Wait(focused("Days after delivery")).Axe()
	tab.Press(kb.End + kb.Backspace + "\r").See("Saved.")
	tab.Click("Security log").See("The account was changed", "days until an order is overdue", "Dashboard").Axe()
	tab.Click("Account")
	require.Equal(t, "9", tab.Value("Days after delivery"))
}

// TestLanguageAndThemeStay chooses both, and loads the page again.
func TestLanguageAndThemeStay(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).Go("/app/account")
	tab.Choose("Theme", "Dark").Wait(`document.documentElement.dataset.theme === "dark"`).Axe()
	tab.Offline(true)
	tab.Choose("Language", "हिन्दी").See("The words of this language could not be loaded.")
	tab.Wait(`milaanTest.field("Language").value === "en"`)
	tab.Offline(false)
	tab.Forgive("ERR_INTERNET_DISCONNECTED")
	tab.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	tab.Go("/app/account")
	require.Equal(t, "hi dark", browser.Eval[string](tab, `document.documentElement.lang + " " + document.documentElement.dataset.theme`))
	require.Equal(t, "milaan.language milaan.theme", browser.Eval[string](tab, `Object.keys(localStorage).sort().join(" ")`), "what the browser keeps")
}

// TestASavedMappingIsDeleted looks at what a run has saved.
func TestASavedMappingIsDeleted(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/mappings")
	tab.See("No mappings yet").Axe()
	c.Run(t, service.Small().With("courierName", "delhivery"))
	tab.Go("/app/mappings").See("1 courier", "Delhivery", "AWB (tracking number)", "AWB No", "Saved on 21 Nov 2026, 10:00 am")
	tab.Axe()
	tab.Click("Delete…").See("Delete the mapping of Delhivery?").Axe()
	tab.Click("Cancel").Wait(focused("Delete…"))
	tab.Click("Delete…")
	tab.ClickOn("dialog .danger").See("The mapping of Delhivery is deleted.", "No mappings yet")
	tab.Resize(390, 800).Wait(fits)
}
