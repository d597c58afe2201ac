// Files are taken in, and runs are made of them.
import { effect } from "@preact/signals";
import { announce, silence } from "../../announce";
import { ApiError, formToBytes, formToStream, type Progress } from "../../api";
import {
  answer,
  changed,
  changes,
  firstUnreadable,
  formOf,
  formOfGuess,
  large,
  files,
  orders,
  ready,
  reports,
  unsorted,
} from "../../files";
import { fetchLater } from "../../later";
import { afterPaint } from "../../page";
import { firstFaulty, oldestFirst, type Chosen, type Place } from "../../places";
import { navigate, place as here } from "../../router";
import { account, me, refresh } from "../../session";
import { say } from "../../text";
import { Arriving, readFindings, type Findings } from "../results/findings";
import { endInspections, fresh, idle, inspectRest, inspectUnsorted, moves, settle, sorted } from "./inspecting";
import { run, stoppedText, tell, touched, underway } from "./run-state";

/** Takes files in, and returns the key of the first one. Several together are sorted, and so is one in the wrong place. */
export function add(dropped: Iterable<File>, place: Place): number {
  const list = [...dropped];
  if (list.length === 0) return 0;
  const guess = place !== "report" && !account.value ? guessed(list) : null;
  touched();
  const single = list.length === 1 || place === "report";
  const taken = (guess ?? list).map((file) => fresh(file, single ? place : ""));
  const first = taken[0]!.key;
  if (guess) {
    void runAsGuessed(taken);
    return first;
  }
  for (const file of taken) settle(file);
  if (list.length > 1 && !account.value) void runOfVisitor(first);
  return first;
}

/**
 * Runs the files of a visitor who has given the export and the reports at once, from the one
 * with this key on, if all have a place and none a fault. Nothing is counted, so nothing is asked.
 */
async function runOfVisitor(first: number) {
  await sorted();
  const whole = ready.value && orders.value!.key >= first && !firstFaulty(files.value);
  if (whole && !answer.value) await reconcile(true);
  else inspectRest();
}

/** A guess about large files that are alone: the largest one is the export, which comes first, and the others are reports. null: they are inspected. */
function guessed(dropped: File[]): File[] | null {
  const { reports: most, body_bytes: room } = me.value!.limits;
  const sizes = dropped.map((f) => f.size),
    largest = Math.max(...sizes);
  if (dropped.length < 2 || dropped.length > most + 1 || largest < large || sizes.reduce((a, b) => a + b) > room) return null;
  if (files.value.length || answer.value || underway.value) return null;
  const orders = dropped[sizes.indexOf(largest)]!;
  return [orders, ...dropped.filter((f) => f !== orders).sort(oldestFirst)];
}

/**
 * Runs files before they are inspected. The service takes no file for what it is not, so a run
 * that succeeds says what they are. Else they are inspected as ever.
 */
async function runAsGuessed(guess: Chosen[]) {
  const stop = new AbortController();
  const arrival = begin(formOfGuess(guess.map((f) => f.file)), stop);
  files.value = guess;
  tell("start");
  tell("read");
  stopRun = stop;
  let again = true;
  try {
    const first = await arrival.first;
    if (changes === sentAt) {
      files.value = guess.map((f, i) => ({ ...f, place: i ? "report" : "orders", reading: false, sent: 1 }));
      again = false;
      await showArriving(first, arrival);
    }
  } catch (e) {
    again &&= !stop.signal.aborted;
    if (!again) runFailed(e, stop.signal, true);
    again &&= changes === sentAt;
  } finally {
    stop.abort();
    tell("stop");
  }
  inspectUnsorted();
  if (again) await runOfVisitor(guess[0]!.key);
  else if (!answer.value) inspectRest();
}

let stopRun: AbortController | null = null;
export const cancel = () => stopRun?.abort();

// A run ends without a word with its files, as when somebody signs out, and when another tab changes to another account.
let whose: string | undefined;
effect(() => {
  const now = account.value?.email;
  if (!files.value.length || (now && whose && now !== whose)) stopRun?.abort("");
  whose = now ?? whose;
});

/**
 * Reconciles the files at hand and shows the results. Large files that are still inspected need
 * not be: the run says the same. If nobody has asked for the run, the fault of a file is shown as
 * its inspection shows it. A run that was refused for a file in the wrong place is made again once
 * its inspection has moved it.
 */
