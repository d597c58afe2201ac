// Files come in, are inspected one by one, and find their places.
import { signal } from "@preact/signals";
import { announce, silence } from "../../announce";
import { ApiError, form, formToBytes, formToStream, messageOf, type Progress } from "../../api";
import { answer, atHand, bank, changed, columnsOf, courierOf, firstRows, firstUnreadable, formOf, formOfGuess, large, options, orders, ready, reports, sheetsOf, unsorted, type Chosen, type Report } from "../../files";
import { afterPaint } from "../../page";
import { navigate, place as here } from "../../router";
import { account, me, refresh } from "../../session";
import { Arriving, readFindings, type Findings } from "../results/findings";
import type { InspectedBank, InspectedOrders, InspectedReport, Inspection, Is } from "../../shapes";
import { say, size } from "../../text";

/** Where a file is put: as what it is sent. Blank: the service says what it is. */
export type Place = Is;

let lastKey = 0;
const chosen = (file: File) => ({ key: ++lastKey, file, sheet: "", reading: true, sent: 0, found: null, failure: "" });

// The inspections that run, by the key of their file.
const running = new Map<number, { stop: AbortController; done: Promise<void> }>();

/** Takes files in, and returns the key of the first one. Several together are sorted, and so is one in the wrong place. */
export function add(files: Iterable<File>, place: Place): number {
  const list = [...files];
  if (list.length === 0) return 0;
  const first = lastKey + 1;
  const guess = place !== "report" && !account.value ? guessed(list) : null;
  touched();
  if (guess) {
    void runAsGuessed(guess);
    return first;
  }
  for (const file of list) {
    const single = list.length === 1 || place === "report";
    settle(chosen(file), single ? place : "");
  }
  if (list.length > 1 && !account.value) void runOfVisitor(first);
  return first;
}

// How many drops of visitors wait for the places of their files. Until then, what has its
// place is not sent whole: the run may do that.
let sorting = 0;

/**
 * Runs the files of a visitor who has given the export and the reports at once, from the one
 * with this key on, if all have a place and none a fault. Nothing is counted, so nothing is asked.
 */
async function runOfVisitor(first: number) {
  sorting++;
  await idle();
  sorting--;
  const whole = ready.value && orders.value!.key >= first && !unsorted.value.length && !firstFaulty();
  if (whole && !running.size && !answer.value) await run(true);
  else inspectRest();
}

/** What a visitor's files are likely to be. */
interface Guess {
  orders: File;
  reports: File[];
}

/** A guess about large files that are alone: the largest one is the export, and the others are reports. null: they are inspected. */
function guessed(files: File[]): Guess | null {
  const { reports: most, body_bytes: room } = me.value!.limits;
  const sizes = files.map((f) => f.size), largest = Math.max(...sizes);
  if (files.length < 2 || files.length > most + 1 || largest < large || sizes.reduce((a, b) => a + b) > room) return null;
  if (atHand.value.length || unsorted.value.length || answer.value || progress.value) return null;
  const orders = files[sizes.indexOf(largest)]!;
  return { orders, reports: files.filter((f) => f !== orders) };
}

/**
 * Runs files before they are inspected. The service takes no file for what it is not, so a run
 * that succeeds says what they are. Else they are inspected as ever.
 */
async function runAsGuessed(guess: Guess) {
  const stop = new AbortController();
  const underway = begin(formOfGuess(guess.orders, guess.reports), stop);
  const files = [guess.orders, ...guess.reports].map(chosen);
  const asked = options.value;
  unsorted.value = files.map((f) => ({ ...f, fault: null, header: [], takenBy: "" as const }));
  progress.value = { phase: "reading" };
  stopRun = stop;
  const same = () => !atHand.value.length && unsorted.value.map((u) => u.key).join() === files.map((f) => f.key).join() && options.value === asked;
  let again = true;
  try {
    const first = await underway.first;
    if (same()) {
      const [found, ...others] = files.map((f) => ({ ...f, reading: false, sent: 1 }));
      unsorted.value = [];
      orders.value = found!;
      reports.value = others.map((f) => ({ ...f, seems: "", courier: "", columns: {} }));
      again = false;
      await showArriving(first, underway);
      void refresh();
    }
  } catch (e) {
    if (stop.signal.aborted || !again) runFailed(e, stop.signal, true);
    again = same() && !stop.signal.aborted;
  } finally {
    stop.abort();
    progress.value = null;
  }
  for (const u of unsorted.value) if (u.reading && !running.has(u.key)) inspect(u.key);
  if (again) await runOfVisitor(files[0]!.key);
  else if (!answer.value) inspectRest();
}

/** Waits until the inspections that run now have ended. */
const idle = () => Promise.all([...running.values()].map((inspection) => inspection.done));

