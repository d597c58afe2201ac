import type { ComponentChildren } from "preact";

interface Heading {
  name: string;
  /** Its cells are numbers. */
  num?: boolean;
  /** It is read out and not shown. */
  unseen?: boolean;
}

interface TableProps {
  /** It is read out and not shown. */
  caption: string;
  headings: (string | Heading)[];
  class?: string;
  /** Its rows. */
  children: ComponentChildren;
}

/** A table of which each row is a block on a narrow screen. */
export const Table = ({ caption, headings, class: extra = "", children }: TableProps) => (
  <div class="table-scroll">
    <table class={"stacked " + extra}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {headings.map((h) => {
            const { name, num, unseen } = typeof h === "string" ? ({ name: h } as Heading) : h;
            return (
              <th key={name} scope="col" class={num ? "num" : undefined}>
                {unseen ? <span class="unseen">{name}</span> : name}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
