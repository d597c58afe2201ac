import { signal, type Signal } from "@preact/signals";

function matches(query: string): Signal<boolean> {
  const list = matchMedia(query);
  const matching = signal(list.matches);
  list.addEventListener("change", () => (matching.value = list.matches));
  return matching;
}

/** Whether the window is as narrow as a phone's. */
export const narrow = matches("(max-width: 40rem)");
/** Whether two amounts may not fit side by side, as on a page that is enlarged four times. */
export const tiny = matches("(max-width: 23rem)");
