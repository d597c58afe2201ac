// The files at hand and what the service answered about them. They live in this tab alone:
// nothing of them is kept by the browser or the service.
import { computed, effect, signal } from "@preact/signals";
import type { Findings } from "./screens/results/findings";
import type { Columns, Failure, InspectedBank, InspectedOrders, InspectedReport, Is } from "./shapes";

/** A file at hand, and its inspection. */
export interface Chosen<I> {
  /** Names the file on the screen while others come and go. */
  readonly key: number;
  readonly file: File;
  readonly sheet: string; // of a workbook; blank: the first one with a header
  readonly reading: boolean;
  readonly sent: number; // how much of it has been sent for the inspection, 0 to 1
  readonly found: I | null;
  readonly failure: string; // why it could not be inspected
}

export interface Report extends Chosen<InspectedReport> {
  readonly seems: string; // the id of the courier by its first rows, until all are read; blank: not known
  readonly courier: string; // the id that the user chose; blank: as recognised
  readonly columns: Readonly<Columns>; // where the user chose
}

/** A file of which it is not known yet, or not at all, what it is. */
export interface Unsorted extends Chosen<never> {
  readonly fault: Failure | null; // why it is not known
  readonly header: readonly string[]; // of a table that nobody knows
  readonly takenBy: Is; // it is known, and there is another file of its kind already
}

export interface Options {
  readonly brand: string;
  readonly overdueDays: string; // blank: the account's
  readonly minorGap: string; // blank: the default
}

const noOptions: Options = { brand: "", overdueDays: "", minorGap: "" };

export const orders = signal<Chosen<InspectedOrders> | null>(null);
export const reports = signal<readonly Report[]>([]);
export const bank = signal<Chosen<InspectedBank> | null>(null);
export const unsorted = signal<readonly Unsorted[]>([]);
export const options = signal<Options>(noOptions);

/** The last verdict; its rows are in this tab only. */
export const answer = signal<Findings | null>(null);
/** Whether the files or options are others than those of the verdict. */
export const changed = signal(false);

export const ready = computed(() => orders.value !== null && reports.value.length > 0);

/** The files that are sent, in the order in which the service counts them. */
export const atHand = computed(() => [orders.value, ...reports.value, bank.value].filter((f) => f !== null));

/** The form of a run of files that have no place yet, with the options at hand. */
export function formOfGuess(orders: File, reports: File[]): FormData {
  const form = new FormData();
  form.append("orders", orders);
  for (const r of reports) form.append("report", r);
  return withOptions(form);
}

/** The form of the routes that reconcile and make documents. */
export function formOf(): FormData {
  const form = new FormData();
  if (orders.value) form.append("orders", orders.value.file);
  for (const r of reports.value) form.append("report", r.file);
  for (const r of reports.value) form.append("courierName", courierOf(r) || (r.found?.courier ?? r.seems)); // what the page shows is what the history names
  for (const r of reports.value) form.append("columns", columnsOf(r));
  if (bank.value) form.append("bank", bank.value.file);
  return withOptions(form);
}

function withOptions(form: FormData): FormData {
  const { brand, overdueDays, minorGap } = options.value;
  const texts = [["brand", brand], ["overdue_threshold_days", overdueDays], ["minor_gap_threshold", minorGap], ...atHand.value.flatMap((f) => sheetsOf(f.sheet).map((name) => ["sheet", name]))];
  for (const [name, value] of texts) if (value!.trim()) form.append(name!, value!.trim());
  return form;
}

/** The sheets that are named in a text: it may be one name, or several that are separated by commas. */
export const sheetsOf = (text: string): string[] => (text.includes(",") ? [text, ...text.split(",")] : [text]).map((name) => name.trim()).filter((name) => name);

/** The courier that is named for a report. Chosen columns are saved for the one that was recognised. */
export const courierOf = (r: Report) => r.courier || (Object.keys(r.columns).length > 0 ? (r.found?.courier ?? "") : "");
export const columnsOf = (r: Report) => (Object.keys(r.columns).length > 0 ? JSON.stringify(r.columns) : "");

/** The first file at hand that can no longer be read: it was changed, moved or deleted since it was chosen. */
export async function firstUnreadable(): Promise<Chosen<unknown> | null> {
  for (const f of atHand.value) {
    try {
      await f.file.slice(0, 1).arrayBuffer();
    } catch {
      return f;
    }
  }
  return null;
}

const firstBytes = 16 << 10;
/** A file of fewer bytes is no large one. */
export const large = 32 * firstBytes;

/** The first rows of a large file of text; null: the file is small or no such text, and only as a whole says what it is. */
export async function firstRows(file: File): Promise<Blob | null> {
  if (file.size < large) return null;
  try {
    const bytes = new Uint8Array(await file.slice(0, firstBytes).arrayBuffer());
    // A workbook and UTF-16 have zero bytes, and an element of a web page may end far below.
    if (bytes.includes(0) || new TextDecoder().decode(bytes.subarray(0, 999)).trimStart().startsWith("<")) return null;
    let end = 0, quoted = false;
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] === 0x22) quoted = !quoted;
      else if (bytes[i] === 0x0a && !quoted) end = i + 1;
    }
    return end ? new Blob([bytes.subarray(0, end)]) : null;
  } catch {
    return null; // the request that follows says so
  }
}

/** Forgets the files and everything about them. */
export function clear() {
  orders.value = null;
  reports.value = [];
  bank.value = null;
  unsorted.value = [];
  options.value = noOptions;
  answer.value = null;
  changed.value = false;
}

// Closing or reloading the tab loses the rows, so the browser asks first. Another screen of
// the dashboard does not.
effect(() => {
  if (answer.value) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
});

function ask(e: BeforeUnloadEvent) {
  e.preventDefault();
}
