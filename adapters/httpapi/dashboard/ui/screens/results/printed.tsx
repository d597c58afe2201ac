import { useEffect, useMemo, useState } from "preact/hooks";
import { flagName } from "../../parts/flag";
import { date, say } from "../../text";
import { paise } from "./columns";
import { isoDay, type Rows } from "./rows";

const most = 400;

/** The orders on paper: those that are filtered, else those with a difference. It is made when the page is printed. */
export function Printed({ rows, view, filtered }: { rows: Rows; view: Uint32Array; filtered: boolean }) {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    addEventListener("beforeprint", () => setPrinting(true), { signal: ended.signal });
    addEventListener("afterprint", () => setPrinting(false), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  const shown = useMemo(() => {
    const shortfalls = rows.numbers("shortfall");
    return !printing ? new Uint32Array() : filtered ? view : view.filter((row) => shortfalls[row] !== 0);
  }, [printing, rows, view, filtered]);
  if (!printing) return null;
  return (
    <div class="printed">
      {!filtered && <p>{say("Orders with a shortfall or paid too much:")}</p>}
      {shown.length > most && (
        <p>
          {say("These are the first {n} of {all} orders. The Excel workbook under Download has all of them.", {
            n: most,
            all: shown.length,
          })}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{say("Order")}</th>
            <th scope="col">{say("AWB")}</th>
            <th scope="col">{say("Ordered")}</th>
            <th scope="col">{say("Flag")}</th>
            <th scope="col" class="num">
              {say("Due")}
            </th>
            <th scope="col" class="num">
              {say("Remitted")}
            </th>
            <th scope="col" class="num">
              {say("Shortfall")}
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from(shown.subarray(0, most), (row) => (
            <tr key={row}>
              <td>{rows.text("order_id", row)}</td>
              <td>{rows.text("awb", row)}</td>
              <td>{date(isoDay(rows.number("order_date", row)))}</td>
              <td>{flagName(rows.text("flag", row))}</td>
              <td class="num">{paise(rows.number("cod_amount", row))}</td>
              <td class="num">{paise(rows.number("remitted", row))}</td>
              <td class="num">{paise(rows.number("shortfall", row))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
