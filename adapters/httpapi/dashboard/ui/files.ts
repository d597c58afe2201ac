// The files at hand and what the service answered about them. They live in this tab alone:
// nothing of them is kept by the browser or the service.
import { computed, effect, signal } from "@preact/signals";
import type { Findings } from "./screens/results/findings";
import { inPlace, inRun, type Chosen, type Files, type Report } from "./places";
import type { InspectedLedger, InspectedOrders, OpenItem } from "./views";

export interface Options {
  readonly brand: string;
  readonly overdueDays: string; // blank: the account's
  readonly minorGap: string; // blank: the default
  readonly charges: "" | "accept" | "flag"; // blank: the account's
}

const noOptions: Options = { brand: "", overdueDays: "", minorGap: "", charges: "" };

/** Changes options. */
export function setOptions(what: Partial<Options>) {
  options.value = { ...options.value, ...what };
  alter();
}

export const files = signal<Files>([]);
export const orders = computed(() => (inPlace(files.value, "orders")[0] ?? null) as Chosen<InspectedOrders> | null);
export const reports = computed(() => inPlace(files.value, "report") as Report[]);
export const bank = computed(() => inPlace(files.value, "bank")[0] ?? null);
export const previous = computed(() => (inPlace(files.value, "previous")[0] ?? null) as Chosen<InspectedLedger> | null);
export const unsorted = computed(() => inPlace(files.value, ""));
export const options = signal<Options>(noOptions);

/** The last verdict; its rows are in this tab only. */
export const answer = signal<Findings | null>(null);
/** What a person notes on an open item. It is in this tab until a document has taken it. */
export interface Mark {
  readonly state: NonNullable<OpenItem["state"]> | "";
  readonly raised_on: string;
  readonly promised_until: string;
  readonly note: string;
}

/** The name of an open item among others. */
export const itemKey = ({ order_id, awb }: { order_id: string; awb: string }) => order_id + "\n" + awb;

/** The marks that were made in this tab, by itemKey. */
export const marks = signal<ReadonlyMap<string, Mark>>(new Map());
/** Whether some are in no document that was saved. */
export const unsavedMarks = signal(false);

// A ledger that comes in has the marks that were saved, and what was changed in it since.
let markedIn: File | undefined;
effect(() => {
  const ledger = previous.value?.file;
  if (ledger === markedIn) return;
  markedIn = ledger;
  if (!unsavedMarks.peek()) marks.value = new Map();
});

/** Whether the files or options are others than those of the verdict. */
export const changed = signal(false);
/** How often they were changed, which a run that is under way has not seen. */
export let changes = 0;
export function alter() {
  changes++;
  if (answer.value) changed.value = true;
}

export const ready = computed(() => orders.value !== null && reports.value.length > 0);

/** The files that are sent, in the order in which the service counts them. */
export const atHand = computed(() => inRun(files.value));

/** The form of a run of an export and its reports that have no place yet, with the options at hand. */
export function formOfGuess(guess: File[]): FormData {
  const form = new FormData();
  for (const [i, f] of guess.entries()) form.append(i ? "report" : "orders", f);
  return withOptions(form);
}

/** The form of the routes that reconcile and make documents. */
export function formOf(): FormData {
  const form = new FormData();
  if (orders.value) form.append("orders", orders.value.file);
  for (const r of reports.value) form.append("report", r.file);
  for (const r of reports.value) form.append("courierName", courierOf(r) || (r.found?.courier ?? r.seems)); // what the page shows is what the history names
  for (const r of reports.value) form.append("columns", columnsOf(r));
  if (reports.value.some((r) => r.mapping)) for (const r of reports.value) form.append("mapping", r.mapping);
  if (bank.value) form.append("bank", bank.value.file);
  if (previous.value) form.append("previous", previous.value.file);
  return withOptions(form);
}

function withOptions(form: FormData): FormData {
  const { brand, overdueDays, minorGap, charges } = options.value;
  const texts = [
    ["brand", brand],
    ["overdue_threshold_days", overdueDays],
    ["minor_gap_threshold", minorGap],
    ["charges", charges],
    ...atHand.value.flatMap((f) => sheetsOf(f.sheet).map((name) => ["sheet", name])),
  ];
  for (const [name, value] of texts) if (value!.trim()) form.append(name!, value!.trim());
  return form;
}

/** The sheets that are named in a text: it may be one name, or several that are separated by commas. */
export const sheetsOf = (text: string): string[] =>
  (text.includes(",") ? [text, ...text.split(",")] : [text]).map((name) => name.trim()).filter((name) => name);

/** The courier that is named for a report. Chosen columns are saved for the one that was recognised. */
export const courierOf = (r: Report) => r.courier || (Object.keys(r.columns).length > 0 ? (r.found?.courier ?? "") : "");
export const columnsOf = (r: Report) => (Object.keys(r.columns).length > 0 ? JSON.stringify(r.columns) : "");

/** The first file at hand that can no longer be read: it was changed, moved or deleted since it was chosen. */
export async function firstUnreadable(): Promise<Chosen | null> {
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
    let end = 0,
      quoted = false;
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
  files.value = [];
  options.value = noOptions;
  answer.value = null;
  changed.value = false;
  marks.value = new Map();
  unsavedMarks.value = false;
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
