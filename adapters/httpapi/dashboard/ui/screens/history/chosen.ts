// The runs that are chosen for a comparison.
import { effect, signal } from "@preact/signals";
import { navigate } from "../../router";
import { account } from "../../session";
import type { Run } from "../../views";

/** At most two, in the order of their choice. */
export const chosen = signal<Run[]>([]);

// They are of one account.
effect(() => {
  if (!account.value) chosen.value = [];
});

/** Adds a run, or takes it out. A third one takes the place of the first. */
export function choose(run: Run, wanted: boolean) {
  const others = chosen.value.filter((c) => c.run_id !== run.run_id);
  chosen.value = wanted ? [...others, run].slice(-2) : others;
}

/** Goes to the list with a run chosen, where the other one is chosen. */
export function compareWith(run: Run) {
  chosen.value = [run];
  navigate("/app/history" + (run.brand ? "?brand=" + encodeURIComponent(run.brand) : ""));
}

/** The address at which two runs are compared. */
export const comparison = (a: Run, b: Run) => `/app/compare?a=${encodeURIComponent(a.run_id)}&b=${encodeURIComponent(b.run_id)}`;
