// What is known of the run, for the screens, the run itself and the inspections beside it.
import { signal } from "@preact/signals";
import type { ApiError, Progress } from "../../api";
import { answer, changed } from "../../files";

/** How far the run is; null: none runs. */
export const progress = signal<Progress | null>(null);
/** Why the last run failed. */
export const failure = signal<ApiError | null>(null);
/** Why a run failed that nobody has asked for, until the inspection of its files says so. */
export const held = signal<ApiError | null>(null);
/** The key of the file that was changed on disk since it was chosen; 0: none. */
export const unreadable = signal(0);
/** How many drops of visitors wait for the places of their files. Until then, what has its place is not sent whole: the run may do that. */
export const sorting = signal(0);

/** The files are others than those of the last run. */
export function touched() {
  failure.value = null;
  held.value = null;
  if (answer.value) changed.value = true;
}

/** The faults of the last run in a field, or of a report, in the words of the service. */
export const faultsOf = (fields: string[], report = 0): string[] =>
  (failure.value?.faults ?? []).filter((f) => fields.includes(f.field ?? "") && (f.report ?? 0) === report).map((f) => f.message);
