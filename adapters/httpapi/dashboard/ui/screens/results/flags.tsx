// The flags as one bar and as filters.
import { flagName, flags as known } from "../../parts/flag";
import { afterPaint } from "../../page";
import { place } from "../../router";
import type { FlagSum, Summary } from "../../views";
import { count, rupees, say } from "../../text";
import { ask, askedOf } from "./asked";
import { toggled } from "./views";

/** What a flag's orders come to, in words. */
function amountOf(sum: FlagSum): string {
  if (sum.shortfall > 0) return say("{amount} short", { amount: rupees(sum.shortfall) });
  if (sum.shortfall < 0) return say("{amount} over", { amount: rupees(-sum.shortfall) });
  if (sum.remitted !== 0) return say("{amount} remitted", { amount: rupees(sum.remitted) });
  return say("{amount} due", { amount: rupees(sum.due) });
}

const rank = (flag: string) => ((known as readonly string[]).indexOf(flag) + known.length) % known.length;

/** Brings the orders into sight, unless the first of them are seen. The focus stays, so that more flags can be chosen. */
function showOrders() {
  const top = document.querySelector(".orders .grid, .orders .nothing")!.getBoundingClientRect().top;
  if (top >= 0 && top < innerHeight * 0.6) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector(".orders")!.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
}

export function Flags({ summary }: { summary: Summary }) {
  const asked = askedOf(place.value);
  const sums = summary.flags.filter((f) => f.orders > 0).sort((a, b) => rank(a.flag) - rank(b.flag));
  const all = sums.reduce((n, f) => n + f.orders, 0);
  let at = 0;
  return (
    <section class="card flags" aria-labelledby="flags-title">
      <div class="result-head">
        <h2 id="flags-title">{say("What became of the orders")}</h2>
        <p class="soft small no-print">{say("Choose flags to see their orders.")}</p>
      </div>
      <svg class="flag-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {sums.map((f) => {
          const from = at;
          at += (1000 * f.orders) / all;
          return <rect key={f.flag} class={"flag-" + f.flag} x={from} y="0" width={Math.max(at - from - 1.5, 1)} height="10" />;
        })}
      </svg>
      <ul class="chips">
        {sums.map((f) => (
          <li key={f.flag}>
            <button
              type="button"
              class={"chip flag-" + f.flag}
              aria-pressed={asked.flags.has(f.flag)}
              onClick={() => {
                ask({ flags: toggled(asked.flags, f.flag) });
                afterPaint(showOrders);
              }}>
              <span class="dot" aria-hidden="true" />
              <span class="chip-name">{flagName(f.flag)}</span>
              <span class="chip-count">{count(f.orders)}</span>
              <span class="chip-amount">{amountOf(f)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
