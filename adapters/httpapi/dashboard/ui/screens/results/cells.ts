// Cells of tables that spreadsheets open: none can be run as a formula, and long AWBs keep their digits.
/** A text that no spreadsheet runs as a formula. */
export const asText = (s: string) => (/^\s*[=+\-@＝＋－＠]/.test(s) || /^[\t\r]/.test(s) ? "'" + s : s).replace(/[\t\r\n]+/g, " ");

const keepsAsIs = (s: string) =>
  /^\d/.test(s) ? /^(0|[1-9]\d{0,9})$/.test(s) : !/^([.($₹]|Rs|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tru|fal))/i.test(s);

/** An id that a spreadsheet would take for a number or a date is written ="…", which it shows as the id. */
export const asID = (s: string) =>
  s === "" || /^\s*[=+\-@＝＋－＠]/.test(s) || keepsAsIs(s) || s.length > 255 || /[\x00-\x1f"]/.test(s) ? asText(s) : `="${s}"`;
