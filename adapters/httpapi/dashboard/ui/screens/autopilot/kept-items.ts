// The open items that a connection keeps: how they are read and marked.
import { itemKey, type Mark } from "../../files";
import type { KeptItems, OpenItem } from "../../views";
import { marked, markOf } from "../results/items";

type Read = (path: string, signal: AbortSignal) => Promise<KeptItems>;

const tries = 3;

/** Reads all pages. If a pass writes the items meanwhile, it begins again, so that none is missed. */
export async function readAll(read: Read, path: string, signal: AbortSignal): Promise<KeptItems> {
  for (let left = tries; ; left--) {
    const first = await read(path, signal);
    const items = [...first.items];
    let page = first;
    while (page.next !== null && page.written_at === first.written_at) {
      page = await read(`${path}?after=${page.next}`, signal);
      items.push(...page.items);
    }
    if (page.written_at === first.written_at || left === 1) return { ...first, items, next: null };
  }
}

/** How many orders a request marks at most. */
const atOnce = 500;

export interface Marks {
  marks: object[];
  was: object[];
}

/** The requests that mark items: each has the marks, and what they were when the person saw them. */
export function requestsOf(items: readonly OpenItem[], as: (item: OpenItem) => Mark): Marks[] {
  const requests: Marks[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = items.slice(from, from + atOnce);
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
