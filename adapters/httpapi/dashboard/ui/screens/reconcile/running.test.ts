import "../../testing/browser";
import { effect } from "@preact/signals";
import type { VNode } from "preact";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Announcements, silence } from "../../announce";
import { answer, changed, clear, files, large, setOptions } from "../../files";
import { stateOf } from "../../places";
import { place } from "../../router";
import { me } from "../../session";
import type { Me } from "../../views";
import { browser } from "../../testing/browser";
import { service } from "../../testing/service";
import { idle, remove } from "./inspecting";
import { failure, lost, run, touched, type Run } from "./run-state";
import { add, cancel, reconcile } from "./running";

const verdict = (orders: number) =>
  JSON.stringify({ summary: { orders, flags: {} }, run_id: "" }).slice(0, -1) +
  `,\n"results":[${Array.from({ length: orders }, (_, i) => `{"awb":"A${i}"}\n`).join()}],"unclaimed":[],"payouts":[]}\n`;
const refused = JSON.stringify({ error: "No header.", code: "bad_file", file: "orders" });
const file = (name: string, text = "a\n") => new File([text], name);
const big = (name: string) => file(name, "a,b\n".repeat(large));
const turns = async (n = 20) => {
  for (let i = 0; i < n; i++) await new Promise((done) => setTimeout(done));
};
/** Waits for a state of the run, and until what follows it has come to rest. */
const until = async (is: Run["is"]) => {
  for (const end = Date.now() + 10_000; run.value.is !== is && Date.now() < end; ) await turns(1);
  await idle();
  await turns();
};
/** What a message says. */
const said = () => (Announcements().props.children as VNode<{ children: string }> | null)?.props.children;
const states = () => files.value.map((f) => `${f.file.name} ${f.place} ${stateOf(f)}`);

let was: string[] = [];
effect(() => void was.push(run.value.is));

async function chosen(...names: string[]) {
  for (const name of names) add([file(name)], "");
  await idle();
}

beforeEach(async () => {
  clear();
  touched();
  silence();
  service.reset();
  browser.visit("/app");
  me.value = { limits: { body_bytes: 1 << 30, reports: 9 }, account: { email: "a@b.example" } } as unknown as Me;
  was = [];
});

test("a run that was asked for sends the files, and shows the results", async () => {
  await chosen("report.csv", "orders.csv");
  service.run = [200, verdict(3)];
  await reconcile();
  assert.deepEqual(was, ["waiting", "sending", "sending", "reading", "done"]);
  assert.equal(service.asked.at(-1), "run: orders orders.csv + report report.csv");
  assert.deepEqual([answer.value!.orders.length, changed.value, place.value.path], [3, false, "/app/results"]);
  await chosen("bank.csv");
  assert.equal(changed.value, true);
  await reconcile();
  assert.equal(changed.value, false);
});

test("a run needs an export and a report", async () => {
  await chosen("orders.csv");
  await reconcile();
  assert.deepEqual([was, answer.value], [["waiting", "idle"], null]);
});

test("one run is made at a time", async () => {
  await chosen("orders.csv", "report.csv");
  service.run = [200, verdict(3)];
  service.asked = [];
  await Promise.all([reconcile(), reconcile()]);
  assert.equal(service.asked.length, 1);
});

test("a run that is refused says why, until the files are others", async () => {
  await chosen("orders.csv", "report.csv");
  service.run = [400, refused];
  await reconcile();
  assert.deepEqual([run.value.is, failure.value!.message, place.value.path], ["failed", "No header.", "/app"]);
  await chosen("bank.csv");
  assert.deepEqual([run.value.is, failure.value], ["idle", null]);
});

for (const visits of [false, true]) {
  test(`a page that another program answers with is no answer${visits ? " of a visitor's run" : ""}`, async () => {
    if (visits) me.value = { ...me.value!, account: null };
    await chosen("orders.csv", "report.csv");
    service.run = [200, "<!doctype html><h1>Sign in to the network</h1>"];
    service.type = "text/html; charset=utf-8";
    await reconcile(visits);
    assert.deepEqual([failure.value!.code, files.value.length], ["unreachable", 2]);
  });
}