export async function reconcile(unasked = false): Promise<void> {
  if (underway.value) return;
  tell("start");
  const stop = (stopRun = new AbortController());
  let former = Infinity; // moves of files before one was refused
  try {
    const stopped = new Promise<never>((_, fail) => stop.signal.addEventListener("abort", fail));
    if (!(await Promise.race([prepared(unasked), stopped]))) return;
    endInspections();
    await (unasked ? runHere(stop) : runElsewhere(stop.signal));
  } catch (e) {
    if ((e as ApiError).file) former = moves;
    runFailed(e, stop.signal, unasked);
  } finally {
    tell("stop");
    if (run.value.is !== "done") inspectRest();
  }
  await idle();
  const faulty = firstFaulty(files.value) > 0;
  tell("inspect", faulty);
  if (moves > former && !faulty) await reconcile(unasked);
}

/** Whether the files can be run. */
async function prepared(unasked: boolean): Promise<boolean> {
  // Its inspection may still move a small file to another place.
  await idle((f) => !f.place || f.file.size < large);
  if (!ready.value || unsorted.value.length) return false;
  const gone = unasked ? null : await firstUnreadable(); // unasked: they have just been read
  if (gone) {
    tell("lose", gone.key);
    return false;
  }
  if (reports.value.some((r) => Object.keys(r.columns).length > 0)) {
    const later = await fetchLater();
    if (!later) throw new ApiError(0, "", say("A part of this page is missing: check the connection, then press Reconcile again."));
    await later.keepColumns();
  }
  return true;
}

/** Says why a run failed. What it has shown already is taken back. */
function runFailed(e: unknown, stopped: AbortSignal, unasked: boolean) {
  if (answer.value?.arriving) {
    answer.value = null;
    if (here.value.path === "/app/results") navigate("/app", { replace: true });
  }
  if (stopped.aborted) {
    tell("stop");
    if (stopped.reason) announce(stoppedText());
    return;
  }
  // Reloading is the last way: it loses the files.
  const unread = say("The answer could not be read. Try again. If that does not help, reload this page and choose the files again.");
  const error = e instanceof ApiError ? e : new ApiError(0, "", unread);
  if (error.code === "session") return tell("stop"); // the page that asks to sign in says why
  tell(unasked && error.file ? "hold" : "fail", error);
  if (here.value.path !== "/app") announce(error.message);
}

const route = "/app/api/reconcile";

let sentAt = 0; // the changes that the files of the run have

/** Shows results. Whoever has gone to another screen meanwhile may be typing there, and is told of them. */
function showResults(findings: Findings) {
  answer.value = findings;
  changed.value = changes > sentAt;
  if (here.value.path !== "/app") return announce(say("The results are ready. See them under Results."));
  silence();
  navigate("/app/results");
}

function finish() {
  tell("finish");
  void refresh();
}

/** Runs the files at hand, and shows how much of them has been sent. */
async function runElsewhere(signal: AbortSignal) {
  tell("send", 0);
  sentAt = changes;
  const onProgress = (p: Progress) => (p.phase === "sending" ? tell("send", p.done) : tell("read"));
  showResults(readFindings(await formToBytes(route, formOf(), { signal, onProgress })));
  finish();
}

/** The answer of a service on this machine, which is shown while it arrives. */
interface Arrival {
  first: Promise<Findings>; // the sums and the first orders; all if there are few
  whole: Promise<Findings>;
}

/** Begins a run. Sending takes no time to speak of, so how far it is is left out. */
function begin(form: FormData, stop: AbortController): Arrival {
  sentAt = changes;
  const arriving = new Arriving([...form.values()].reduce((sum, v) => sum + (v instanceof File ? v.size : 0), 0) * 1.25);
  let begun: (first: Findings) => void;
  const started = new Promise<Findings>((done) => (begun = done));
  const whole = formToStream(route, form, stop.signal, (part) => {
    const first = arriving.take(part);
    if (!first) return;
    begun(first);
    return painted(); // before the rest is read
  }).then(() => arriving.findings());
  return { first: Promise.race([started, whole]), whole };
}

/** Waits until the page has been painted. A tab that nobody sees is not. */
const painted = () =>
  new Promise<void>((done) => {
    afterPaint(done);
    setTimeout(done, 100);
  });

/** Runs the files at hand on this machine. */
async function runHere(stop: AbortController) {
  tell("read");
  const arrival = begin(formOf(), stop);
  await showArriving(await arrival.first, arrival);
}

async function showArriving(first: Findings, { whole }: Arrival) {
  tell("show");
  showResults(first);
  const findings = await whole;
  if (answer.value?.arriving) answer.value = findings;
  finish();
}
