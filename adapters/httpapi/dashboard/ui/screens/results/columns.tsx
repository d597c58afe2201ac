// The columns of the orders.
import { signal } from "@preact/signals";
import { FlagName, flagName } from "../../parts/flag";
import { count, date, rupees, say } from "../../text";
import type { Copied } from "./copying";
import type { GridColumn } from "./grid";
import { isoDay, type Rows } from "./rows";

const first = ["order_id", "flag", "cod_amount", "remitted", "shortfall", "days_overdue", "awb", "order_date", "flag_reason"];

/** The columns that are shown, as long as the tab is open. */
export const chosen = signal<ReadonlySet<string>>(new Set(first));

/** An amount in paise; blank if there is none. */
export const paise = (n: number) => (Number.isNaN(n) ? "" : rupees(n / 100));

/** Makes columns of amounts, with their totals over the rows of a view. */
export const amountColumns =
  (rows: Rows, view: Uint32Array) =>
  (name: string, title: string, width: number, card: number): GridColumn => ({
    name,
    title,
    numeric: true,
    width,
    card,
    labelled: true,
    cell: (row) => paise(rows.number(name, row)),
    total: paise(rows.sum(name, view)),
  });

type OrderColumn = Omit<GridColumn, "total"> & Copied & { fixed?: boolean };

/** All columns, in the order in which they are shown. */
export function orderColumns(rows: Rows): OrderColumn[] {
  const text = (name: string) => (row: number) => rows.text(name, row);
  const amount = (name: string, title: string, card: number): OrderColumn => ({
    name,
    title,
    numeric: true,
    width: 9,
    card,
    labelled: true,
    cell: (row) => {
      const n = rows.number(name, row);
      return n === 0 ? <span class="soft">{paise(n)}</span> : paise(n); // where there is nothing to read, the eye may pass by
    },
  });
  const report = (row: number) => String(rows.number("report", row) || "");
  const day = (name: string) => (row: number) => date(isoDay(rows.number(name, row)));
  const mode = (row: number) => matchMode(rows.text("match_mode", row));
  return [
    { name: "order_id", title: say("Order"), width: 8.5, cell: text("order_id"), fixed: true, card: 1 },
    {
      name: "flag",
      title: say("Flag"),
      width: 12,
      cell: (row) => <FlagName flag={rows.text("flag", row)} />,
      text: (row) => flagName(rows.text("flag", row)),
      card: 3,
    },
    amount("cod_amount", say("Due"), 5),
    amount("remitted", say("Remitted"), 6),
    amount("shortfall", say("Shortfall"), 2),
    {
      name: "days_overdue",
      title: say("Days overdue"),
      numeric: true,
      width: 8,
      cell: (row) => daysLate(rows.number("days_overdue", row)),
    },
    { name: "awb", title: say("AWB"), width: 10.5, cell: text("awb"), card: 4 },
    { name: "order_date", title: say("Ordered"), width: 9, cell: day("order_date") },
    { name: "due_by", title: say("Due by"), width: 9, cell: day("due_by") },
    { name: "remitted_on", title: say("Remitted on"), width: 9, cell: day("remitted_on") },
    { name: "utr", title: say("UTR"), width: 10.5, cell: text("utr") },
    { name: "status", title: say("Order status"), width: 8.5, cell: text("status") },
    { name: "courier_status", title: say("Courier's status"), width: 10, cell: text("courier_status") },
    { name: "report", title: say("Report"), numeric: true, width: 6, cell: report, text: report },
    { name: "match_mode", title: say("Matched by"), width: 8, cell: mode, text: mode },
    { name: "flag_reason", title: say("Reason"), width: 24, grows: true, cell: text("flag_reason") },
  ];
}

const daysLate = (days: number) => (days === 0 ? "" : count(days));

export const matchMode = (mode: string) => (mode === "awb" ? say("AWB") : mode === "order_id" ? say("Order name") : mode);