test("an answer that is cut short is asked for again, and the files stay", async () => {
  await chosen("orders.csv", "report.csv");
  service.run = [200, verdict(3).slice(0, 20)];
  await reconcile();
  assert.ok(failure.value!.message.startsWith("The answer could not be read. Try again."));
  assert.equal(files.value.length, 2);
});

test("a refusal of a proxy for the size says whom to ask", async () => {
  await chosen("orders.csv", "report.csv");
  service.run = [413, "<html><h1>413 Request Entity Too Large</h1>"];
  await reconcile();
  assert.ok(failure.value!.message.includes("such as a proxy"));
});

test("a run is stopped", async () => {
  await chosen("orders.csv", "report.csv");
  service.held = [];
  const ended = reconcile();
  await until("sending");
  assert.equal(run.value.is, "sending");
  cancel();
  service.held = null;
  await ended;
  assert.deepEqual([run.value.is, failure.value, answer.value], ["idle", null, null]);
  assert.equal(said()?.slice(0, 20), "The run was stopped.");
});

/** Begins a run, and returns what gives the answer to it. */
async function underWay() {
  await chosen("orders.csv", "report.csv");
  service.held = [];
  service.run = [200, verdict(3)];
  const ended = reconcile();
  await until("sending");
  return async () => {
    for (const answer of service.held!) answer();
    await ended;
  };
}

test("what is changed while a run is under way is not in its results", async () => {
  const answered = await underWay();
  setOptions({ overdueDays: "9" });
  await answered();
  assert.deepEqual([answer.value!.orders.length, changed.value], [3, true]);
});

test("a run of files that are gone shows nothing", async () => {
  const answered = await underWay();
  clear();
  await answered();
  assert.deepEqual([run.value.is, answer.value, place.value.path, said()], ["idle", null, "/app", undefined]);
});

test("whoever removes the last file of a run is told that it was stopped", async () => {
  const answered = await underWay();
  for (const { key } of files.value) remove(key);
  await answered();
  assert.deepEqual([run.value.is, answer.value, said()?.slice(0, 20)], ["idle", null, "The run was stopped."]);
});

test("whoever has gone elsewhere stays there", async () => {
  const answered = await underWay();
  browser.visit("/app/books");
  await answered();
  assert.deepEqual([run.value.is, answer.value!.orders.length, place.value.path], ["done", 3, "/app/books"]);
  assert.equal(said(), "The results are ready. See them under Results.");
});

test("a run of another account is not shown, and ends without a word", async () => {
  const answered = await underWay();
  me.value = { ...me.value!, account: null };
  assert.equal(run.value.is, "sending", "the account has only signed out");
  me.value = { ...me.value!, account: { email: "b@b.example" } } as unknown as Me;
  await answered();
  assert.deepEqual([run.value.is, answer.value, said()], ["idle", null, undefined]);
});

test("a run is stopped while it waits for inspections", async () => {
  service.held = [];
  add([file("report.csv"), file("orders.csv")], "");
  const ended = reconcile();
  cancel();
  await turns();
  assert.equal(run.value.is, "idle");
  const waiting = service.held;
  service.held = null;
  for (const answer of waiting) answer();
  await ended;
  assert.equal(answer.value, null);
});

test("a run waits for a file that comes while it waits for others", async () => {
  service.held = [];
  service.run = [200, verdict(3)];
  add([file("report.csv"), file("orders.csv")], "");
  const ended = reconcile();
  add([file("bank.csv")], "");
  for (let n = 0; run.value.is !== "done" && n < 99; n++) {
    service.held.shift()?.();
    await turns(1);
  }
  await ended;
  assert.equal(service.asked.at(-1), "run: orders orders.csv + report report.csv + bank bank.csv");
});

