// Open items as a CSV file that spreadsheets open.
import { asID, asText } from "./cells";
import type { OpenItem } from "../../views";

export interface CSVColumn {
  title: string;
  /** A number is written as it is, an id keeps its digits, and any other text is one that no spreadsheet runs. */
  cell: (item: OpenItem) => string | number;
  id?: boolean;
}

/** The text of the file; it begins with the mark by which Excel knows UTF-8. */
export function csvOf(items: readonly OpenItem[], columns: readonly CSVColumn[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const cell = ({ cell, id }: CSVColumn, item: OpenItem) => {
    const value = cell(item);
    return typeof value === "number" ? String(value) : quoted(id ? asID(value) : asText(value));
  };
  const lines = [columns.map((c) => quoted(asText(c.title))), ...items.map((item) => columns.map((c) => cell(c, item)))];
  return "\ufeff" + lines.map((line) => line.join(",") + "\r\n").join("");
}
