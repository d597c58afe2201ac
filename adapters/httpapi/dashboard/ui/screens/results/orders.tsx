// The grid of orders, with its filters, and the order that is open.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { announce } from "../../announce";
import { Button } from "../../parts/button";
import { SearchField, Select } from "../../parts/field";
import { Popup } from "../../parts/popup";
import { place } from "../../router";
import { language, say } from "../../text";
import { ask, askedOf } from "./asked";
import { chosen, orderColumns, paise } from "./columns";
import { tableOf } from "./copying";
import { Detail } from "./detail";
import type { Findings } from "./findings";
import { Grid, type Active } from "./grid";
import { narrow } from "./narrow";
import { Printed } from "./printed";
import type { Rows } from "./rows";
import { viewsOf } from "./viewed";
import { nextSort, toggled } from "./views";

/** The n-th order with a name; -1 if there is none. */
function rowOf(rows: Rows, name: string, nth: number): number {
  const wanted = new TextEncoder().encode(JSON.stringify(name).slice(1, -1));
  const { from, to } = rows.place("order_id");
  for (let row = 0; row < rows.length; row++) {
    if (to[row]! - from[row]! !== wanted.length) continue;
    if (rows.text("order_id", row) === name && --nth === 0) return row;
  }
  return -1;
}

/** Which of the orders with its name an order is, from 1. */
function nthOf(rows: Rows, row: number): number {
  const name = rows.text("order_id", row);
  let nth = 1;
  const { from, to } = rows.place("order_id");
  for (let k = 0; k < row; k++) if (to[k]! - from[k]! === to[row]! - from[row]! && rows.text("order_id", k) === name) nth++;
  return nth;
}

