package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/bench"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// timing measures in the page. A frame ends when what follows it can run.
const timing = `globalThis.timing = {
	frame: () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))),
	// Waits for the frame that first shows an element. A timer would often see it a frame late.
	shown(selector) {
		return new Promise((done) => {
			const look = () => {
				if (!document.querySelector(selector)) return;
				changes.disconnect();
				done(this.frame());
			};
			const changes = new MutationObserver(look);
			changes.observe(document, { childList: true, subtree: true });
			look();
		});
	},
	async load() {
		history.pushState(null, "", "/app/results?sample");
		dispatchEvent(new PopStateEvent("popstate"));
		await this.shown(".orders .grid-body .grid-row");
		const answered = performance.getEntriesByName(location.origin + "/app/api/sample").at(-1).responseEnd;
		return performance.now() - answered;
	},
	async type(words) {
		const field = document.querySelector(".orders input[type=search]");
		const from = performance.now();
		field.value = words;
		field.dispatchEvent(new InputEvent("input", { bubbles: true }));
		await this.frame();
		return performance.now() - from;
	},
	async sort(column) {
		const button = document.querySelector(".orders .grid-head .c-" + column + " button");
		const from = performance.now();
		button.click();
		await this.frame();
		return performance.now() - from;
	},
	// Remembers when files were chosen or dropped.
	chosen() {
		const begin = (e) => (e.type === "drop" || e.target.type === "file") && (this.from ??= performance.now());
		addEventListener("change", begin, true);
		addEventListener("drop", begin, true);
		return true;
	},
	async inspected() {
		const start = () => document.querySelector(".start");
		while (!this.from || document.querySelector("[aria-busy=true]") || !start() || start().ariaDisabled) await new Promise((done) => setTimeout(done, 1));
		return performance.now() - this.from;
	},
	async reconciled() {
		const from = performance.now();
		document.querySelector(".start").click();
		return this.painted(from);
	},
	async painted(from) {
		await this.shown(".orders .grid-body .grid-row");
		return performance.now() - from;
	},
	// Waits for what comes last of an answer: the payouts are below the orders.
	async whole(from) {
		await this.shown(".payouts .grid-body .grid-row");
		return performance.now() - from;
	},
	// Counts frames, and those in which a row that can be seen is not drawn.
	watch() {
		const grid = document.querySelector(".orders .grid"), row = grid.querySelector(".grid-body .grid-row").offsetHeight;
		const seen = { frames: 0, blank: 0, from: performance.now(), ends: false };
		const look = () => {
			if (seen.ends) return;
			const drawn = new Set([...grid.querySelectorAll(".grid-body .grid-row")].map((r) => Number(r.dataset.at)));
			const first = Math.floor(grid.scrollTop / row), last = Math.floor((grid.scrollTop + grid.clientHeight - 3 * row) / row);
			seen.frames++;
			if (!drawn.has(first) || !drawn.has(last)) seen.blank++;
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
		this.seen = seen;
		return true;
	},
	rate() {
		this.seen.ends = true;
		return [(1000 * this.seen.frames) / (performance.now() - this.seen.from), this.seen.blank, document.querySelector(".orders .grid").scrollTop];
	},
}, true`

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkResults measures the screen of results with as many orders as a run may have, in
// milliseconds from the last byte of the answer, a key or a click to the frame that shows it:
//
//	go test ./tests/browser -run '^$' -bench Results -benchtime 7x
func BenchmarkResults(b *testing.B) {
	text := draw(1, domain.MaxRows).text(b)
	s := newStage(b, text)
	var paints, keys, sorts, rates, blanks []float64
	var objects, buffers, longest float64
	for b.Loop() {
		tab := browser.Open(b, s.URL).Go("/app")
		browser.Eval[bool](tab, timing)
		paints = append(paints, browser.Eval[float64](tab, `timing.load()`))
		browser.Eval[bool](tab, `new Promise((done) => setTimeout(() => done(true), 1000))`) // as long as a person looks before typing
		for _, words := range []string{"u", "ut", "utr", "utr4", "utr4 not", "1904", ""} {
			keys = append(keys, browser.Eval[float64](tab, fmt.Sprintf(`timing.type(%q)`, words)))
		}
		for _, column := range []string{"shortfall", "cod_amount", "awb", "order_id", "order_date", "flag_reason", "flag_reason"} {
			took := browser.Eval[float64](tab, fmt.Sprintf(`timing.sort(%q)`, column))
			sorts, longest = append(sorts, took), max(longest, took)
		}
		browser.Eval[bool](tab, `document.querySelector(".orders .grid").scrollIntoView({block: "start", behavior: "instant"}), true`)
		browser.Eval[bool](tab, `timing.watch()`)
		tab.Scroll(640, 450, 12_000, 4_000)
		rate := browser.Eval[[]float64](tab, `timing.rate()`)
		rates, blanks = append(rates, rate[0]), append(blanks, rate[1])
		objects, buffers = tab.Memory()
	}
	b.ReportMetric(0, "ns/op") // a round has pauses
	b.ReportMetric(float64(len(text))/1e6, "answer-MB")
	b.ReportMetric(median(paints), "paint-ms")
	b.ReportMetric(median(keys), "key-ms")
	b.ReportMetric(median(sorts), "sort-ms")
	b.ReportMetric(longest, "longest-sort-ms")
	b.ReportMetric(median(rates), "frames/s")
	b.ReportMetric(slices.Max(blanks), "blank-frames")
	b.ReportMetric(objects/1e6, "objects-MB")
	b.ReportMetric(buffers/1e6, "buffers-MB")
}

