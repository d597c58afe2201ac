// Lines of the reports that belong to no order of the export.
import { useMemo, useState } from "preact/hooks";
import { SearchField } from "../../parts/field";
import { courierName } from "../../session";
import { date, language, say } from "../../text";
import { amountColumns } from "./columns";
import type { Findings } from "./findings";
import { Grid, useGrid, type GridColumn } from "./grid";
import { narrow } from "./narrow";
import { isoDay } from "./rows";
import { viewsOf } from "./viewed";

const everything: ReadonlySet<string> = new Set();

export function Unclaimed({ findings }: { findings: Findings }) {
  const { unclaimed: rows, reports = [] } = findings;
  const [search, setSearch] = useState("");
  const grid = useGrid();
  const view = useMemo(() => viewsOf(findings).unclaimed.view("", everything, search, grid.sort), [findings, search, grid.sort]);
  const columns = useMemo((): GridColumn[] => {
    const couriers = new Map(reports.map((r) => [r.report, r.courier]));
    const place = (row: number) => {
      const report = rows.number("report", row),
        courier = couriers.get(report);
      return courier ? report + ": " + courierName(courier) : String(report);
    };
    const amount = amountColumns(rows, view);
    return [
      {
        name: "awb",
        title: say("AWB"),
        width: 11,
        grows: true,
        cell: (row) => rows.text("awb", row) || <span class="soft">{say("No AWB")}</span>,
        total: say("{n} line|{n} lines", { n: view.length }),
        card: 1,
      },
      { name: "order_id", title: say("Order"), width: 9, grows: true, cell: (row) => rows.text("order_id", row), card: 3 },
      amount("cod_amount", say("COD amount"), 9, 5),
      amount("remitted", say("Remitted"), 9, 2),
      {
        name: "remitted_on",
        title: say("Remitted on"),
        width: 8,
        cell: (row) => date(isoDay(rows.number("remitted_on", row))),
        card: 4,
      },
      { name: "utr", title: say("UTR"), width: 11, grows: true, cell: (row) => rows.text("utr", row) },
      { name: "report", title: say("Report"), width: 9, grows: true, cell: place },
      {
        name: "line",
        title: say("Line"),
        numeric: true,
        width: 6,
        cell: (row) => String(rows.number("line", row)),
        total: "",
        card: 6,
        labelled: true,
      },
    ];
  }, [rows, reports, view, narrow.value, language.value]);
  if (rows.length === 0) return null;
  return (
    <section class="unclaimed stack" aria-labelledby="unclaimed-title">
      <div class="result-head">
        <h2 id="unclaimed-title">{say("Unclaimed lines")}</h2>
        <p class="soft small">
          {say(
            "The couriers list these, but no order of the export has their AWB or order name. The export may begin too late, or be of another shop.",
          )}
        </p>
      </div>
      <div class="tools no-print">
        <SearchField label={say("Search unclaimed lines")} value={search} onValue={setSearch} placeholder={say("AWB, order or UTR")} />
        <p role="status" class="soft small">
          {say("{shown} of {n} line|{shown} of {n} lines", { shown: view.length, n: rows.length })}
        </p>
      </div>
      {view.length > 0 ? (
        <Grid label={say("Unclaimed lines")} hint={say("Arrow keys move.")} view={view} columns={columns} {...grid} />
      ) : (
        <p class="nothing">{say("No line matches the search.")}</p>
      )}
    </section>
  );
}