export function Orders({ findings }: { findings: Findings }) {
  const { orders: rows, arriving, summary } = findings;
  const { orders } = viewsOf(findings);
  const asked = askedOf(place.value);
  const [search, setSearch] = useState(asked.search);
  const [active, setActive] = useState<Active>({ at: 0, column: 0 });
  const [focusing, setFocusing] = useState(0);
  const box = useRef<HTMLDivElement>(null);

  // The address follows the search when the typing rests, and leads when a person goes back.
  const written = useRef(asked.search);
  useEffect(() => {
    if (asked.search === written.current) return;
    written.current = asked.search;
    setSearch(asked.search);
  }, [asked.search]);
  useEffect(() => {
    if (search === written.current) return;
    const later = setTimeout(() => {
      written.current = search;
      ask({ search }, { step: false });
    }, 400);
    return () => clearTimeout(later);
  }, [search]);
  useEffect(() => {
    if (arriving) return;
    // Sorts by texts take longest.
    const parts = orders.preparing(["flag_reason", "order_id", "awb"]);
    const prepare = () => {
      for (const until = performance.now() + 8; performance.now() < until; ) if (parts.next().done) return;
      later = setTimeout(prepare, 8);
    };
    let later = setTimeout(prepare, 50);
    return () => clearTimeout(later);
  }, [orders]);

  const flags = [...asked.flags].sort().join();
  const { by, down } = asked.sort ?? { by: "", down: false };
  const sort = rows.has(by) ? asked.sort : null;
  // While the orders arrive, all of them have their places. A choice of them is one of those that are here.
  const n = arriving ? summary.orders : rows.length;
  const whole = !flags && !search;
  const all = whole && !sort;
  const view = useMemo(
    () => (all ? firstRows(n) : orders.view("flag", asked.flags, search, sort)),
    [all ? n : orders, flags, search, by, down],
  );
  const sums = useMemo(
    () =>
      whole
        ? inPaise(summary)
        : { due: rows.sum("cod_amount", view), remitted: rows.sum("remitted", view), shortfall: rows.sum("shortfall", view) },
    [rows, view],
  );
  const columns = useMemo(() => {
    const totals: Record<string, string> = {
      order_id: say("{n} order|{n} orders", { n: view.length }),
      cod_amount: paise(sums.due),
      remitted: paise(sums.remitted),
      shortfall: paise(sums.shortfall),
    };
    return orderColumns(rows)
      .filter((c) => narrow.value || chosen.value.has(c.name))
      .map((c) => ({ ...c, total: totals[c.name] ?? "" }));
  }, [rows, view, sums, chosen.value, narrow.value, language.value]);
  useEffect(() => setActive((a) => (a.at <= 0 ? a : { at: 0, column: a.column })), [view]);

  // The order that is open, and its place among those shown.
  const row = useMemo(() => (asked.order ? rowOf(rows, asked.order, asked.nth) : -1), [rows, asked.order, asked.nth]);
  const openAt = useMemo(() => (row < 0 ? -1 : view.indexOf(row)), [view, row]);
  const open = (at: number, step: boolean) => {
    setActive((a) => ({ at, column: a.column }));
    ask({ order: rows.text("order_id", view[at]!), nth: nthOf(rows, view[at]!) }, { step });
  };
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && row < 0) setFocusing((n) => n + 1);
    wasOpen.current = row >= 0;
  }, [row]);

  const copy = async (which: Uint32Array) => {
    try {
      await navigator.clipboard.writeText(
        tableOf(
          rows,
          orderColumns(rows).filter((c) => chosen.value.has(c.name)),
          which,
        ),
      );
      announce(say("{n} order was copied. Paste it into Excel.|{n} orders were copied. Paste them into Excel.", { n: which.length }));
    } catch {
      announce(say("The browser did not allow copying. Download the orders as a file instead."));
    }
  };
  const copied = (label: string, which: () => Uint32Array, close: () => void, disabled = false) => (
    <li>
      <Button
        look="plain"
        disabled={disabled}
        onClick={() => {
          void copy(which());
          close();
        }}>
        {label}
      </Button>
    </li>
  );
  const onScreen = () => {
    const grid = box.current!.querySelector<HTMLElement>(".grid")!;
    const top = grid.getBoundingClientRect().top + (grid.querySelector<HTMLElement>(".grid-head")?.offsetHeight ?? 0);
    const bottom = grid.getBoundingClientRect().bottom - (grid.querySelector<HTMLElement>(".grid-foot")?.offsetHeight ?? 0);
    const seen = [...grid.querySelectorAll<HTMLElement>(".grid-body .grid-row")].filter((r) => {
      const { top: above, bottom: below } = r.getBoundingClientRect();
      return above >= top - 1 && below <= bottom + 1;
    });
    return Uint32Array.from(
      seen.map((r) => Number(r.dataset.at)).sort((a, b) => a - b),
      (at) => view[at]!,
    );
  };
  const clear = () => {
    written.current = "";
    setSearch("");
    ask({ search: "", flags: new Set() });
  };

  return (
    <section class="orders" aria-labelledby="orders-title" ref={box}>
      <div class="result-head">
        <h2 id="orders-title">{say("Orders")}</h2>
        <p class="soft small">{say("{shown} of {n} order|{shown} of {n} orders", { shown: view.length, n })}</p>
      </div>
      <div class="tools no-print">
        <SearchField
          label={say("Search orders")}
          value={search}
          onValue={setSearch}
          placeholder={say("Order, AWB, UTR, status or reason")}
        />
        {narrow.value && (
          <Select
            label={say("Sort by")}
            value={sort ? (sort.down ? "-" : "") + sort.by : ""}
            onValue={(v) => ask({ sort: v ? { by: v.replace(/^-/, ""), down: v.startsWith("-") } : null })}
            choices={[
              { value: "", label: say("To act on first") },
              { value: "-shortfall", label: say("Largest shortfall first") },
              { value: "-days_overdue", label: say("Longest overdue first") },
              { value: "-order_date", label: say("Latest order first") },
              { value: "order_id", label: say("Order name") },
            ]}
          />
        )}
        <div class="actions">
          {(asked.flags.size > 0 || search !== "") && (
            <Button look="plain" onClick={clear}>
              {say("Show all orders")}
            </Button>
          )}
          <Popup label={say("Copy")} icon="copy">
            {(close) => (
              <ul class="choices">
                {active.at >= 0 &&
                  active.at < view.length &&
                  copied(
                    say("Order {name}", { name: rows.text("order_id", view[active.at]!) }),
                    () => view.subarray(active.at, active.at + 1),
                    close,
                  )}
                {copied(say("The orders on the screen"), onScreen, close)}
                {copied(say("All {n} order shown|All {n} orders shown", { n: view.length }), () => view, close, arriving)}
              </ul>
            )}
          </Popup>
          {!narrow.value && (
            <Popup label={say("Columns")}>
              {() => (
                <fieldset class="choices">
                  <legend class="unseen">{say("Columns that are shown")}</legend>
                  {orderColumns(rows).map((c) => (
                    <label key={c.name} class="choice">
                      <input
                        type="checkbox"
                        checked={chosen.value.has(c.name)}
                        disabled={c.fixed}
                        onChange={() => (chosen.value = toggled(chosen.value, c.name))}
                      />
                      {c.title}
                    </label>
                  ))}
                </fieldset>
              )}
            </Popup>
          )}
        </div>
      </div>
      <Shown n={view.length} shortfall={sums.shortfall} />
      {view.length > 0 ? (
        <Grid
          label={say("Orders")}
          hint={say(
            "Arrow keys move, Enter opens an order, Ctrl+C copies its row. Ctrl+Home and Ctrl+End go to the first and the last order.",
          )}
          view={view}
          columns={columns}
          arrived={(row) => row < rows.length}
          sort={sort}
          onSort={(name) => ask({ sort: nextSort(sort, name) })}
          active={active}
          onActive={setActive}
          onOpen={(at) => open(at, true)}
          onCopy={(one) => void copy(Uint32Array.of(one))}
          focusing={focusing}
        />
      ) : (
        <div class="nothing">
          <p>{rows.length === 0 ? say("The export has no orders.") : say("No order matches the search and the flags.")}</p>
          {rows.length > 0 && <Button onClick={clear}>{say("Show all orders")}</Button>}
        </div>
      )}
      <Printed rows={rows} view={view} filtered={asked.flags.size > 0 || search !== ""} />
      {asked.order && (
        <Detail
          key="detail"
          findings={findings}
          row={row}
          name={asked.order}
          at={openAt}
          count={view.length}
          onMove={(at) => open(at, false)}
          onClose={() => ask({ order: "" })}
        />
      )}
    </section>
  );
}

function firstRows(n: number): Uint32Array {
  const rows = new Uint32Array(n);
  for (let row = 0; row < n; row++) rows[row] = row;
  return rows;
}

const inPaise = ({ due, remitted, shortfall }: Findings["summary"]) => ({
  due: Math.round(due * 100),
  remitted: Math.round(remitted * 100),
  shortfall: Math.round(shortfall * 100),
});

/** Tells screen readers how many orders are shown when the typing rests. */
function Shown({ n, shortfall }: { n: number; shortfall: number }) {
  const [text, setText] = useState("");
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const later = setTimeout(
      () => setText(say("{n} order shown, shortfall {amount}|{n} orders shown, shortfall {amount}", { n, amount: paise(shortfall) })),
      500,
    );
    return () => clearTimeout(later);
  }, [n, shortfall]);
  return (
    <p role="status" class="unseen">
      {text}
    </p>
  );
}
