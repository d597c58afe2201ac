// What is still owed of this run and the ones before, by the ledger that was given.
import { useMemo, useState } from "preact/hooks";
import { Field, Select } from "../../parts/field";
import { FlagName } from "../../parts/flag";
import { Money } from "../../parts/money";
import { courierName } from "../../session";
import { date, language, rupees, say } from "../../text";
import type { ItemSum, Movement, OpenItem, OpenItems as Items } from "../../views";
import { Grid, type Active, type GridColumn } from "./grid";
import { narrow } from "./narrow";
import { nextSort, type Sort } from "./views";

const stateNames: Record<NonNullable<OpenItem["state"]>, () => string> = {
  disputed: () => say("Disputed"),
  promised: () => say("Promised"),
  refused: () => say("Refused"),
  "written off": () => say("Written off"),
};
const stateName = ({ state, promise_passed, promised_until }: OpenItem) =>
  promise_passed
    ? say("Promised until {date}, which has passed", { date: date(promised_until) })
    : state === "promised" && promised_until
      ? say("Promised until {date}", { date: date(promised_until) })
      : state
        ? stateNames[state]()
        : "";

const changeNames: Record<NonNullable<OpenItem["change"]>, () => string> = {
  new: () => say("New"),
  reopened: () => say("Reopened"),
  partly_paid: () => say("Partly paid"),
  cleared: () => say("Cleared"),
  ceased: () => say("Nothing is claimed any more"),
  written_off: () => say("Written off"),
  recovered: () => say("Recovered"),
};
const changeName = ({ change, cleared_on }: OpenItem) =>
  !change ? "" : cleared_on ? say("{change} on {date}", { change: changeNames[change](), date: date(cleared_on) }) : changeNames[change]();

/** Which of the items are shown. */
export interface Shown {
  readonly courier: string; // blank: all
  readonly state: string; // blank: all; none: those without one
  readonly change: string; // blank: all; open: those that are claimed now
  readonly search: string;
}

const searched = ({ order_id, awb, utr = "", note = "" }: OpenItem) => `${order_id}\n${awb}\n${utr}\n${note}`.toLowerCase();

/** The places of the items that are shown, sorted. */
export function viewOf(items: readonly OpenItem[], shown: Shown, sort: Sort | null): Uint32Array {
  const search = shown.search.trim().toLowerCase();
  const fits = (item: OpenItem) =>
    (!shown.courier || (item.courier ?? "none") === shown.courier) &&
    (!shown.state || (item.state ?? "none") === shown.state) &&
    (!shown.change || (shown.change === "open" ? isClaimed(item) : item.change === shown.change)) &&
    (!search || searched(item).includes(search));
  const rows = [...items.keys()].filter((row) => fits(items[row]!));
  if (sort) {
    const by = sort.by as keyof OpenItem;
    const value = (row: number) => items[row]![by] ?? "";
    const order = (a: number, b: number) => {
      const [x, y] = [value(a), value(b)];
      return typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    };
    rows.sort((a, b) => (sort.down ? order(b, a) : order(a, b)));
  }
  return Uint32Array.from(rows);
}

/** Whether money is claimed for an item now. */
const isClaimed = ({ flag, shortfall, state }: OpenItem) =>
  shortfall > 0 && state !== "written off" && flag !== "RECONCILED" && flag !== "AWAITING_NEXT_CYCLE";

