import { useMemo } from "preact/hooks";
import { flagName } from "../../parts/flag";
import { date, say } from "../../text";
import { paise } from "./columns";
import { Paper, usePrinting } from "./paper";
import { isoDay, type Rows } from "./rows";

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
