import { test } from "node:test";
import assert from "node:assert/strict";
import { Arriving, readFindings, type Findings } from "./findings";
import { inLines } from "../../testing/random";
import { BrokenAnswer } from "./rows";

const encoder = new TextEncoder();

// Most orders are short, so that an answer can be cut everywhere.
const order = (i: number) =>
  i % 35
    ? { awb: "A" + i, flag: i % 2 ? "PAID" : "LATE" }
    : {
        awb: "AWB" + i,
        order_id: "#" + i,
        cod_amount: 100 + i / 100,
        remitted: 0,
        shortfall: 100,
        days_overdue: i,
        flag: "LATE",
        flag_reason: 'घर "x"',
        status: "delivered",
        match_mode: "awb",
      };

/** The bytes of an answer as adapters/answer writes it for a page: a line with the sums, then an object of a list a line. */
function written(orders: number): Uint8Array {
  const head = {
    summary: { orders, flags: { LATE: orders / 2 } },
    run_id: "r1",
    warnings: [{ code: "x", message: 'no "results":[ here, or\nthere' }],
  };
  const results = inLines(Array.from({ length: orders }, (_, i) => order(i)));
  const unclaimed = [{ report: 1, line: 7, awb: "Z", cod_amount: 1.5, remitted: 1.5 }];
  const payouts = [{ report: 1, courier: "acme", utr: "U1", lines: 2, collected: 10, deducted: 1, paid: 9 }];
  const credits = inLines([{ amount: 3 }]);
  const bank = `{"from":"2026-09-01","payouts":${inLines([{ state: "credited" }])},"other_credits":${credits}}`;
  const lists = `"results":${results},"unclaimed":${inLines(unclaimed)},"payouts":${inLines(payouts)}`;
  return encoder.encode(JSON.stringify(head).slice(0, -1) + `,\n${lists},"bank":${bank}}\n`);
}

function assertWhole(found: Findings, orders: number) {
  assert.equal(found.arriving, false);
  assert.equal(found.run_id, "r1");
  assert.equal(found.summary.orders, orders);
  assert.equal(found.orders.length, orders);
  for (const i of [0, orders >> 1, orders - 1]) assert.deepEqual(found.orders.object(i), order(i));
  assert.equal(found.unclaimed.number("line", 0), 7);
  assert.equal(found.payouts.text("utr", 0), "U1");
  assert.equal(found.payouts.text("state", 0), "credited");
  assert.deepEqual([found.bank!.from, found.bank!.other_credits], ["2026-09-01", [{ amount: 3 }]]);
}

/** An answer that arrives in these parts. It returns what was there first. */
function arrive(arriving: Arriving, ...parts: Uint8Array[]): Findings | null {
  let first: Findings | null = null;
  for (const part of parts) {
    const found = arriving.take(part);
    if (!found) continue;
    assert.equal(first, null, "the first findings come once");
    first = found;
    assert.equal(first.arriving, true);
    assert.ok(first.orders.length >= 64);
    assert.deepEqual(first.orders.object(0), order(0));
    assert.equal(first.summary.orders > 0 && first.run_id, "r1");
  }
  return first;
}

test("an answer is read whole", () => {
  assertWhole(readFindings(written(10)), 10);
});

test("an answer that arrives in two parts is the whole one, wherever it is cut", () => {
  const all = written(70);
  for (let cut = 0; cut <= all.length; cut++) {
    const arriving = new Arriving(cut % 3 ? all.length : 10);
    const first = arrive(arriving, all.subarray(0, cut), all.subarray(cut));
    assert.ok(first);
    const found = arriving.findings();
    assertWhole(found, 70);
    assert.equal(found.orders, first.orders, "what is shown already stays");
  }
});

test("an answer that arrives byte by byte is the whole one", () => {
  const all = written(70);
  const arriving = new Arriving(1);
  const first = arrive(arriving, ...Array.from(all, (_, i) => all.subarray(i, i + 1)));
  assert.equal(first?.orders.length, 70, "orders are read while they arrive");
  assertWhole(arriving.findings(), 70);
});

test("few orders are shown when all are there", () => {
  const all = written(20);
  const arriving = new Arriving(all.length);
  assert.equal(arrive(arriving, all.subarray(0, 500), all.subarray(500)), null);
  assertWhole(arriving.findings(), 20);
});

test("an answer that is cut short is refused, wherever it is cut", () => {
  const all = written(70);
  const end = all.lastIndexOf(0x7d);
  for (let cut = 0; cut <= end; cut++) {
    const arriving = new Arriving(all.length);
    arriving.take(all.subarray(0, cut));
    assert.throws(
      () => arriving.findings(),
      (e: unknown) => e instanceof BrokenAnswer || e instanceof SyntaxError,
    );
  }
});

test("an answer without results is refused", () => {
  assert.throws(() => readFindings(encoder.encode('{"summary":{}}')), BrokenAnswer);
});
