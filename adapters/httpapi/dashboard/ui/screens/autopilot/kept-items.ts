// The open items that a connection keeps: how they are marked.
import { itemKey, type Mark } from "../../files";
import type { OpenItem } from "../../views";
import { marked, markOf } from "../results/items";

/** How many orders a request marks at most. */
const atOnce = 500;

export interface Marks {
  marks: object[];
  was: object[];
}

/** The requests that mark items: each has the marks, and what they were when the person saw them. Items that nothing tells apart are
 * in one request, which shows how many of them the person has seen. */
export function requestsOf(all: readonly OpenItem[], as: (item: OpenItem) => Mark): Marks[] {
  const alike = new Map<string, OpenItem[]>();
  for (const item of all) alike.set(itemKey(item), [...(alike.get(itemKey(item)) ?? []), item]);
  const items = [...alike.values()].flat();
  const requests: Marks[] = [];
  for (let from = 0, to = 0; from < items.length; from = to) {
    to = Math.min(from + atOnce, items.length);
    while (to < items.length && itemKey(items[to]!) === itemKey(items[to - 1]!)) to--;
    const some = items.slice(from, to);
    const named = (of: (item: OpenItem) => Mark) => some.map((item) => ({ order_id: item.order_id, awb: item.awb, ...of(item) }));
    requests.push({ marks: named(as), was: named(markOf) });
  }
  return requests;
}

/** The items once some of them are marked. */
export function withMarks(all: readonly OpenItem[], items: readonly OpenItem[], as: (item: OpenItem) => Mark): OpenItem[] {
  const marks = new Map(items.map((item) => [itemKey(item), as(item)]));
  return all.map((item) => marked(item, marks));
}