test("a run that was refused for a file in the wrong place is made once its inspection has moved it", async () => {
  await chosen("orders.csv", "report.csv");
  add([big("bank.csv")], "report");
  service.run = [400, refused];
  const end = effect(() => void (run.value.is === "failed" && (service.run = [200, verdict(3)])));
  await reconcile();
  end();
  assert.deepEqual(was.slice(-7), ["failed", "idle", "waiting", "sending", "sending", "reading", "done"]);
  assert.equal(service.asked.at(-1), "run: orders orders.csv + report report.csv + bank bank.csv");
});

test("a file that was deleted meanwhile is named, and nothing is sent", async () => {
  await chosen("orders.csv", "report.csv");
  const gone = files.value[1]!;
  Object.assign(gone.file, { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }) });
  service.asked = [];
  await reconcile();
  assert.deepEqual([was.at(-1), lost.value, service.asked], ["unreadable", gone.key, []]);
});

test("a file that has no place is not left out of a run: nothing is sent", async () => {
  await chosen("orders.csv", "report.csv", "other.csv");
  service.asked = [];
  await reconcile();
  const other = files.value[2]!;
  assert.deepEqual([was.at(-1), service.asked], ["idle", []]);
  remove(other.key);
  service.run = [200, verdict(3)];
  await reconcile();
  assert.equal(run.value.is, "done");
});

test("files that a visitor drops together are run at once", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [200, verdict(3)];
  add([file("report.csv"), file("orders.csv")], "");
  await until("done");
  assert.deepEqual(was, ["waiting", "reading", "arriving", "done"]);
  assert.equal(answer.value!.arriving, false);
});

test("files among which one is unknown are not run before they are asked for", async () => {
  me.value = { ...me.value!, account: null };
  add([file("report.csv"), file("orders.csv"), file("other.csv")], "");
  await idle();
  await turns();
  assert.deepEqual([was, states().at(-1)], [[], "other.csv  unknown"]);
});

test("a run that nobody has asked for leaves the fault of a file to its inspection", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [400, refused];
  add([file("report.csv"), file("orders.csv")], "");
  await until("failed");
  assert.deepEqual(was, ["waiting", "reading", "held", "failed"], "the inspection has found none");
  assert.equal(failure.value!.file, "orders");
});

test("large files of a visitor are run before they are inspected", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [200, verdict(100)];
  add([file("report.csv"), big("orders.csv")], "");
  await until("done");
  assert.deepEqual(service.asked, ["run: orders orders.csv + report report.csv"]);
  assert.deepEqual(was, ["waiting", "reading", "arriving", "done"]);
  assert.deepEqual(states(), ["orders.csv orders sorted", "report.csv report sorted"]);
  assert.deepEqual([answer.value!.arriving, answer.value!.orders.length], [false, 100]);
});

test("files that were guessed wrong are inspected, and run as what they are", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [400, refused];
  service.seems = "report";
  add([file("orders.csv"), big("report.csv")], "");
  await turns(1);
  service.run = [200, verdict(3)];
  await until("done");
  assert.deepEqual(was, ["waiting", "reading", "idle", "waiting", "reading", "arriving", "done"]);
  assert.equal(service.asked.at(-1), "run: orders orders.csv + report report.csv");
});

test("a guess that is wrong is taken back without a word", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [400, refused];
  add([file("other.csv"), big("orders.csv")], "");
  await until("idle");
  await idle();
  await turns();
  assert.deepEqual(was, ["waiting", "reading", "idle"]);
  assert.deepEqual(states(), ["orders.csv orders inspected", "other.csv  unknown"]);
});

test("what has been shown of a verdict that is cut short is taken back", async () => {
  me.value = { ...me.value!, account: null };
  service.run = [200, verdict(100).slice(0, -40)];
  add([file("report.csv"), big("orders.csv")], "");
  await until("failed");
  assert.deepEqual(was, ["waiting", "reading", "arriving", "failed"]);
  assert.deepEqual([answer.value, place.value.path], [null, "/app"]);
});