export function OpenItems({ found }: { found: Items }) {
  const { items, movements } = found;
  const [shown, setShown] = useState<Shown>({ courier: "", state: "", change: "", search: "" });
  const [sort, setSort] = useState<Sort | null>(null);
  const [active, setActive] = useState<Active>({ at: 0, column: 0 });
  const view = useMemo(() => viewOf(items, shown, sort), [items, shown, sort]);
  const columns = useMemo((): GridColumn[] => {
    const column = (name: keyof OpenItem, title: string, width: number, cell: GridColumn["cell"], more: Partial<GridColumn> = {}) => ({
      name,
      title,
      width,
      cell,
      ...more,
    });
    const text = (name: "order_id" | "awb" | "note") => (row: number) => items[row]![name] ?? "";
    const day = (name: "order_date" | "due_by" | "since" | "raised_on") => (row: number) => date(items[row]![name] ?? "");
    const amount = (name: "cod_amount" | "remitted" | "shortfall", title: string, card: number) =>
      column(name, title, 8, (row) => <Money amount={items[row]![name]} />, {
        numeric: true,
        card,
        labelled: card > 2,
        total: rupees(view.reduce((sum, row) => sum + Math.round(items[row]![name] * 100), 0) / 100),
      });
    return [
      column("order_id", say("Order"), 8, text("order_id"), {
        grows: true,
        card: 1,
        total: say("{n} order|{n} orders", { n: view.length }),
      }),
      column("flag", say("Flag"), 11, (row) => <FlagName flag={items[row]!.flag} />, { card: 3 }),
      amount("shortfall", say("Shortfall"), 2),
      column("since", say("Since"), 8, day("since"), { card: 4, labelled: true }),
      column("change", say("Since the run before"), 12, (row) => changeName(items[row]!), { grows: true, card: 5 }),
      column("state", say("State"), 11, (row) => stateName(items[row]!), { grows: true, card: 6 }),
      column("raised_on", say("Raised on"), 8, day("raised_on")),
      column("note", say("Note"), 10, text("note"), { grows: true }),
      column("courier", say("Courier"), 9, (row) => (items[row]!.courier ? courierName(items[row]!.courier!) : ""), { grows: true }),
      column("awb", say("AWB"), 11, text("awb"), { grows: true }),
      amount("cod_amount", say("Due"), 7),
      amount("remitted", say("Remitted"), 8),
      column("order_date", say("Ordered"), 8, day("order_date")),
      column("due_by", say("Due by"), 8, day("due_by")),
    ];
  }, [items, view, narrow.value, language.value]);
  const choose = (name: keyof Shown) => (value: string) => setShown({ ...shown, [name]: value });
  const couriers = [...new Set(items.map((i) => i.courier ?? "none"))].sort();
  const all = movements.all;
  return (
    <section class="open-items card stack" aria-labelledby="open-items-title">
      <div class="result-head">
        <h2 id="open-items-title">{say("Open items")}</h2>
        <p>
          {say("{before} open before, {cleared} cleared, {new} new, {now} open now: {amount}", {
            before: all.before.orders,
            cleared: all.cleared.orders,
            new: all.new.orders,
            now: all.now.orders,
            amount: rupees(all.now.amount),
          })}
          {all.promises.orders > 0 && " " + say("{n} promise has passed.|{n} promises have passed.", { n: all.promises.orders })}
        </p>
      </div>
      <Movements of={movements} />
      <div class="tools no-print">
        <Field
          label={say("Search open items")}
          class="search"
          type="search"
          value={shown.search}
          onValue={choose("search")}
          placeholder={say("Order, AWB, UTR or note")}
          autocomplete="off"
          spellcheck={false}
        />
        {couriers.length > 1 && (
          <Select
            label={say("Courier")}
            value={shown.courier}
            onValue={choose("courier")}
            choices={[
              { value: "", label: say("All couriers") },
              ...couriers.map((id) => ({ value: id, label: id === "none" ? say("Not known") : courierName(id) })),
            ]}
          />
        )}
        <Select
          label={say("State")}
          value={shown.state}
          onValue={choose("state")}
          choices={[
            { value: "", label: say("All states") },
            { value: "none", label: say("Without a state") },
            ...Object.entries(stateNames).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
        <Select
          label={say("Since the run before")}
          value={shown.change}
          onValue={choose("change")}
          choices={[
            { value: "", label: say("All of them") },
            { value: "open", label: say("Open now") },
            ...Object.entries(changeNames).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
        <p role="status" class="soft small">
          {say("{shown} of {n} order|{shown} of {n} orders", { shown: view.length, n: items.length })}
        </p>
      </div>
      {view.length > 0 ? (
        <Grid
          label={say("Open items")}
          hint={say("Arrow keys move.")}
          view={view}
          columns={columns}
          sort={sort}
          onSort={(by) => setSort(nextSort(sort, by))}
          active={active}
          onActive={setActive}
        />
      ) : (
        <p class="nothing">{items.length ? say("No order matches the filters.") : say("Nothing is open.")}</p>
      )}
      <p class="hint no-print">
        {say(
          "State, Raised on, Promised until and Note are filled in in the workbook under Download, which is the ledger of the next run.",
        )}
      </p>
    </section>
  );
}

/** What has become of what was claimed, per courier and in all. */
function Movements({ of: { all, couriers } }: { of: Items["movements"] }) {
  const parts: [name: string, sum: (m: Movement) => ItemSum, sign: number][] = [
    [say("Open before"), (m) => m.before, 1],
    [say("New"), (m) => m.new, 1],
    [say("Changed"), (m) => m.changed, 1],
    [say("Partly paid"), (m) => m.partly_paid, -1],
    [say("Cleared"), (m) => m.cleared, -1],
    [say("Written off"), (m) => m.written_off, -1],
    [say("Reopened"), (m) => m.reopened, 1],
    [say("Open now"), (m) => m.now, 1],
  ];
  const rows = couriers.length > 1 ? [...couriers, all] : [all];
  const name = (m: Movement) => (m === all ? say("All couriers") : m.courier ? courierName(m.courier) : say("Not known"));
  return (
    <details class="where">
      <summary>{say("How the sums have changed")}</summary>
      <div class="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say("Courier")}</th>
              {parts.map(([title]) => (
                <th scope="col" class="num" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((m) => (
              <tr key={m.courier ?? (m === all ? "all" : "none")}>
                <th scope="row">{name(m)}</th>
                {parts.map(([title, sum, sign]) => (
                  <td class="num" key={title}>
                    <Money amount={sign * sum(m).amount} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
