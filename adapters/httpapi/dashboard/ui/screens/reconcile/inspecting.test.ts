import "../../testing/browser";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { clear, files, large } from "../../files";
import { stateOf } from "../../places";
import { me } from "../../session";
import type { Is, Me } from "../../views";
import { service } from "../../testing/service";
import { changeReport, fresh, idle, inspect, remove, settle } from "./inspecting";

const add = (name: string, place: Is, text = "a\n") => {
  const file = fresh(new File([text], name), place);
  settle(file);
  return file.key;
};
const states = () => files.value.map((f) => `${f.file.name} ${f.place} ${stateOf(f)}`);

beforeEach(() => {
  clear();
  service.reset();
  me.value = { limits: { body_bytes: 1 << 30 }, account: null } as unknown as Me;
});

test("an unsorted file is asked about as an export first, then as what it is", async () => {
  add("bank.csv", "");
  assert.deepEqual(states(), ["bank.csv  reading"]);
  await idle();
  assert.deepEqual(states(), ["bank.csv bank inspected"]);
  assert.deepEqual(service.asked, ["orders bank.csv", "bank bank.csv"]);
});

test("a large file has its place by its first rows, and is then read whole", async () => {
  add("orders.csv", "", "a,b\n".repeat(large));
  await idle();
  assert.deepEqual(states(), ["orders.csv orders inspected"]);
  assert.deepEqual(service.asked, ["orders blob + report blob + bank blob", "orders orders.csv"]);
});

test("a file in the wrong place is moved", async () => {
  add("report.csv", "bank");
  await idle();
  assert.deepEqual(states(), ["report.csv report inspected"]);
});

test("a second export waits beside the first one, and takes its place", async () => {
  const first = add("orders-1.csv", "orders");
  add("orders-2.csv", "report");
  await idle();
  assert.deepEqual(states(), ["orders-1.csv orders inspected", "orders-2.csv  taken"]);
  remove(first);
  await idle();
  assert.deepEqual(states(), ["orders-2.csv orders inspected"]);
});

test("what nobody knows stays unsorted, and a report may be understood beside the orders", async () => {
  add("other.csv", "");
  await idle();
  assert.deepEqual(states(), ["other.csv  unknown"]);
  clear();
  service.asked = [];
  add("orders.csv", "orders");
  add("other.csv", "report");
  await idle();
  assert.deepEqual(service.asked, ["orders orders.csv", "report other.csv", "report other.csv + orders orders.csv"]);
  assert.deepEqual(states(), ["orders.csv orders inspected", "other.csv report faulty"]);
});

test("without the service a file fails, and is asked about again", async () => {
  service.broken = true;
  const key = add("orders.csv", "orders");
  await idle();
  assert.deepEqual(states(), ["orders.csv orders failed"]);
  service.broken = false;
  inspect(key);
  await idle();
  assert.deepEqual(states(), ["orders.csv orders inspected"]);
});

test("a file that is too large is not sent", async () => {
  me.value = { limits: { body_bytes: 1 }, account: null } as unknown as Me;
  add("orders.csv", "orders");
  await idle();
  assert.deepEqual([states(), service.asked], [["orders.csv orders failed"], []]);
});

test("a newer inspection ends an older one, which answers later", async () => {
  service.held = [];
  const key = add("report.csv", "report");
  changeReport(key, { courier: "other" });
  const [older, newer] = service.held;
  newer!();
  await idle();
  older!();
  await new Promise((done) => setTimeout(done));
  assert.equal(files.value[0]!.found!.rows, 2);
});

test("a file that is removed meanwhile stays away", async () => {
  service.held = [];
  const key = add("report.csv", "");
  await new Promise((done) => setTimeout(done));
  remove(key);
  service.held[0]!();
  await idle();
  assert.deepEqual([states(), service.asked.length], [[], 1]);
});
