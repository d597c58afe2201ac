// Which open items are shown, as they are marked in this tab, and what is written of them.
import { itemKey, type Mark } from "../../files";
import { courierName } from "../../session";
import { say } from "../../text";
import type { OpenItem } from "../../views";
import type { Sort } from "./views";

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

/** An item as it is marked in this tab. */
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
