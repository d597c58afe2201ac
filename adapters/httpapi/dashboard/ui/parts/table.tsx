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

/** The headings of the columns of a table. */
export const Headings = ({ of }: { of: TableProps["headings"] }) => (
  <thead>
    <tr>
      {of.map((h) => {
        const { name, num, unseen } = typeof h === "string" ? ({ name: h } as Heading) : h;
        return (
          <th key={name} scope="col" class={num ? "num" : undefined}>
            {unseen ? <span class="unseen">{name}</span> : name}
          </th>
        );
      })}
    </tr>
  </thead>
);

interface FigureProps {
  /** The heading of its column, which stands beside it on a narrow screen. */
  name: string;
  strong?: boolean;
  children: ComponentChildren;
}

/** A cell with a figure. */
export const Figure = ({ name, strong, children }: FigureProps) => (
  <td data-label={name} class={strong ? "num strong" : "num"}>
    {children}
  </td>
);

/** A table of which each row is a block on a narrow screen. */
export const Table = ({ caption, headings, class: extra = "", children }: TableProps) => (
  <div class="table-scroll">
    <table class={"stacked " + extra}>
      <caption class="unseen">{caption}</caption>
      <Headings of={headings} />
      <tbody>{children}</tbody>
    </table>
  </div>
);
