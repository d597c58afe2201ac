// Files are inspected one by one, and find their places.
import { announce } from "../../announce";
import { ApiError, form, messageOf, type Progress } from "../../api";
import { atHand, columnsOf, courierOf, firstRows, files, orders, reports, sheetsOf, unsorted } from "../../files";
import {
  change,
  chosen,
  find,
  inTheWay,
  needsColumns,
  put,
  sort,
  stateOf,
  without,
  type Chosen,
  type Inspected,
  type Keeping,
  type Place,
  type Report,
} from "../../places";
import { me } from "../../session";
import type { InspectedReport, Inspection, Is } from "../../views";
import { say, size } from "../../text";
import { stoppedText, touched, underway } from "./run-state";

let lastKey = 0;
export const fresh = (file: File, place: Place) => chosen(++lastKey, file, place);

// The inspections that run, by the key of their file.
const running = new Map<number, { stop: AbortController; done: Promise<void> }>();

/** Waits until none of these files is inspected, nor one that has come meanwhile; of all by default. */
export async function idle(these: (f: Chosen) => boolean = () => true): Promise<void> {
  const done = files.value.filter(these).flatMap((f) => running.get(f.key)?.done ?? []);
  if (!done.length) return;
  await Promise.all(done);
  return idle(these);
}

// How many wait until files have their places.
let sorting = 0;

/** Waits until all files have their places. Meanwhile none is sent whole for its inspection alone: a run that follows may do that. */
export async function sorted(): Promise<void> {
  sorting++;
  await idle();
  sorting--;
}

/** Puts a file in a place and inspects it there. */
export function settle(file: Chosen) {
  const former = inTheWay(files.value, file.place);
  if (former) drop(former.key);
  files.value = put(files.value, file);
  inspect(file.key);
}

/** Puts a file that was sorted wrong, or not at all, where the user says, and returns its new key. */
export function place(key: number, as: Exclude<Place, "">): number {
  const placed = fresh(find(files.value, key)!.file, as);
  remove(key);
  settle(placed);
  return placed.key;
}

/** Removes a file, with the last one the run of it. One that has waited for its place takes it. */
export function remove(key: number) {
  touched();
  drop(key);
  const free = find(files.value, key)!.place;
  files.value = without(files.value, key);
  if (!files.value.length && underway.value) announce(stoppedText());
  const next = free && unsorted.value.find((u) => u.takenBy === free);
  if (next) place(next.key, free);
}

/** Puts another file in the place of one, which keeps its courier and columns if it is a report. */
export function replace(key: number, file: File) {
  touched();
  drop(key);
  patch(key, { file, found: null, sheet: "", seems: "" });
  inspect(key);
}

/** Changes how a report is read, and inspects it again. */
export function changeReport(key: number, how: Partial<Pick<Report, "courier" | "columns" | "mapping" | "keeping">>) {
  touched();
  patch(key, how);
  inspect(key);
}

/** Changes how the columns that the user chose are saved. */
export function changeKeeping(report: Report, how: Partial<Keeping>) {
  touched();
  patch(report.key, { keeping: { ...report.keeping, ...how } });
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

/** Ends all inspections: a run reads the files itself. */
export function endInspections() {
  for (const key of [...running.keys()]) {
    drop(key);
    patch(key, { reading: false });
  }
}

function patch(key: number, what: Partial<Chosen>) {
  files.value = change(files.value, key, what);
}

/** Inspects a file where it is. A newer inspection of the same file ends an older one. */
export function inspect(key: number) {
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
  if (underway.value) return;
  for (const f of atHand.value) if (stateOf(f) === "sorted") inspect(f.key);
}

/** Inspects the unsorted files that wait for it. */
export function inspectUnsorted() {
  for (const u of unsorted.value) if (u.reading && !running.has(u.key)) inspect(u.key);
}

/** Inspects the files with a fault again, whose sentence is in another language. */
export function inspectFaulty() {
  for (const f of files.value) if (f.failure || f.found?.fault) inspect(f.key);
}

async function inspected(key: number, stop: AbortSignal): Promise<void> {
  const file = find(files.value, key)!;
  const most = me.value!.limits.body_bytes;
  if (file.file.size > most) {
    throw new ApiError(
      413,
      "too_large",
      say("This file has {size}, and all files together may have {most}. Export a shorter period, or leave columns out.", {
        size: size(file.file.size),
        most: size(most),
      }),
    );
  }
  const now = file.place;
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
    return settled(key, is, seen);
  }
  if (!now) return settled(key, seen.fault && seen.is !== "orders" ? "" : "orders", seen);
  if (seen.is && seen.is !== now) return move(key, seen.is);
  patch(key, { found: seen });
}

/** Gives a file its place by its first rows alone. It returns false if they do not show it beyond doubt. */
async function placed(key: number, first: Blob, stop: AbortSignal): Promise<boolean> {
  const data = new FormData();
  for (const as of ["orders", "report", "bank"]) data.append(as, first);
  const { orders, reports, bank } = await form<Inspection>("/app/api/inspect", data, { signal: stop });
  const is = orders?.is;
  const seen = is === "report" ? reports?.[0] : is === "bank" ? bank : orders;
  if (!is || !seen || seen.fault || seen.is !== is || (is === "report" && needsColumns(seen as InspectedReport))) return false;
  if (!stop.aborted) settled(key, is, seen, true);
  return true;
}

/** Asks the service what a file is, and how it is read as something. */
async function ask(key: number, as: Exclude<Place, "">, stop: AbortSignal): Promise<Inspected | null> {
  const file = find(files.value, key)!;
  const report = reports.value.find((r) => r.key === key);
  const data = new FormData();
  data.append(as, file.file);
  if (report) {
    data.append("courierName", courierOf(report));
    data.append("columns", columnsOf(report));
    data.append("mapping", report.mapping);
  }
  for (const name of sheetsOf(file.sheet)) data.append("sheet", name);
  const onProgress = (p: Progress) => patch(key, { sent: p.phase === "sending" ? p.done : 1 });
  const found = await form<Inspection>("/app/api/inspect", data, { signal: stop, onProgress });
  if (as === "orders") return found.orders ?? null;
  if (as === "bank" || as === "previous") return found[as] ?? null;
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

function settled(key: number, is: Is, seen: Inspected, firstRows = false) {
  files.value = sort(files.value, key, is, seen, firstRows);
}

/** How often a file was moved. */
export let moves = 0;

/** Moves a file that was put in a place where it does not belong. */
function move(key: number, to: Exclude<Is, "">) {
  moves++;
  const { file } = find(files.value, key)!;
  const { name } = file;
  if (inTheWay(files.value, to)) {
    remove(key);
    files.value = put(files.value, { ...fresh(file, ""), reading: false, takenBy: to });
    return;
  }
  switch (to) {
    case "orders":
      announce(say("{name} is an orders export, and was put there.", { name }));
      break;
    case "report":
      announce(say("{name} is a courier's report, and was put there.", { name }));
      break;
    case "bank":
      announce(say("{name} is a bank statement, and was put there.", { name }));
      break;
    case "previous":
      announce(say("{name} is the ledger of an earlier run, and was put there.", { name }));
      break;
  }
  place(key, to);
}
