// Rows as a text that Excel takes when it is pasted. Cells are written as in the documents
// of the service: none can be run as a formula, and long AWBs keep their digits.
import { asID, asText } from "./cells";
import { isoDay, type Rows } from "./rows";

const ids = new Set(["awb", "order_id", "utr"]);

export interface Copied {
  name: string;
  title: string;
  /** The text of a cell; without it the value of the answer is copied. */
  text?: (row: number) => string;
}

/** Rows with a header, for the clipboard. */
export function tableOf(rows: Rows, columns: readonly Copied[], view: Uint32Array): string {
  const lines = [columns.map((c) => asText(c.title)).join("\t")];
  const cells: ((row: number) => string)[] = columns.map(({ name, text }) => {
    if (text) return (row) => asText(text(row));
    switch (rows.kind(name)) {
      case "amount":
        return (row) => amount(rows.number(name, row));
      case "whole":
        return (row) => String(rows.number(name, row));
      case "day":
        return (row) => isoDay(rows.number(name, row));
    }
    return ids.has(name) ? (row) => asID(rows.text(name, row)) : (row) => asText(rows.text(name, row));
  });
  for (const row of view) lines.push(cells.map((cell) => cell(row)).join("\t"));
  return lines.join("\r\n") + "\r\n";
}

function amount(paise: number): string {
  if (Number.isNaN(paise)) return "";
  const whole = Math.trunc(Math.abs(paise) / 100),
    part = Math.abs(paise) % 100;
  return (paise < 0 ? "-" : "") + whole + (part ? "." + String(part).padStart(2, "0") : "");
}
