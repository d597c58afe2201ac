import { test } from "node:test";
import assert from "node:assert/strict";
import "../../testing/browser";
import type { KeptItems, OpenItem } from "../../views";
import { readAll, requestsOf, withMarks } from "./kept-items";

const item = (order_id: string, more: Partial<OpenItem> = {}): OpenItem => ({
  order_id,
  awb: "A" + order_id,
  in_export: false,
  flag: "MISSING",
  flag_reason: "",
  cod_amount: 100,
  remitted: 0,
  shortfall: 100,
  ...more,
});

const page = (written_at: string, orders: string[], next: number | null) =>
  ({ as_of: "", kept_since: "", written_at, items: orders.map((id) => item(id)), movements: {}, next }) as unknown as KeptItems;

const reading = async (...answers: KeptItems[]) => {
  const asked: string[] = [];
  const read = async (path: string) => {
    asked.push(path);
    return answers.shift()!;
  };
  const { items, next } = await readAll(read, "/items", new AbortController().signal);
  return { asked: asked.join(" "), orders: items.map((i) => i.order_id).join(), next };
};

test("all pages are read", async () => {
  assert.deepEqual(await reading(page("a", ["#1", "#2"], 2), page("a", ["#3"], null)), {
    asked: "/items /items?after=2",
    orders: "#1,#2,#3",
    next: null,
  });
});

test("they are read again if a pass writes them meanwhile", async () => {
  const { asked, orders } = await reading(
    page("a", ["#1"], 1),
    page("b", ["#3"], null),
    page("b", ["#0", "#1"], 2),
    page("b", ["#3"], null),
  );
  assert.equal(asked, "/items /items?after=1 /items /items?after=2");
  assert.equal(orders, "#0,#1,#3");
});

test("a mark is sent with what it was, in parts", () => {
  const disputed = { state: "disputed", raised_on: "2026-03-01", promised_until: "", note: "" } as const;
  const many = Array.from({ length: 501 }, (_, i) => item("#" + i, { note: "Asha" }));
  const [first, second, third] = requestsOf(many, () => disputed);
  assert.deepEqual([first!.marks.length, second!.was.length, third], [500, 1, undefined]);
  assert.deepEqual(second, {
    marks: [{ order_id: "#500", awb: "A#500", ...disputed }],
    was: [{ order_id: "#500", awb: "A#500", state: "", raised_on: "", promised_until: "", note: "Asha" }],
  });
});

test("the items have the marks that were stored, and no others", () => {
  const all = [item("#1"), item("#2")];
  const [one, two] = withMarks(all, [all[1]!], () => ({ state: "refused", raised_on: "", promised_until: "", note: "no" }));
  assert.equal(one, all[0]);
  assert.deepEqual([two!.state, two!.note], ["refused", "no"]);
});
