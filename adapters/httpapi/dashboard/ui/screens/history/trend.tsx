// Money at risk over time, as a line, and as a table for those who do not see it.
import { useEffect, useRef, useState } from "preact/hooks";
import { Failed } from "../../parts/states";
import { Headings } from "../../parts/table";
import { useResource } from "../../resource";
import { Link, place } from "../../router";
import type { TrendPoint } from "../../views";
import { moment, rupees, say, shortDate, shortRupees } from "../../text";
import { couriersOf } from "./names";

// In pixels; the width is that of the page.
const height = 220;
const left = 60;
const right = 12;
const top = 14;
const bottom = 30;

/** The runs that the address asks for. */
export function Trend() {
  const asked: Record<string, string> = {};
  for (const name of ["brand", "courier", "source"]) {
    const value = place.value.search.get(name);
    if (value) asked[name] = value;
  }
  return <TrendOf runs={asked} />;
}

/** The runs with some labels. */
export function TrendOf({ runs }: { runs: Record<string, string> }) {
  const asked = new URLSearchParams(runs);
  const trend = useResource<{ points: TrendPoint[] }>("/app/api/trend?" + asked);
  const points = trend.value?.points ?? [];
  if (!trend.error && trend.value && points.length < 2) return null;
  return (
    <section class="trend card stack tight" aria-labelledby="trend-title" aria-busy={trend.loading}>
      <h2 id="trend-title">{say("Money at risk, run by run")}</h2>
      {trend.error ? (
        <Failed message={trend.error.message} onRetry={trend.reload} />
      ) : points.length ? (
        <Chart points={points} />
      ) : (
        <div class="trend-space" aria-hidden="true" />
      )}
      {points.length ? <AsTable points={points} /> : null}
    </section>
  );
}

/** The steps of an axis from 0: at most five, each 1, 2 or 5 times a power of ten. */
export function steps(most: number): number[] {
  if (most <= 0) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough)!;
  const all: number[] = [];
  for (let i = 0; i <= Math.ceil(most / step); i++) all.push(i * step);
  return all;
}

function Chart({ points }: { points: TrendPoint[] }) {
  const [near, setNear] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const drawing = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(Math.round(entry!.contentRect.width), left + right + 100)));
    watch.observe(drawing.current!);
    return () => watch.disconnect();
  }, []);
  const times = points.map((p) => Date.parse(p.run_at));
  const first = times[0]!;
  const span = Math.max(times[times.length - 1]! - first, 1);
  const marks = steps(Math.max(...points.map((p) => p.amount_risk)));
  const most = marks[marks.length - 1]!;
  const x = (i: number) => left + ((times[i]! - first) / span) * (width - left - right);
  const y = (amount: number) => top + (1 - amount / most) * (height - top - bottom);
  // Runs of several shops do not make one line.
  const brands = new Set(points.map((p) => p.brand));
  const line = points.map((p, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(p.amount_risk).toFixed(1)}`).join("");
  const area = `${line}L${x(points.length - 1).toFixed(1)} ${y(0)}L${x(0).toFixed(1)} ${y(0)}Z`;
  const days = (
    [
      [0, "start"],
      [0.5, "middle"],
      [1, "end"],
    ] as const
  ).map(([share, anchor]) => ({ share, anchor, iso: new Date(first + share * span).toISOString() }));
  const shown = points[near ?? points.length - 1]!;

  const follow = (e: PointerEvent) => {
    const at = e.clientX - drawing.current!.getBoundingClientRect().left;
    let best = 0;
    for (let i = 1; i < points.length; i++) if (Math.abs(x(i) - at) < Math.abs(x(best) - at)) best = i;
    setNear(best);
  };
  return (
    <>
      <p class="trend-now">
        <b class="money">{rupees(shown.amount_risk)}</b>{" "}
        <span class="soft">
          {shown.brand ? say("{time}, {brand}", { time: moment(shown.run_at), brand: shown.brand }) : moment(shown.run_at)}
        </span>
      </p>
      <svg
        ref={drawing}
        class="trend-chart"
        viewBox={width ? `0 0 ${width} ${height}` : undefined}
        role="img"
        aria-label={say("Money at risk over time. The table below has the same figures.")}
        onPointerMove={follow}
        onPointerLeave={() => setNear(null)}>
        {width > 0 && (
          <>
            {marks.map((m) => (
              <g key={m}>
                <line class="rule" x1={left} x2={width - right} y1={y(m)} y2={y(m)} />
                <text class="amount" x={left - 8} y={y(m) + 4}>
                  {shortRupees(m)}
                </text>
              </g>
            ))}
            {days
              .filter(({ iso }, i) => i === 0 || shortDate(iso) !== shortDate(days[i - 1]!.iso))
              .map(({ share, anchor, iso }) => (
                <text key={share} class={anchor} x={left + share * (width - left - right)} y={height - 8}>
                  {shortDate(iso)}
                </text>
              ))}
            {brands.size === 1 && <path class="area" d={area} />}
            {brands.size === 1 && <path class="line" d={line} />}
            {points.map((p, i) => (
              <circle key={p.run_id} cx={x(i)} cy={y(p.amount_risk)} r={near === i ? 6 : points.length > 60 ? 2.5 : 4} />
            ))}
          </>
        )}
      </svg>
      {brands.size > 1 && <p class="hint">{say("These are runs of several brands. Choose a brand to see its runs as a line.")}</p>}
    </>
  );
}

function AsTable({ points }: { points: TrendPoint[] }) {
  return (
    <details class="folded">
      <summary>{say("Show as a table")}</summary>
      <div class="table-scroll tall" tabIndex={0} role="region" aria-label={say("Money at risk, as a table")}>
        <table>
          <Headings
            of={[say("Run"), say("Brand"), say("Couriers"), { name: say("Shortfall"), num: true }, { name: say("At risk"), num: true }]}
          />
          <tbody>
            {[...points].reverse().map((p) => (
              <tr key={p.run_id}>
                <th scope="row">
                  <Link to={"/app/history/" + p.run_id}>{moment(p.run_at)}</Link>
                </th>
                <td>{p.brand}</td>
                <td>{couriersOf(p)}</td>
                <td class="num">{rupees(p.shortfall)}</td>
                <td class="num">{rupees(p.amount_risk)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