/** Puts a file in a place and inspects it there. */
function settle(file: ReturnType<typeof chosen>, place: Place) {
  switch (place) {
    case "orders":
      if (orders.value) drop(orders.value.key);
      orders.value = file;
      break;
    case "bank":
      if (bank.value) drop(bank.value.key);
      bank.value = file;
      break;
    case "report":
      reports.value = [...reports.value, { ...file, seems: "", courier: "", columns: {} }];
      break;
    default:
      unsorted.value = [...unsorted.value, { ...file, fault: null, header: [], takenBy: "" }];
  }
  inspect(file.key);
}

/** Puts a file that was sorted wrong, or not at all, where the user says. */
export function place(key: number, as: Exclude<Place, "">) {
  const file = find(key)?.file;
  if (!file) return;
  remove(key);
  settle(chosen(file), as);
}

export function remove(key: number) {
  touched();
  drop(key);
  if (orders.value?.key === key) orders.value = null;
  if (bank.value?.key === key) bank.value = null;
  reports.value = reports.value.filter((r) => r.key !== key);
  unsorted.value = unsorted.value.filter((u) => u.key !== key);
}

/** Puts another file in the place of one, which keeps its courier and columns if it is a report. */
export function replace(key: number, file: File) {
  touched();
  drop(key);
  patch(key, { file, reading: true, found: null, failure: "", sent: 0, sheet: "" });
  reports.value = reports.value.map((r) => (r.key === key ? { ...r, seems: "" } : r));
  inspect(key);
}

/** Changes how a report is read, and inspects it again. */
export function changeReport(key: number, how: Partial<Pick<Report, "courier" | "columns">>) {
  touched();
  reports.value = reports.value.map((r) => (r.key === key ? { ...r, ...how } : r));
  inspect(key);
}

export function changeSheet(key: number, sheet: string) {
  touched();
  patch(key, { sheet });
  inspect(key);
}

function drop(key: number) {
  running.get(key)?.stop.abort();
  running.delete(key);
}

function touched() {
  failure.value = null;
  held = null;
  if (answer.value) changed.value = true;
}

type AnyFile = Chosen<InspectedOrders | InspectedReport | InspectedBank>;

function find(key: number): AnyFile | undefined {
  return [orders.value, bank.value, ...reports.value, ...unsorted.value].find((f) => f?.key === key) ?? undefined;
}

type Patch = Partial<Pick<AnyFile, "file" | "sheet" | "reading" | "sent" | "failure">> & { found?: null };

function patch(key: number, what: Patch) {
  if (orders.value?.key === key) orders.value = { ...orders.value, ...what };
  if (bank.value?.key === key) bank.value = { ...bank.value, ...what };
  reports.value = reports.value.map((r) => (r.key === key ? { ...r, ...what } : r));
  unsorted.value = unsorted.value.map((u) => (u.key === key ? { ...u, ...what } : u));
}

function placeOf(key: number): Place {
  if (orders.value?.key === key) return "orders";
  if (bank.value?.key === key) return "bank";
  return reports.value.some((r) => r.key === key) ? "report" : "";
}

/** Inspects a file again, after the service could not be asked. */
export function tryAgain(key: number) {
  inspect(key);
}

/** Inspects a file where it is. A newer inspection of the same file ends an older one. */
function inspect(key: number) {
  drop(key);
  const stop = new AbortController();
  patch(key, { reading: true, failure: "", sent: 0 });
  const done = inspected(key, stop.signal)
    .catch((e: unknown) => {
      if (!stop.signal.aborted) patch(key, { failure: messageOf(e) });
    })
    .finally(() => {
      if (stop.signal.aborted) return;
      running.delete(key);
      patch(key, { reading: false });
      if (!sorting) inspectRest();
    });
  running.set(key, { stop, done });
}

/** Inspects the files whose inspection a run has ended, and those of which the first rows alone are known. */
export function inspectRest() {
  if (progress.value) return;
  for (const f of atHand.value) if (!f.found && !f.reading && !f.failure) inspect(f.key);
}

/** Inspects the files with a fault again, whose sentence is in another language. */
export function inspectFaulty() {
  for (const f of atHand.value) if (f.failure || f.found?.fault) inspect(f.key);
}

