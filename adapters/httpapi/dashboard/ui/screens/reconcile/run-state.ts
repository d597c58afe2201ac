// What a run is, and what leads from one state to the next: values, and one table. running.ts makes
// runs and tells what happens to them. Nothing else can change the state.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { ApiError } from "../../api";
import { alter } from "../../files";
import { say } from "../../text";

/**
 * idle: no run is made, and nothing is said of the last one. waiting: files without a place are
 * inspected before the run. sending: the files are sent, so far this share of them. reading: the
 * service reads and compares them. arriving: the first results are shown, and the rest follows.
 * done: all results are here. failed: the error says why. held: nobody has asked for the run that
 * failed, so the inspection of its files may say why. unreadable: the file with this key was
 * changed on disk since it was chosen.
 */
export type Run =
  | { readonly is: "idle" | "waiting" | "reading" | "arriving" | "done" }
  | { readonly is: "sending"; readonly sent: number }
  | { readonly is: "failed" | "held"; readonly error: ApiError }
  | { readonly is: "unreadable"; readonly key: number };

/** What happens, with what is told of it. */
export interface Events {
  start: undefined;
  send: number; // how much has been sent, 0 to 1
  read: undefined;
  show: undefined; // the first results
  finish: undefined;
  stop: undefined; // by the person, or because there is nothing to run
  lose: number; // the key of the file that cannot be read
  fail: ApiError;
  hold: ApiError;
  inspect: boolean; // all files are inspected; whether one has a fault
  touch: undefined; // the files are others than those of the last run
}

type Table = { readonly [S in Run["is"]]: { readonly [E in keyof Events]?: (told: Events[E], run: Run & { is: S }) => Run } };

const idle = (): Run => ({ is: "idle" });
const waiting = (): Run => ({ is: "waiting" });
const sending = (sent: number): Run => ({ is: "sending", sent });
const reading = (): Run => ({ is: "reading" });
const arriving = (): Run => ({ is: "arriving" });
const done = (): Run => ({ is: "done" });
const failed = (error: ApiError): Run => ({ is: "failed", error });
const held = (error: ApiError): Run => ({ is: "held", error });
const unreadable = (key: number): Run => ({ is: "unreadable", key });

/** What becomes of a state. An event that a state does not list leaves it as it is. */
const table: Table = {
  idle: { start: waiting },
  waiting: { send: sending, read: reading, lose: unreadable, stop: idle, fail: failed, hold: held },
  sending: { send: sending, read: reading, finish: done, stop: idle, fail: failed, hold: held },
  reading: { show: arriving, finish: done, stop: idle, fail: failed, hold: held },
  arriving: { finish: done, stop: idle, fail: failed, hold: held },
  done: { start: waiting, touch: idle },
  failed: { start: waiting, touch: idle },
  held: { start: waiting, touch: idle, inspect: (faulty, { error }) => (faulty ? idle() : failed(error)) },
  unreadable: { start: waiting, touch: idle },
};

export function after<E extends keyof Events>(run: Run, event: E, told: Events[E]): Run {
  const next = table[run.is][event] as ((told: Events[E], run: Run) => Run) | undefined;
  return next ? next(told, run) : run;
}

/** Whether files are on their way to a verdict. */
export const isUnderway = (run: Run) => "stop" in table[run.is];

const current = signal<Run>(idle());
export const run: ReadonlySignal<Run> = current;
export const underway = computed(() => isUnderway(run.value));
/** Why the last run failed. */
export const failure = computed(() => (run.value.is === "failed" ? run.value.error : null));
/** The key of the file that was changed on disk since it was chosen; 0: none. */
export const lost = computed(() => (run.value.is === "unreadable" ? run.value.key : 0));

export function tell<E extends keyof Events>(event: E, ...[told]: Events[E] extends undefined ? [] : [told: Events[E]]) {
  current.value = after(current.value, event, told as Events[E]);
}

/** The files are others than those of the last run. */
export function touched() {
  tell("touch");
  alter();
}

/** What is said of a run that a person has stopped. */
export const stoppedText = () => say("The run was stopped. If the service had read the files already, it counts as a run.");

/** The faults of the last run in a field, or of a report, in the words of the service. */
export const faultsOf = (fields: string[], report = 0): string[] =>
  (failure.value?.faults ?? []).filter((f) => fields.includes(f.field ?? "") && (f.report ?? 0) === report).map((f) => f.message);
