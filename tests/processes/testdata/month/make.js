// Writes a month of a shop with four couriers: the export, each report as the courier
// sends it, the bank's statement, and beside each workbook the same rows as CSV.
const X = require('xlsx'), fs = require('fs'), path = require('path');
const out = process.argv[2];
const serial = (m, d) => Math.round((Date.UTC(2026, m - 1, d) - Date.UTC(1899, 11, 30)) / 864e5);
const day = n => new Date(Date.UTC(1899, 11, 30) + n * 864e5).toISOString().slice(0, 10);
const dmy = n => day(n).split('-').reverse().join('-');
const rs = paise => (paise / 100).toFixed(2);

const orders = [], weeks = [[], [], []], shiprocket = [], xpressbees = [], dtdc = [];
const paid = {}; // by UTR: the day and the paise
const pay = (utr, on, paise) => { paid[utr] = { on, paise: (paid[utr] ? paid[utr].paise : 0) + paise }; return utr; };
for (let i = 1; i <= 120; i++) {
  const on = serial(2, 1) + Math.floor((i - 1) / 5), c = i % 4, cod = 50000 + i * 725;
  const n = String(i).padStart(7, '0');
  const awb = ['1490260' + n, 'SR' + n + 'IN', '13370' + n, 'D' + n][c];
  orders.push({ name: '#' + (1000 + i), cod, on, awb });
  if (i % 17 === 0) continue; // lost
  const got = cod - (i % 23 === 0 ? 5025 : 0), to = on + 4, at = on + 9;
  const week = Math.min(2, Math.floor((at - serial(2, 10)) / 8));
  if (c === 0) weeks[week].push([awb, 1000 + i, rs(cod), rs(got), day(at), day(to), pay('DLVUTR' + day(at).replace(/-/g, ''), at, got)]);
  if (c === 1) shiprocket.push({ awb, id: '#' + (1000 + i), cod, got, at, to, utr: pay('SRUTR' + at, at, got) });
  if (c === 2) xpressbees.push([awb, rs(got), dmy(at), dmy(to), pay('XBUTR' + at, at, got)]);
  if (c === 3) dtdc.push({ awb, id: '#' + (1000 + i), cod, got, at, utr: pay('DTDCUTR2026022' + week, serial(2, 19) + 8 * week, got) });
}
weeks[1].unshift(weeks[0][0]); // the courier listed it again
weeks[2].push(['', '', '75.50', '75.50', '2026-03-03', '', 'DLVUTR20260303']); // neither AWB nor order
xpressbees.push(['STRAY1', '99.00', '12-02-2026', '', 'XBUTR' + serial(2, 12)]); // another shop's

const csv = rows => rows.map(r => r.map(c => /[",\n]/.test(c) ? '"' + String(c).replace(/"/g, '""') + '"' : c).join(',') + '\n').join('');
const write = (name, text) => fs.writeFileSync(path.join(out, name), text);
write('orders.csv', csv([['Name', 'Financial Status', 'Fulfillment Status', 'Currency', 'Total', 'Created at', 'Fulfilled at', 'Payment Method', 'Tracking Number']].concat(
  orders.map(o => [o.name, 'pending', 'fulfilled', 'INR', rs(o.cod), day(o.on) + ' 10:00:00 +0530', day(o.on) + ' 18:00:00 +0530', 'Cash on Delivery (COD)', o.awb]))));
weeks.forEach((rows, i) => write('delhivery-' + (i + 1) + '.csv', csv([['AWB No', 'Order ID', 'COD Amount', 'Remitted Amount', 'Remittance Date', 'Delivered Date', 'UTR']].concat(rows))));

// book writes rows as a workbook, and as CSV. A cell {d: day} is a date, {p: paise} an amount.
const book = (name, type, rows, more) => {
  const cells = rows.map(r => r.map(c => c && c.d ? { t: 'n', v: c.d, z: 'dd-mmm-yyyy' } : c && c.p !== undefined ? { t: 'n', v: c.p / 100, z: '#,##0.00' } : c));
  const w = X.utils.book_new(), s = X.utils.aoa_to_sheet(cells);
  Object.assign(s, more);
  X.utils.book_append_sheet(w, s, 'Remittance');
  X.utils.book_append_sheet(w, X.utils.aoa_to_sheet([['Amounts are in rupees.']]), 'Notes');
  X.writeFile(w, path.join(out, name), { bookType: type, bookSST: true, compression: true });
  write(name + '.csv', csv(rows.map(r => r.map(c => c && c.d ? day(c.d) : c && c.p !== undefined ? rs(c.p) : c))));
};
const total = (rows, of) => ({ p: rows.reduce((sum, r) => sum + r[of], 0) });
book('shiprocket.xlsx', 'xlsx', [['COD remittance, February 2026', '', '', '', '', '', ''], ['', '', '', '', '', '', ''],
  ['AWB Code', 'Order Id', 'Total Amount', 'Payment Date', 'Delivered Date', 'Remitted Amount', 'UTR']].concat(
  shiprocket.map(r => [r.awb, r.id, { p: r.cod }, { d: r.at }, { d: r.to }, { p: r.got }, r.utr]),
  [['Total', '', total(shiprocket, 'cod'), '', '', total(shiprocket, 'got'), '']]),
  { '!merges': [{ s: { r: 0, c: 0 }, e: { r: 0, c: 6 } }] });
book('dtdc.ods', 'ods', [['AWB Number', 'Reference', 'COD Amount (INR)', 'Remitted Amount', 'Remittance Date', 'UTR']].concat(
  dtdc.map(r => [r.awb, r.id, { p: r.cod }, { p: r.got }, day(r.at), r.utr])));
const page = [['Waybill Number', 'COD Collected', 'Settlement Date', 'Delivery Date', 'UTR']].concat(xpressbees);
write('xpressbees.xls', '<html><head><meta charset="utf-8"></head><body><table border="1">\n' + page.map((r, i) =>
  '<tr>' + r.map(c => i ? '<td>' + c + '</td>' : '<th>' + c + '</th>').join('') + '</tr>\n').join('') + '</table></body></html>\n');
write('xpressbees.xls.csv', csv(page));

// Of the statement one payout is missing, one has another amount, and one credit is of no payout.
const credits = Object.entries(paid).sort((a, b) => a[1].on - b[1].on || (a[0] < b[0] ? -1 : 1));
const missing = credits[5][0], short = credits[9][0];
book('statement.xls', 'biff8', [['Account 50100', '', '', ''], ['Date', 'Narration', 'Debit', 'Credit']].concat(
  credits.filter(([utr]) => utr !== missing).map(([utr, c]) => [{ d: c.on + 1 }, 'NEFT CR ' + utr + ' COD', '', { p: c.paise - (utr === short ? 1000 : 0) }]),
  [[{ d: serial(3, 8) }, 'NEFT CR N0099 SHIPROCKET', '', { p: 123400 }], [{ d: serial(3, 8) }, 'RENT', { p: 500000 }, '']]));
