import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 40rem)");

/** Whether the window is as narrow as a phone's, or enlarged as much. */
export const narrow = signal(query.matches);
query.addEventListener("change", () => (narrow.value = query.matches));
