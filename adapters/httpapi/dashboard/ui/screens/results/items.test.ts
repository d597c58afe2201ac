import { test } from "node:test";
import assert from "node:assert/strict";
import "../../testing/browser";
import { itemKey, type Mark } from "../../files";
import type { OpenItem } from "../../views";
import { marked, sentencesOf, viewOf } from "./items";

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

const all = { courier: "", state: "", change: "", search: "" };
const items = [
  item("#2", { courier: "delhivery", state: "disputed", note: "Asha", dispute: "two" }),
  item("#10", { courier: "dtdc", change: "cleared", flag: "RECONCILED", shortfall: 0 }),
  item("#1", { courier: "dtdc", state: "written off", shortfall: 300, dispute: "one" }),
];

test("filters and sorts", () => {
  const shown = (how: Partial<typeof all>, by = "") =>
    [...viewOf(items, { ...all, ...how }, by ? { by, down: false } : null)].map((row) => items[row]!.order_id).join();
  assert.equal(shown({}), "#2,#10,#1");
  assert.equal(shown({}, "order_id"), "#1,#2,#10");
  assert.equal(shown({}, "shortfall"), "#10,#2,#1");
  assert.equal(shown({ courier: "dtdc", search: " a#1" }), "#10,#1");
  assert.equal(shown({ state: "none" }), "#10");
  assert.equal(shown({ change: "open" }), "#2");
  assert.equal(shown({ change: "cleared" }), "#10");
  assert.equal(shown({ search: "asha" }), "#2");
});

test("a mark of the tab stands for that of the ledger, and a passed promise stays one", () => {
  const mark: Mark = { state: "promised", raised_on: "2026-03-01", promised_until: "2026-03-09", note: "" };
  const by = new Map([[itemKey(items[0]!), mark]]);
  assert.deepEqual(marked(items[0]!, by), { ...items[0], ...mark });
  assert.equal(marked(items[1]!, by), items[1]);
  const passed = item("#2", { ...mark, state: "promised", promise_passed: true });
  assert.equal(marked(passed, by), passed);
  assert.equal(marked(passed, new Map([[itemKey(passed), { ...mark, state: "" as const }]])).state, undefined);
});

test("sentences of several couriers stand below the name of each", () => {
  assert.equal(sentencesOf([items[0]!]), "two");
  assert.equal(sentencesOf([items[0]!, items[2]!]), "delhivery\n\ntwo\n\n\ndtdc\n\none");
});
