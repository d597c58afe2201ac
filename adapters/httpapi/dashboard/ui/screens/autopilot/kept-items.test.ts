import { test } from "node:test";
import assert from "node:assert/strict";
import "../../testing/browser";
import type { OpenItem } from "../../views";
import { requestsOf, withMarks } from "./kept-items";

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

test("items that nothing tells apart are marked by one request, each of them", () => {
  const bare = () => item("#1", { awb: "" });
  const others = Array.from({ length: 499 }, (_, i) => item("#" + (i + 2)));
  const none = { state: "", raised_on: "", promised_until: "", note: "" } as const;
  const sizes = (items: OpenItem[]) => requestsOf(items, () => none).map((request) => request.marks.length);
  assert.deepEqual(sizes([bare(), ...others, bare()]), [500, 1]);
  assert.deepEqual(sizes([...others, bare(), bare()]), [499, 2]);
});

test("the items have the marks that were stored, and no others", () => {
  const all = [item("#1"), item("#2")];
  const [one, two] = withMarks(all, [all[1]!], () => ({ state: "refused", raised_on: "", promised_until: "", note: "no" }));
  assert.equal(one, all[0]);
  assert.deepEqual([two!.state, two!.note], ["refused", "no"]);
});
