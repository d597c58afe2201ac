// The files at hand and what the service answered about them. They live in this tab alone:
// nothing of them is kept by the browser or the service.
import { computed, effect, signal } from "@preact/signals";
import type { Findings } from "./screens/results/findings";
import type { Inspection } from "./shapes";

export interface Report {
  /** Names the report on the screen while others are removed. */
  key: number;
  file: File;
  courier: string; // an id; blank: as recognised
  columns: Record<string, string>; // role → header, where the user has chosen
}

export interface Options {
  brand: string;
  overdueDays: string; // blank: the account's
  minorGap: string; // blank: the default
  sheet: string; // of workbooks; blank: the first one with a header
}

const noOptions: Options = { brand: "", overdueDays: "", minorGap: "", sheet: "" };

export const orders = signal<File | null>(null);
export const reports = signal<Report[]>([]);
export const bank = signal<File | null>(null);
export const options = signal<Options>(noOptions);

/** What the service recognised; null until it has answered for the files at hand. */
export const inspection = signal<Inspection | null>(null);
/** The last verdict; its rows are in this tab only. */
export const answer = signal<Findings | null>(null);
/** Whether the files or options have changed since the verdict. */
export const changed = signal(false);

export const hasFiles = computed(() => orders.value !== null || reports.value.length > 0 || bank.value !== null);
export const ready = computed(() => orders.value !== null && reports.value.length > 0);

/** The form of the three routes that take files. */
export function formOf(): FormData {
  const form = new FormData();
  if (orders.value) form.append("orders", orders.value);
  for (const r of reports.value) form.append("report", r.file);
  for (const r of reports.value) form.append("courierName", r.courier);
  for (const r of reports.value) form.append("columns", Object.keys(r.columns).length ? JSON.stringify(r.columns) : "");
  if (bank.value) form.append("bank", bank.value);
  const o = options.value;
  for (const [name, value] of [["brand", o.brand], ["overdue_threshold_days", o.overdueDays], ["minor_gap_threshold", o.minorGap], ["sheet", o.sheet]] as const) {
    if (value.trim()) form.append(name, value.trim());
  }
  return form;
}

/** Forgets the files and everything about them. */
export function clear() {
  orders.value = null;
  reports.value = [];
  bank.value = null;
  options.value = noOptions;
  inspection.value = null;
  answer.value = null;
  changed.value = false;
}

// Closing or reloading the tab loses the rows, so the browser asks first.
effect(() => {
  if (answer.value || hasFiles.value) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
});

function ask(e: BeforeUnloadEvent) {
  e.preventDefault();
}
