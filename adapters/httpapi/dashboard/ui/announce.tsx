// Short messages about what has just happened. They are shown for a while and read out.
import { signal } from "@preact/signals";

const current = signal<{ id: number; text: string } | null>(null);
let last = 0;

/** Shows a message for six seconds. */
export function announce(text: string) {
  const id = ++last;
  current.value = { id, text };
  setTimeout(() => {
    if (current.value?.id === id) current.value = null;
  }, 6000);
}

/** Takes the message away: it is about what the person has left. */
export const silence = () => (current.value = null);

/** Where the messages appear. It is always in the page, or they would not be read out. */
export const Announcements = () => (
  <div class="announcements" role="status">
    {current.value && <p key={current.value.id}>{current.value.text}</p>}
  </div>
);
