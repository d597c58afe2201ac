// Which open items are shown, as they are marked, and what is written of them.
import { itemKey, type Mark } from "../../files";
import { courierName } from "../../session";
import { say } from "../../text";
import type { Movement, OpenItem, OpenItems, OrderResult } from "../../views";
import type { Findings } from "./findings";
import type { Sort } from "./views";

const firstItems = new WeakMap<Findings, OpenItems>();

/** The open items of an answer: those by the ledger that was given, or else those of its own orders, which are all new. */
export function openItemsOf(findings: Findings): OpenItems {
  if (findings.open_items) return findings.open_items;
  const known = firstItems.get(findings);
  if (known) return known;
  const { orders, reports = [], cycle_guidance: guidance } = findings;
  const items: OpenItem[] = [];
  for (let row = 0; row < orders.length; row++) {
    const flag = orders.text("flag", row);
    if (flag === "RECONCILED" || (flag === "AWAITING_NEXT_CYCLE" && orders.number("cod_amount", row) === 0)) continue;
    const { report = 0, lines: _, ...order } = orders.object<OrderResult>(row);
    const flagged = flag !== "AWAITING_NEXT_CYCLE";
    items.push({
      ...order,
      courier: order.courier ?? reports[report - 1]?.courier,
      in_export: true,
      since: flagged ? guidance.batch_as_of : undefined,
      change: flagged && order.shortfall > 0 ? "new" : undefined,
    });
  }
  const made = { items, movements: { all: firstMovement(items), couriers: [] } };
  firstItems.set(findings, made);
  return made;
}

/** What has become of what is claimed, where no run was before. */
function firstMovement(items: readonly OpenItem[]): Movement {
  const sum = (of: (item: OpenItem) => number) => {
    const paise = items.map((item) => Math.round(of(item) * 100)).filter((n) => n > 0);
    return { orders: paise.length, amount: paise.reduce((a, b) => a + b, 0) / 100 };
  };
  const claimed = sum((item) => (isClaimed(item) ? item.shortfall : 0));
  const none = { orders: 0, amount: 0 };
  return {
    before: none,
    new: claimed,
    changed: none,
    partly_paid: none,
    cleared: none,
    written_off: none,
    reopened: none,
    now: claimed,
    recovered: none,
    awaited: sum((item) => (item.flag === "AWAITING_NEXT_CYCLE" ? item.cod_amount : 0)),
    overpaid: sum((item) => -item.shortfall),
    promises: none,
  };
}

/** Which of the items are shown. */
export interface Shown {
  readonly courier: string; // blank: all
  readonly state: string; // blank: all; none: those without one
  readonly change: string; // blank: all; open: those that are claimed now
  readonly age: string; // days that have passed since the money was due; blank: all
  readonly search: string;
}

const searched = ({ order_id, awb, utr = "", note = "" }: OpenItem) => `${order_id}\n${awb}\n${utr}\n${note}`.toLowerCase();

/** For how many days the money of an item has been due on a day of the form 2026-03-31. Nothing is due that is paid, or that
 * the last run awaits: an order that was not due on its day may still be in the next report. */
export const ageOf = ({ flag, due_by, order_date }: OpenItem, on: string) =>
  flag === "RECONCILED" || flag === "AWAITING_NEXT_CYCLE" ? 0 : (Date.parse(on) - Date.parse(due_by ?? order_date ?? on)) / 86_400_000;

/** The places of the items that are shown, sorted, by themselves those with the most money first. on is the day on which ages are counted. */
export function viewOf(items: readonly OpenItem[], shown: Shown, sort: Sort | null, on: string): Uint32Array {
  const search = shown.search.trim().toLowerCase();
  const fits = (item: OpenItem) =>
    (!shown.courier || (item.courier ?? "none") === shown.courier) &&
    (!shown.state || (item.state ?? "none") === shown.state) &&
    (!shown.change || (shown.change === "open" ? isClaimed(item) : item.change === shown.change)) &&
    (!shown.age || ageOf(item, on) > Number(shown.age)) &&
    (!search || searched(item).includes(search));
  const { by, down } = sort ?? { by: "shortfall", down: true };
  const value = (row: number) => (by === "age" ? ageOf(items[row]!, on) : (items[row]![by as keyof OpenItem] ?? ""));
  const order = (a: number, b: number) => {
    const [x, y] = [value(a), value(b)];
    return typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
  };
  const rows = [...items.keys()].filter((row) => fits(items[row]!));
  return Uint32Array.from(rows.sort((a, b) => (down ? order(b, a) : order(a, b))));
}

/** Whether money is claimed for an item now. */
const isClaimed = ({ flag, shortfall, state }: OpenItem) =>
  shortfall > 0 && state !== "written off" && flag !== "RECONCILED" && flag !== "AWAITING_NEXT_CYCLE";

/** The mark of an item. */
export const markOf = ({ state, raised_on = "", promised_until = "", note = "" }: OpenItem): Mark => ({
  state: state ?? "",
  raised_on,
  promised_until,
  note,
});

/** An item as it is marked. */
export function marked(item: OpenItem, by: ReadonlyMap<string, Mark>): OpenItem {
  const mark = by.get(itemKey(item));
  if (!mark || (Object.keys(mark) as (keyof Mark)[]).every((name) => (item[name] ?? "") === mark[name])) return item;
  const { promise_passed: _, ...rest } = item;
  return { ...rest, ...mark, state: mark.state || undefined };
}

/** The sentences of claims; of several couriers, below the name of each. */
export function sentencesOf(claims: readonly OpenItem[]): string {
  const of = new Map<string, OpenItem[]>();
  for (const item of claims) of.set(item.courier ?? "", [...(of.get(item.courier ?? "") ?? []), item]);
  const list = (items: readonly OpenItem[]) => items.map((item) => item.dispute).join("\n\n");
  if (of.size < 2) return list(claims);
  return [...of].map(([id, items]) => (id ? courierName(id) : say("Not known")) + "\n\n" + list(items)).join("\n\n\n");
}