// BenchmarkFromFilesToResults measures the largest files on the whole service, in
// milliseconds, beside the same upload by a program that reads the answer and throws it away,
// one after the other: from the drop of both files to the painted results, for which a visitor presses
// nothing, and until the last order and payout are there too; and, where the files are chosen
// one by one, until they are inspected and from the button to the painted results:
//
//	go test ./tests/browser -run '^$' -bench FromFiles -benchtime 7x
func BenchmarkFromFilesToResults(b *testing.B) {
	s := service.Start(b, service.Options{})
	files, folder := bench.DrawOrders(domain.MaxRows), b.TempDir()
	orders, report := filepath.Join(folder, "orders.csv"), filepath.Join(folder, "report.csv")
	require.NoError(b, os.WriteFile(orders, files.Orders, 0o600))
	require.NoError(b, os.WriteFile(report, files.Remittances, 0o600))
	open := func() *browser.Tab {
		tab := browser.Open(b, s.URL).Go("/app")
		browser.Eval[bool](tab, timing+", globalThis.timing.chosen()")
		return tab
	}
	var dropped, wholes, inspected, painted, uploads []float64
	for b.Loop() {
		began := time.Now()
		_ = upload(b, s.URL, files)
		uploads = append(uploads, float64(time.Since(began).Microseconds())/1000)

		tab := open()
		tab.Drop("h1", orders, report)
		dropped = append(dropped, browser.Eval[float64](tab, `timing.painted(timing.from)`))
		wholes = append(wholes, browser.Eval[float64](tab, `timing.whole(timing.from)`))

		tab = open()
		tab.Upload(exportZone, orders)
		tab.Upload(reportZone, report)
		inspected = append(inspected, browser.Eval[float64](tab, `timing.inspected()`))
		painted = append(painted, browser.Eval[float64](tab, `timing.reconciled()`))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(files.Orders))/1e6, "export-MB")
	b.ReportMetric(median(uploads), "upload-ms")
	b.ReportMetric(median(dropped), "dropped-ms")
	b.ReportMetric(median(dropped)/median(uploads), "dropped/upload")
	b.ReportMetric(median(wholes), "whole-ms")
	b.ReportMetric(median(wholes)/median(uploads), "whole/upload")
	b.ReportMetric(median(inspected), "inspected-ms")
	b.ReportMetric(median(painted), "painted-ms")
	b.ReportMetric(median(painted)/median(uploads), "painted/upload")
}
