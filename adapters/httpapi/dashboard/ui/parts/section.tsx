import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A part of a screen, which its heading names. */
export function Section({ title, class: name = "card stack", children }: { title: string; class?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