async function inspected(key: number, stop: AbortSignal): Promise<void> {
  const file = find(key)!;
  const most = me.value!.limits.body_bytes;
  if (file.file.size > most) {
    throw new ApiError(413, "too_large", say("This file has {size}, and all files together may have {most}. Export a shorter period, or leave columns out.", { size: size(file.file.size), most: size(most) }));
  }
  const now = placeOf(key);
  const first = now ? null : await firstRows(file.file);
  if (first && (await placed(key, first, stop))) return;
  // An export is the largest file, so a file that may be one is sent as one first.
  const as = now || "orders";
  let seen = await ask(key, as, stop);
  if (stop.aborted) return;
  if (!seen) throw new ApiError(0, "", say("The service has not answered about this file."));
  if (!now && seen.is && seen.is !== "orders") {
    const is = seen.is;
    seen = (await ask(key, is, stop)) ?? seen;
    if (stop.aborted) return;
    return sort(key, is, seen);
  }
  if (!now) return sort(key, seen.fault && seen.is !== "orders" ? "" : "orders", seen);
  if (seen.is && seen.is !== now) return move(key, seen.is);
  show(key, seen);
}

/** Gives a file its place by its first rows alone. It returns false if they do not show it beyond doubt. */
async function placed(key: number, first: Blob, stop: AbortSignal): Promise<boolean> {
  const data = new FormData();
  for (const as of ["orders", "report", "bank"]) data.append(as, first);
  const { orders, reports, bank } = await form<Inspection>("/app/api/inspect", data, { signal: stop });
  const is = orders?.is;
  const seen = is === "report" ? reports?.[0] : is === "bank" ? bank : orders;
  if (!is || !seen || seen.fault || seen.is !== is || (is === "report" && needsColumns(seen as InspectedReport))) return false;
  if (!stop.aborted) sort(key, is, seen, true);
  return true;
}

/** Asks the service what a file is, and how it is read as something. */
async function ask(key: number, as: Exclude<Place, "">, stop: AbortSignal): Promise<InspectedOrders | InspectedReport | InspectedBank | null> {
  const file = find(key)!;
  const report = reports.value.find((r) => r.key === key);
  const data = new FormData();
  data.append(as, file.file);
  if (report) {
    data.append("courierName", courierOf(report));
    data.append("columns", columnsOf(report));
  }
  for (const name of sheetsOf(file.sheet)) data.append("sheet", name);
  const onProgress = (p: Progress) => patch(key, { sent: p.phase === "sending" ? p.done : 1 });
  const found = await form<Inspection>("/app/api/inspect", data, { signal: stop, onProgress });
  if (as === "orders") return found.orders ?? null;
  if (as === "bank") return found.bank ?? null;
  const first = found.reports?.[0] ?? null;
  if (first?.courier && !first.fault && report && !courierOf(report) && me.value?.account?.saves_mappings) {
    // The run names the courier that was recognised, so its saved mapping holds here too.
    data.set("courierName", first.courier);
    return (await form<Inspection>("/app/api/inspect", data, { signal: stop })).reports?.[0] ?? first;
  }
  if (!first?.fault || !report || !orders.value || data.has("orders")) return first;
  // Some reports are only understood beside the orders, as in the run.
  data.append("orders", orders.value.file);
  try {
    return (await form<Inspection>("/app/api/inspect", data, { signal: stop })).reports?.[0] ?? first;
  } catch {
    return first; // together they may be too large
  }
}

/** Puts a sorted file where it belongs, with what was found: of its first rows alone, that is its courier. */
function sort(key: number, is: Is, seen: InspectedOrders | InspectedReport | InspectedBank, first = false) {
  const file = unsorted.value.find((u) => u.key === key);
  if (!file) return;
  const taken = (is === "orders" && orders.value) || (is === "bank" && bank.value);
  if (!is || taken) {
    unsorted.value = unsorted.value.map((u) => (u.key === key ? { ...u, reading: false, fault: seen.fault, header: seen.header ?? [], takenBy: taken ? is : "" } : u));
    return;
  }
  unsorted.value = unsorted.value.filter((u) => u.key !== key);
  const settled = { ...file, reading: false, sent: 1 };
  if (is === "orders") orders.value = { ...settled, found: first ? null : (seen as InspectedOrders) };
  else if (is === "bank") bank.value = { ...settled, found: first ? null : seen };
  else {
    const found = seen as InspectedReport;
    // In the order in which they came, whichever is read first.
    reports.value = [...reports.value, { ...settled, found: first ? null : found, seems: found.courier, courier: "", columns: {} }].sort((a, b) => a.key - b.key);
  }
}

/** Moves a file that was put in a place where it does not belong. */
function move(key: number, to: Exclude<Is, "">) {
  const file = find(key)!;
  const name = file.file.name;
  if ((to === "orders" && orders.value && orders.value.key !== key) || (to === "bank" && bank.value && bank.value.key !== key)) {
    remove(key);
    unsorted.value = [...unsorted.value, { ...chosen(file.file), reading: false, fault: null, header: [], takenBy: to }];
    return;
  }
  switch (to) {
    case "orders": announce(say("{name} is an orders export, and was put there.", { name })); break;
    case "report": announce(say("{name} is a courier's report, and was put there.", { name })); break;
    case "bank": announce(say("{name} is a bank statement, and was put there.", { name })); break;
  }
  place(key, to);
}

