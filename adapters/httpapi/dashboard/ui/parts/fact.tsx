import type { ComponentChildren } from "preact";

/** A name and its value, in a list of such. What has no value is not shown. */
export const Fact = ({ term, strong, children }: { term: string; strong?: boolean; children: ComponentChildren }) =>
  children ? (
    <div class={strong ? "strong" : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  ) : null;

interface SumProps {
  name: string;
  /** Of its value, if that is no amount. */
  class?: string;
  note?: ComponentChildren;
  strong?: boolean;
  children: ComponentChildren;
}

/** A figure that stands out, in a list of such. */
export const Sum = ({ name, class: extra = "money", note, strong, children }: SumProps) => (
  <div class={strong ? "strong" : undefined}>
    <dt>{name}</dt>
    <dd class={extra}>{children}</dd>
    {note && <dd class="hint">{note}</dd>}
  </div>
);
