import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { flagName } from "../../parts/flag";
import { date, rupees, say } from "../../text";
import type { OpenItem } from "../../views";
import { paise } from "./columns";
import { isoDay, type Rows } from "./rows";

const most = 400;

/** Whether the page is being printed. */
function usePrinting(): boolean {
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
function Paper<T>({ rows, columns }: { rows: ArrayLike<T>; columns: PaperColumn<T>[] }) {
  return (
    <>
      {rows.length > most && (
        <p>
          {say("These are the first {n} of {all} orders. The Excel workbook under Download has all of them.", {
            n: most,
            all: rows.length,
          })}
        </p>
      )}
      <table>
        <thead>
          <tr>
            {columns.map((c) => (
              <th scope="col" class={c.num ? "num" : undefined} key={c.title}>
                {c.title}
              </th>
            ))}
          </tr>
        </thead>
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

/** The orders on paper: those that are filtered, else those with a difference. It is made when the page is printed. */
export function Printed({ rows, view, filtered }: { rows: Rows; view: Uint32Array; filtered: boolean }) {
  const printing = usePrinting();
  const shown = useMemo(() => {
    const shortfalls = rows.numbers("shortfall");
    return !printing ? new Uint32Array() : filtered ? view : view.filter((row) => shortfalls[row] !== 0);
  }, [printing, rows, view, filtered]);
  if (!printing) return null;
  const text = (title: string, name: string) => ({ title, cell: (row: number) => rows.text(name, row) });
  const amount = (title: string, name: string) => ({ title, num: true, cell: (row: number) => paise(rows.number(name, row)) });
  return (
    <div class="printed">
      {!filtered && <p>{say("Orders with a shortfall or paid too much:")}</p>}
      <Paper
        rows={shown}
        columns={[
          text(say("Order"), "order_id"),
          text(say("AWB"), "awb"),
          { title: say("Ordered"), cell: (row) => date(isoDay(rows.number("order_date", row))) },
          { title: say("Flag"), cell: (row) => flagName(rows.text("flag", row)) },
          amount(say("Due"), "cod_amount"),
          amount(say("Remitted"), "remitted"),
          amount(say("Shortfall"), "shortfall"),
        ]}
      />
    </div>
  );
}

/** Open items on paper. */
export function PrintedItems({ items, stateName }: { items: readonly OpenItem[]; stateName: (item: OpenItem) => string }) {
  if (!usePrinting()) return null;
  return (
    <div class="printed">
      <Paper
        rows={items}
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
