import "../../testing/browser";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../api";
import { after, isUnderway, type Events, type Run } from "./run-state";

const error = new ApiError(400, "bad_file", "No header.", "", "orders");
const runs: Run[] = [
  { is: "idle" },
  { is: "waiting" },
  { is: "sending", sent: 0.5 },
  { is: "reading" },
  { is: "arriving" },
  { is: "done" },
  { is: "failed", error },
  { is: "held", error },
  { is: "unreadable", key: 7 },
];
const told: Events = {
  start: undefined,
  send: 0.75,
  read: undefined,
  show: undefined,
  finish: undefined,
  stop: undefined,
  lose: 7,
  fail: error,
  hold: error,
  inspect: false,
  touch: undefined,
};
const events = Object.keys(told) as (keyof Events)[];
const next = (run: Run, event: keyof Events) => after(run, event, told[event]);

test("an event leads where it may, and nowhere else", () => {
  const leads = runs.flatMap((run) =>
    events.filter((event) => next(run, event) !== run).map((event) => `${run.is}, ${event}: ${next(run, event).is}`),
  );
  const ends = (state: string) => [`${state}, stop: idle`, `${state}, fail: failed`, `${state}, hold: held`];
  assert.deepEqual(
    leads.sort(),
    [
      "idle, start: waiting",
      "waiting, send: sending",
      "waiting, read: reading",
      "waiting, lose: unreadable",
      "sending, send: sending",
      "sending, read: reading",
      "sending, finish: done",
      "reading, show: arriving",
      "reading, finish: done",
      "arriving, finish: done",
      ...["waiting", "sending", "reading", "arriving"].flatMap(ends),
      ...["done", "failed", "held", "unreadable"].flatMap((s) => [`${s}, start: waiting`, `${s}, touch: idle`]),
      "held, inspect: failed",
    ].sort(),
  );
});

test("a state has what was told of it", () => {
  assert.deepEqual(after({ is: "waiting" }, "send", 0.75), { is: "sending", sent: 0.75 });
  assert.deepEqual(after({ is: "reading" }, "fail", error), { is: "failed", error });
  assert.deepEqual(after({ is: "waiting" }, "lose", 7), { is: "unreadable", key: 7 });
  assert.deepEqual(after({ is: "held", error }, "inspect", false), { is: "failed", error });
  assert.deepEqual(after({ is: "held", error }, "inspect", true), { is: "idle" }, "the inspection says it");
});

test("a run is under way from its start to its end", () => {
  assert.deepEqual(
    runs.filter(isUnderway).map((run) => run.is),
    ["waiting", "sending", "reading", "arriving"],
  );
});