function show(key: number, seen: InspectedOrders | InspectedReport | InspectedBank) {
  if (orders.value?.key === key) orders.value = { ...orders.value, found: seen as InspectedOrders };
  if (bank.value?.key === key) bank.value = { ...bank.value, found: seen };
  reports.value = reports.value.map((r) => (r.key === key ? { ...r, found: seen as InspectedReport } : r));
}

/** How far the run is; null: none runs. */
export const progress = signal<Progress | null>(null);
/** Why the last run failed. */
export const failure = signal<ApiError | null>(null);
// Why a run failed that nobody has asked for, until the inspection of its files says so.
let held: ApiError | null = null;
/** The file that was changed on disk since it was chosen. */
export const unreadable = signal(0);

let stopRun: AbortController | null = null;
export const cancel = () => stopRun?.abort();

/**
 * Reconciles the files at hand and shows the results. Files that are still inspected need not
 * be: the run says the same. If nobody has asked for the run, the fault of a file is shown as
 * its inspection shows it.
 */
export async function run(unasked = false): Promise<void> {
  if (progress.value) return;
  progress.value = { phase: "sending", done: 0 };
  failure.value = null;
  unreadable.value = 0;
  stopRun = new AbortController();
  const { signal: stopped } = stopRun;
  try {
    await Promise.all(unsorted.value.map((u) => running.get(u.key)?.done));
    if (!ready.value) return;
    const gone = unasked ? null : await firstUnreadable(); // unasked: they have just been read
    if (gone) {
      unreadable.value = gone.key;
      return;
    }
    for (const key of [...running.keys()]) {
      drop(key);
      patch(key, { reading: false });
    }
    if (unasked) await runHere(stopRun);
    else showResults(readFindings(await formToBytes(route, formOf(), { signal: stopped, onProgress: (p) => (progress.value = p) })));
    void refresh();
  } catch (e) {
    runFailed(e, stopped, unasked);
  } finally {
    progress.value = null;
    if (!answer.value) inspectRest();
  }
  await idle();
  if (held && !firstFaulty()) failure.value = held;
  held = null;
}

const announceStop = () => announce(say("The run was stopped. If the service had read the files already, it counts as a run."));

/** Says why a run failed. What it has shown already is taken back. */
function runFailed(e: unknown, stopped: AbortSignal, unasked: boolean) {
  if (answer.value?.arriving) {
    answer.value = null;
    if (here.value.path === "/app/results") navigate("/app", { replace: true });
  }
  if (stopped.aborted) return announceStop();
  const error = e instanceof ApiError ? e : new ApiError(0, "", messageOf(e));
  if (unasked && error.file) held = error;
  else failure.value = error;
}

const route = "/app/api/reconcile";

function showResults(findings: Findings) {
  answer.value = findings;
  changed.value = false;
  silence();
  navigate("/app/results");
}

/** A run by a service on this machine. */
interface Underway {
  first: Promise<Findings>; // the sums and the first orders; all if there are few
  whole: Promise<Findings>;
}

/** Begins a run. Sending takes no time to speak of, so how far it is is left out; the answer is read while it arrives. */
function begin(form: FormData, stop: AbortController): Underway {
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
const painted = () => new Promise<void>((done) => {
  afterPaint(done);
  setTimeout(done, 100);
});

/** Runs the files at hand and shows the results while they arrive. */
async function runHere(stop: AbortController) {
  progress.value = { phase: "reading" };
  const underway = begin(formOf(), stop);
  await showArriving(await underway.first, underway);
}

async function showArriving(first: Findings, { whole }: Underway) {
  showResults(first);
  const findings = await whole;
  if (answer.value?.arriving) answer.value = findings;
}

/** The faults of the last run in a field, or of a report, in the words of the service. */
export const faultsOf = (fields: string[], report = 0): string[] =>
  (failure.value?.faults ?? []).filter((f) => fields.includes(f.field ?? "") && (f.report ?? 0) === report).map((f) => f.message);

/** Whether a report needs the user before it can be read: no column has a role that is needed, or several may. */
export const needsColumns = (found: InspectedReport): boolean =>
  (found.missing?.length ?? 0) > 0 || (found.mapping ?? []).some((m) => !m.column && (m.candidates?.length ?? 0) > 1);

/** The first file at hand that cannot be read as it is; 0: none. */
export function firstFaulty(): number {
  const file = atHand.value.find((f) => f.failure || f.found?.fault) ?? reports.value.find((r) => r.found && needsColumns(r.found));
  return file?.key ?? 0;
}
