import { test } from "node:test";
import assert from "node:assert/strict";
import "../../testing/browser";
import { itemKey, type Mark } from "../../files";
import { me } from "../../session";
import type { OpenItem } from "../../views";
import { readFindings } from "./findings";
import { csvOf } from "./item-csv";
import { ageOf, marked, openItemsOf, sentencesOf, viewOf } from "./items";

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

const all = { courier: "", state: "", change: "", age: "", search: "" };
const items = [
  item("#2", { courier: "delhivery", state: "disputed", note: "Asha", dispute: "two" }),
  item("#10", { due_by: "2026-03-01", courier: "dtdc", change: "cleared", flag: "RECONCILED", shortfall: 0 }),
  item("#1", { order_date: "2026-02-28", courier: "dtdc", state: "written off", shortfall: 300, dispute: "one" }),
];

test("filters and sorts", () => {
  const shown = (how: Partial<typeof all>, by = "") =>
    [...viewOf(items, { ...all, ...how }, by ? { by, down: false } : null, "2026-03-31")].map((row) => items[row]!.order_id).join();
  assert.equal(shown({}), "#1,#2,#10", "the most money first");
  assert.equal(shown({}, "order_id"), "#1,#2,#10");
  assert.equal(shown({}, "shortfall"), "#10,#2,#1");
  assert.equal(shown({}, "age"), "#2,#10,#1");
  assert.equal(shown({ courier: "dtdc", search: " a#1" }), "#1,#10");
  assert.equal(shown({ state: "none" }), "#10");
  assert.equal(shown({ change: "open" }), "#2");
  assert.equal(shown({ change: "cleared" }), "#10");
  assert.equal(shown({ search: "asha" }), "#2");
  assert.equal(shown({ age: "30" }), "#1");
  assert.equal(shown({ age: "7" }), "#1", "#10 is paid");
});

test("nothing is overdue that the last run awaits", () => {
  const due = { due_by: "2026-03-01" };
  assert.equal(ageOf(item("#1", due), "2026-03-31"), 30);
  assert.equal(ageOf(item("#1", { ...due, flag: "AWAITING_NEXT_CYCLE" }), "2026-03-31"), 0);
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
  me.value = null; // no courier is known by another name than its id
  assert.equal(sentencesOf([items[0]!]), "two");
  assert.equal(sentencesOf([items[0]!, items[2]!]), "delhivery\n\ntwo\n\n\ndtdc\n\none");
});

test("without a ledger, the orders of the run that are flagged or awaited are open", () => {
  const order = (order_id: string, flag: string, shortfall: number, more = {}) =>
    JSON.stringify({
      awb: "A",
      order_id,
      cod_amount: 100.5,
      remitted: 0,
      shortfall,
      days_overdue: 0,
      flag,
      flag_reason: "",
      status: "",
      match_mode: "awb",
      ...more,
    });
  const rows = [
    order("#1", "RECONCILED", 0),
    order("#2", "SHORT_PAID", 40.25, { report: 1, dispute: "two" }),
    order("#3", "AWAITING_NEXT_CYCLE", 0),
    order("#4", "AWAITING_NEXT_CYCLE", 0, { cod_amount: 0 }),
    order("#5", "OVERPAID", -2),
    order("#6", "MISSING", 5, { courier: "dtdc" }),
  ];
  const answer = `{"summary":{"orders":5},"cycle_guidance":{"batch_as_of":"2026-03-31"},"reports":[{"report":1,"courier":"dtdc"}],\n"results":[${rows.join(",\n")}]}`;
  const findings = readFindings(new TextEncoder().encode(answer));
  const { items, movements } = openItemsOf(findings);
  assert.deepEqual(
    items.map((i) => [i.order_id, i.courier, i.since, i.change, i.dispute]),
    [
      ["#2", "dtdc", "2026-03-31", "new", "two"],
      ["#3", undefined, undefined, undefined, undefined],
      ["#5", undefined, "2026-03-31", undefined, undefined],
      ["#6", "dtdc", "2026-03-31", "new", undefined],
    ],
  );
  const { new: fresh, now, awaited, overpaid, before } = movements.all;
  assert.deepEqual(
    [fresh, now],
    [
      { orders: 2, amount: 45.25 },
      { orders: 2, amount: 45.25 },
    ],
  );
  assert.deepEqual([awaited.amount, overpaid.amount, before.orders], [100.5, 2, 0]);
  assert.equal(openItemsOf(findings).items, items, "made once");
});

test("a file has no formula, keeps the digits of ids, and quotes what has commas", () => {
  const text = csvOf(
    [item("=1+1", { awb: "59112200000000001", note: '=HYPERLINK("x"), a\nb', shortfall: 10.5 })],
    [
      { title: "Order", cell: (i) => i.order_id, id: true },
      { title: "AWB", cell: (i) => i.awb, id: true },
      { title: "Note, if any", cell: (i) => i.note ?? "" },
      { title: "Shortfall", cell: (i) => i.shortfall },
    ],
  );
  assert.equal(text, '\ufeffOrder,AWB,"Note, if any",Shortfall\r\n\'=1+1,"=""59112200000000001""","\'=HYPERLINK(""x""), a b",10.5\r\n');
});
