// Which files are at hand, in which place, and what is known of each: values, and what becomes
// of them. Nothing here asks the service or holds a signal.
import type { Columns, InspectedFile, InspectedLedger, InspectedOrders, InspectedReport, Is } from "./views";

/** Where a file is put: as what it is sent. Blank: nobody knows yet what it is. */
export type Place = Is;

export type Inspected = InspectedOrders | InspectedReport | InspectedLedger | InspectedFile;

/** A file at hand, and its inspection. */
export interface Chosen<I extends Inspected = Inspected> {
  /** Names the file on the screen while others come and go. */
  readonly key: number;
  readonly file: File;
  readonly place: Place;
  readonly sheet: string; // of a workbook; blank: the first one with a header
  readonly reading: boolean;
  readonly sent: number; // how much of it has been sent for the inspection, 0 to 1
  readonly found: I | null;
  readonly failure: string; // why it could not be inspected
  // Of a report:
  readonly seems: string; // the id of the courier by its first rows, until all are read; blank: not known
  readonly courier: string; // the id that the user chose; blank: as recognised
  readonly columns: Readonly<Columns>; // where the user chose
  readonly mapping: string; // the name of the saved mapping that the user chose; blank: as its header says
  readonly keeping: Keeping;
  // Without a place:
  readonly takenBy: Is; // it is known, and there is another file of its kind already
}

/** How the columns that the user chose are saved for the next reports with this header. */
export interface Keeping {
  readonly name: string | null; // null: one that is suggested
  readonly off: boolean; // they are not saved
  readonly taken: string; // a name that another mapping has
  readonly replace: boolean; // the mapping that has the name
  readonly saved: string; // the name under which they were saved
}

export type Report = Chosen<InspectedReport>;

/** All files, in the order in which they came. One is the export, one or none the statement, and one or none the ledger. */
export type Files = readonly Chosen[];

/**
 * What a file is. reading: the service is asked about it. sorted: its first rows have shown
 * its place, and no more is known. inspected: all of it has been read. faulty: it has, and
 * a run would refuse it. failed: the service could not be asked. taken: it is known, and its
 * place has another file. unknown: nobody knows what it is.
 *
 *   reading → sorted → reading → inspected | faulty
 *   reading → failed | taken | unknown
 *
 * Whatever is changed of a file leads back to reading.
 */
export type State = "reading" | "sorted" | "inspected" | "faulty" | "failed" | "taken" | "unknown";

export function stateOf({ reading, failure, place, takenBy, found }: Chosen): State {
  if (reading) return "reading";
  if (failure) return "failed";
  if (!place) return takenBy ? "taken" : "unknown";
  if (!found) return "sorted";
  return found.fault ? "faulty" : "inspected";
}

/** A file that comes in. */
export const chosen = (key: number, file: File, place: Place): Chosen => ({
  key,
  file,
  place,
  sheet: "",
  reading: true,
  sent: 0,
  found: null,
  failure: "",
  seems: "",
  courier: "",
  columns: {},
  mapping: "",
  keeping: { name: null, off: false, taken: "", replace: false, saved: "" },
  takenBy: "",
});

/** The files in a place, in the order in which they came. Reports: the oldest first, because a later one may correct an earlier one. */
export function inPlace(files: Files, place: Place): Chosen[] {
  const there = files.filter((f) => f.place === place);
  return place === "report" ? there.sort((a, b) => oldestFirst(a.file, b.file)) : there;
}

export const oldestFirst = (a: File, b: File) => a.lastModified - b.lastModified;

/** The files that are sent, in the order in which the service counts them. */
export const inRun = (files: Files) => (["orders", "report", "bank", "previous"] as const).flatMap((place) => inPlace(files, place));

export const find = (files: Files, key: number) => files.find((f) => f.key === key);

/** The file that has to give way to another one in a place, if there is no room for two. */
export const inTheWay = (files: Files, place: Place) => (place && place !== "report" ? inPlace(files, place)[0] : undefined);

/** Adds a file. What is in its way is gone. */
export const put = (files: Files, file: Chosen): Files => [...files.filter((f) => f !== inTheWay(files, file.place)), file];

export const without = (files: Files, key: number): Files => files.filter((f) => f.key !== key);

/** Changes what is known of one file. */
export const change = (files: Files, key: number, what: Partial<Chosen>): Files =>
  files.map((f) => (f.key === key ? { ...f, ...what } : f));

/** Gives an unsorted file its place, with what was found. firstRows: that is of these alone, and shows no more than the courier of a report. */
export function sort(files: Files, key: number, is: Is, seen: Inspected, firstRows: boolean): Files {
  if (find(files, key)?.place !== "") return files;
  if (!is || inTheWay(files, is)) return change(files, key, { reading: false, found: seen, takenBy: is });
  return change(files, key, {
    place: is,
    reading: false,
    sent: 1,
    found: firstRows ? null : seen,
    seems: "courier" in seen ? seen.courier : "",
  });
}

/** Whether a report needs the user before it can be read: no column has a role that is needed, or several may, or several saved mappings fit. */
export const needsColumns = (found: InspectedReport): boolean =>
  (found.saved_names?.length ?? 0) > 0 ||
  (found.missing?.length ?? 0) > 0 ||
  (found.mapping ?? []).some((m) => !m.column && (m.candidates?.length ?? 0) > 1);

/** Whether a file is a table of which nothing is there but its header. */
export const isHeaderAlone = (found: Inspected): boolean => (found.header?.length ?? 0) > 0 && found.rows === 0;

/** The first file that cannot be read as it is, or has no place: a run would leave it out, and its money would be missed. 0: none. */
export function firstFaulty(files: Files): number {
  const file =
    inPlace(files, "").find((f) => !f.reading) ??
    inRun(files).find((f) => f.failure || f.found?.fault) ??
    inPlace(files, "report").find((r) => r.found && needsColumns(r.found as InspectedReport));
  return file?.key ?? 0;
}
