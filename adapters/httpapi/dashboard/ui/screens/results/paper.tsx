import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { flagName } from "../../parts/flag";
import { Headings } from "../../parts/table";
import { date, rupees, say } from "../../text";
import type { OpenItem } from "../../views";

const most = 400;

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    addEventListener("beforeprint", () => setPrinting(true), { signal: ended.signal });
    addEventListener("afterprint", () => setPrinting(false), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return printing;
}

interface PaperColumn<T> {
  title: string;
  num?: boolean;
  cell: (of: T) => ComponentChildren;
}

/** A table on paper, of the first rows. */
export function Paper<T>({ rows, columns, kept = false }: { rows: ArrayLike<T>; columns: PaperColumn<T>[]; kept?: boolean }) {
  return (
    <>
      {rows.length > most && (
        <p>
          {kept
            ? say("These are the first {n} of {all} orders. The CSV file has all of them.", { n: most, all: rows.length })
            : say("These are the first {n} of {all} orders. The Excel workbook under Download has all of them.", {
                n: most,
                all: rows.length,
              })}
        </p>
      )}
      <table>
        <Headings of={columns.map(({ title, num }) => ({ name: title, num }))} />
        <tbody>
          {Array.from({ length: Math.min(rows.length, most) }, (_, i) => (
            <tr key={i}>
              {columns.map((c) => (
                <td class={c.num ? "num" : undefined} key={c.title}>
                  {c.cell(rows[i]!)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Open items on paper. */
export function PrintedItems({
  items,
  stateName,
  kept,
}: {
  items: readonly OpenItem[];
  stateName: (item: OpenItem) => string;
  kept: boolean;
}) {
  if (!usePrinting()) return null;
  return (
    <div class="printed">
      <Paper
        rows={items}
        kept={kept}
        columns={[
          { title: say("Order"), cell: (item) => item.order_id },
          { title: say("AWB"), cell: (item) => item.awb },
          { title: say("Flag"), cell: (item) => flagName(item.flag) },
          { title: say("Since"), cell: (item) => date(item.since ?? "") },
          { title: say("Shortfall"), num: true, cell: (item) => rupees(item.shortfall) },
          { title: say("State"), cell: stateName },
          { title: say("Note"), cell: (item) => item.note },
        ]}
      />
    </div>
  );
}
