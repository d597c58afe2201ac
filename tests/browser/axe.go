package browser

import (
	"os"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
)

var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("testdata/axe-core/axe.min.js")
	return string(text), err
})

// axeRules are the rules of WCAG 2.2 AA and those of good practice.
const axeRules = `["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]`

// Axe holds that axe finds nothing wrong with the page as it is, in light and in dark colours. It leaves those that the
// page had.
func (tab *Tab) Axe() {
	tab.t.Helper()
	had := tab.dark
	tab.Dark(false)
	found := tab.findings(axeRules)
	tab.Dark(true)
	// Only the colours are others.
	found += tab.findings(`["color-contrast"]`)
	tab.Dark(had)
	if found != "" {
		tab.t.Errorf("axe finds faults at %s:\n%s", Eval[string](tab, "location.pathname"), strings.TrimSpace(found))
	}
}

// Look holds what Axe does, and takes the picture of that name, see Shot.
func (tab *Tab) Look(name string) {
	tab.t.Helper()
	tab.Axe()
	tab.Shot(name)
}

// Findings returns what axe finds wrong with the page as it is; blank: nothing.
func (tab *Tab) Findings() string {
	tab.t.Helper()
	return tab.findings(axeRules)
}

func (tab *Tab) findings(rules string) string {
	tab.t.Helper()
	script, err := axe()
	require.NoError(tab.t, err)
	if !Eval[bool](tab, `"axe" in globalThis`) {
		Eval[bool](tab, script+";true")
	}
	// Whatever is scrolled half under the bar at the top would count as too small.
	Eval[bool](tab, `(scrollTo({ top: 0, behavior: "instant" }), true)`)
	return Eval[string](tab, `axe.run({runOnly: `+rules+`}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)).join("\n"))`)
}

// Unmarked returns what can have the focus and looks no different when it has it.
func (tab *Tab) Unmarked() []string {
	tab.t.Helper()
	return Eval[[]string](tab, `(() => {
		const had = document.activeElement;
		const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
		const can = [...root.querySelectorAll("a[href],button,input,select,textarea,summary,[tabindex='0']")].filter((e) => e.getClientRects().length && !e.disabled && e.type !== "hidden" && e.tabIndex >= 0).slice(0, 60);
		// What is seen of a field of files or choices is around it.
		const look = (e) => [e, e.parentElement, e.nextElementSibling, e.closest("label")].filter((x) => x).map((x) => {
			const s = getComputedStyle(x);
			return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor, s.backgroundColor].join();
		}).join("|");
		const unmarked = [];
		for (const e of can) {
			e.blur();
			const before = look(e);
			e.focus({ preventScroll: true, focusVisible: true });
			if (document.activeElement === e && look(e) === before) unmarked.push(e.outerHTML.slice(0, 120));
			e.blur();
		}
		had?.focus?.({ preventScroll: true });
		return unmarked;
	})()`)
}

// Wide returns what makes a person scroll the page, or an open dialog, to the side, and amounts
// that reach over the edge of their card.
func (tab *Tab) Wide() []string {
	tab.t.Helper()
	return Eval[[]string](tab, `(() => {
		const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
		const edge = document.documentElement.scrollWidth > innerWidth ? innerWidth : dialog && dialog.scrollWidth > dialog.clientWidth + 1 ? dialog.getBoundingClientRect().right : 0;
		const over = [...document.querySelectorAll("main .card .num, main .card .money")].filter((e) => {
			for (let box = e; !box.matches(".card"); box = box.parentElement) if (["auto", "scroll", "hidden"].includes(getComputedStyle(box).overflowX)) return false;
			return e.getClientRects().length && e.getBoundingClientRect().right > e.closest(".card").getBoundingClientRect().right - parseFloat(getComputedStyle(e.closest(".card")).paddingRight) + 1;
		}).map((e) => "over the edge of its card: " + e.textContent);
		if (!edge) return over.slice(0, 6);
		const out = [...(dialog ?? document.body).querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > edge + 1 && !e.closest(".unseen")).slice(-6).map((e) => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60));
		return out.length ? out : ["the page is wider than the window"];
	})()`)
}
