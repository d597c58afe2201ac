import { useId } from "preact/hooks";

/** How much of a whole is used, with words above it. */
export function Bar({ label, value, max, full = false }: { label: string; value: number; max: number; full?: boolean }) {
  const id = useId();
  return (
    <div class="bar-field">
      <span id={id}>{label}</span>
      <progress class={full ? "full" : undefined} aria-labelledby={id} value={Math.min(value, max)} max={max} />
    </div>
  );
}
