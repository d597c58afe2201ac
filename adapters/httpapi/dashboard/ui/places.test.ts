import "./testing/browser";
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  change,
  chosen,
  find,
  firstFaulty,
  inRun,
  inPlace,
  inTheWay,
  needsColumns,
  put,
  sort,
  stateOf,
  without,
  type Files,
  type Inspected,
  type Place,
} from "./places";
import type { InspectedReport, Is } from "./views";

const file = new File(["a\n"], "a.csv");
const fault = { error: "No header.", code: "header" };
const seen = (is: Is, more: Partial<InspectedReport> = {}) =>
  ({ is, fault: null, header: ["A"], rows: 1, courier: is === "report" ? "acme" : "", ...more }) as Inspected;

/** Files in these places, with the keys 1, 2 and so on. */
const files = (...places: Place[]) => places.reduce<Files>((p, place, i) => put(p, chosen(i + 1, file, place)), []);
const states = (p: Files) => [...inRun(p), ...inPlace(p, "")].map((f) => `${f.key} ${f.place} ${stateOf(f)}`);

test("files are counted as the service does, whatever came first", () => {
  const p = files("bank", "report", "", "orders", "report");
  assert.deepEqual(states(p), ["4 orders reading", "2 report reading", "5 report reading", "1 bank reading", "3  reading"]);
  assert.equal(find(p, 3)?.key, 3);
  assert.equal(find(p, 9), undefined);
});

test("one export and one statement have room, and any number of reports", () => {
  const p = files("orders", "bank", "report");
  assert.deepEqual(
    [inTheWay(p, "orders")?.key, inTheWay(p, "bank")?.key, inTheWay(p, "report")?.key, inTheWay(p, "")?.key],
    [1, 2, undefined, undefined],
  );
  const replaced = put(p, chosen(7, file, "orders"));
  assert.deepEqual(states(replaced), ["7 orders reading", "3 report reading", "2 bank reading"]);
});

test("an unsorted file finds its place", () => {
  for (const is of ["orders", "report", "bank"] as const) {
    assert.deepEqual(states(sort(files(""), 1, is, seen(is), false)), [`1 ${is} inspected`]);
    assert.deepEqual(states(sort(files(""), 1, is, seen(is), true)), [`1 ${is} sorted`]);
  }
});

test("the first rows of a report name its courier", () => {
  const [report] = sort(files(""), 1, "report", seen("report"), true);
  assert.deepEqual([report!.seems, report!.courier, report!.found, report!.sent], ["acme", "", null, 1]);
});

test("the oldest report is the first one, and others stay in the order in which they came", () => {
  const dated = (key: number, lastModified: number) => chosen(key, new File([""], key + ".csv", { lastModified }), "report");
  assert.deepEqual(
    inPlace([dated(1, 3000), dated(2, 1000), dated(3, 3000), dated(4, 2000)], "report").map((r) => r.key),
    [2, 4, 1, 3],
  );
});

test("reports stay in the order in which they came, whichever is read first", () => {
  let p = files("", "", "");
  for (const key of [2, 3, 1]) p = sort(p, key, "report", seen("report"), false);
  assert.deepEqual(
    inPlace(p, "report").map((r) => r.key),
    [1, 2, 3],
  );
});

test("a file whose place has another one waits beside it", () => {
  for (const is of ["orders", "bank"] as const) {
    const p = sort(files(is, ""), 2, is, seen(is), false);
    assert.deepEqual(states(p), [`1 ${is} reading`, "2  taken"]);
    assert.equal(inPlace(p, "")[0]!.takenBy, is);
  }
});

test("a file that nobody knows keeps its header and the reason", () => {
  const p = sort(files(""), 1, "", seen("", { fault: fault as InspectedReport["fault"] }), false);
  assert.deepEqual(states(p), ["1  unknown"]);
  assert.deepEqual([inPlace(p, "")[0]!.found!.header, inPlace(p, "")[0]!.found!.fault], [["A"], fault]);
});

test("a file that is gone or placed already is not sorted", () => {
  const p = files("report");
  assert.equal(sort(p, 1, "orders", seen("orders"), false), p);
  assert.equal(sort(p, 9, "orders", seen("orders"), false), p);
});

test("a fault, and an inspection that failed, are told apart, and lead back to reading", () => {
  const p = files("orders");
  const faulty = change(p, 1, { reading: false, found: seen("orders", { fault: fault as InspectedReport["fault"] }) });
  const failed = change(p, 1, { reading: false, failure: "Milaan could not be reached." });
  assert.deepEqual([states(faulty), states(failed)], [["1 orders faulty"], ["1 orders failed"]]);
  assert.deepEqual([firstFaulty(p), firstFaulty(faulty), firstFaulty(failed)], [0, 1, 1]);
  assert.deepEqual(states(change(failed, 1, { reading: true, failure: "" })), ["1 orders reading"]);
});

test("a file without a place is one to be looked after, once it has been read", () => {
  const p = files("orders", "report", "");
  assert.equal(firstFaulty(p), 0);
  assert.equal(firstFaulty(sort(p, 3, "", seen(""), false)), 3);
  assert.equal(firstFaulty(sort(p, 3, "orders", seen("orders"), false)), 3);
});

test("a report that needs its columns is the last one to be looked after", () => {
  const needs = (key: number, p: Files) => change(p, key, { reading: false, found: seen("report", { missing: ["awb"] }) });
  const p = needs(1, files("report", "report"));
  assert.equal(firstFaulty(p), 1);
  assert.equal(firstFaulty(change(p, 2, { reading: false, failure: "x" })), 2);
  const mapping = (column: string, candidates: string[]) =>
    seen("report", { mapping: [{ role: "awb", column, source: "none", required: true, candidates, samples: [] }] }) as InspectedReport;
  assert.deepEqual([mapping("", ["A", "B"]), mapping("A", ["A", "B"]), mapping("", ["A"])].map(needsColumns), [true, false, false]);
});

test("a file is changed and removed alone", () => {
  const p = files("orders", "report", "bank", "");
  for (const key of [1, 2, 3, 4]) {
    assert.equal(find(without(p, key), key), undefined);
    assert.equal(without(p, key).length, 3);
    const changed = change(p, key, { sheet: "May" });
    for (const other of [1, 2, 3, 4]) assert.equal(find(changed, other)?.sheet, other === key ? "May" : "");
    assert.equal(find(p, key)!.sheet, "", "values are never changed in place");
  }
});
