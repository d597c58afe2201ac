const X = require('xlsx'), E = require('exceljs'), fs = require('fs'), path = require('path');
const out = process.argv[2];
// The invented table that every sample holds, more or less.
const head = ['AWB No', 'Order ID', 'Buyer', 'COD Amount', 'Remitted Amount', 'Remittance Date', 'Delivered At', 'Status', 'UTR'];
const day = (y, m, d, h = 0, mi = 0, s = 0) => new Date(Date.UTC(y, m - 1, d, h, mi, s));

async function exceljs() {
  for (const date1904 of [false, true]) {
    const w = new E.Workbook();
    w.properties.date1904 = date1904;
    w.created = w.modified = day(2026, 3, 1);
    const note = w.addWorksheet('सूचना');
    note.getCell('A1').value = 'मार्च 2026 का भुगतान ₹';
    const s = w.addWorksheet('Remittance');
    s.mergeCells('A1:I1');
    s.getCell('A1').value = 'COD Remittance, March 2026';
    s.addRow([]);
    s.addRow(head);
    s.addRow([1234567890, '#1001', 'आशा शर्मा', 1499.5, { formula: 'D4-45.5', result: 1454 }, day(2026, 3, 5), day(2026, 3, 3, 14, 30, 5), 'Delivered', 'IN1']);
    s.addRow([12345678901234, '#1002', { richText: [{ text: 'Ravi ' }, { font: { bold: true }, text: '& Sons, "Pune"' }] }, 999, 999, day(2026, 3, 5), day(2026, 3, 4), 'Delivered', 'IN1']);
    s.addRow([123456789012345, '#1003', 'line\nbreak', 250.25, 250.25, day(2026, 3, 6), null, 'Delivered', 'IN2']);
    s.addRow([12345678901234567, '#1004', ' padded ', 100, 100, day(2026, 3, 6), null, 'Delivered', 'IN2']);
    s.addRow(['0098765432101', '#1005', "O'Brien", 0.1 + 0.2, { formula: 'D8*1', result: 0.30000000000000004 }, day(2026, 3, 6), null, 'Delivered', { formula: 'CONCATENATE("IN",3)', result: 'IN3' }]);
    s.addRow(['SF123IN', '#1006', true, { error: '#N/A' }, { formula: 'D9', result: { error: '#REF!' } }, day(2026, 3, 7), null, false, 'IN3']);
    s.getColumn(6).numFmt = 'dd-mmm-yyyy';
    s.getColumn(7).numFmt = 'dd/mm/yyyy hh:mm:ss';
    s.getColumn(4).numFmt = '[$₹-4009]#,##,##0.00';
    s.getRow(5).hidden = true;
    s.getColumn(3).hidden = true;
    const h = w.addWorksheet('Lists', { state: 'veryHidden' });
    h.addRow(['AWB No', 'COD Amount', 'Remittance Date']);
    await w.xlsx.writeFile(path.join(out, date1904 ? 'exceljs-1904.xlsx' : 'exceljs.xlsx'));
  }
}

function sheetjs() {
  const rows = [head,
    [1234567890, '#1001', 'आशा शर्मा', 1499.5, 1454, 46086, 46084.6042245370, 'Delivered', 'IN1'],
    [12345678901234, '#1002', 'Ravi & Sons, "Pune"', 999, 999, 46086, 46085, 'Delivered', 'IN1'],
    [12345678901234567, '#1003', 'line\nbreak', 100, 100, 46087, null, 'Delivered', 'IN2'],
    ['0098765432101', '#1004', 'x', 0.30000000000000004, 0.1, 46088, null, true, 'IN3'],
    ['SF123IN', '#1005', 'y', { t: 'e', v: 0x2A }, { t: 'e', v: 0x17 }, 46088, null, false, 'IN3']];
  const make = () => {
    const ws = {};
    rows.forEach((row, r) => row.forEach((v, c) => {
      if (v === null) return;
      const at = X.utils.encode_cell({ r, c });
      ws[at] = typeof v === 'object' ? v : { t: typeof v === 'number' ? 'n' : typeof v === 'boolean' ? 'b' : 's', v };
      if (r > 0 && c === 5) ws[at].z = 'yyyy-mm-dd';
      if (r > 0 && c === 6) ws[at].z = 'yyyy-mm-dd hh:mm:ss';
    }));
    ws.E2.f = 'D2-45.5';
    ws['!ref'] = 'A1:I6';
    ws['!rows'] = []; ws['!rows'][2] = { hidden: true };
    const wb = X.utils.book_new();
    X.utils.book_append_sheet(wb, X.utils.aoa_to_sheet([['Payouts of March'], ['₹']]), 'About');
    X.utils.book_append_sheet(wb, ws, 'Remittance');
    return wb;
  };
  X.writeFile(make(), path.join(out, 'sheetjs.xlsx'), { bookSST: false, compression: true });
  X.writeFile(make(), path.join(out, 'sheetjs-shared.xlsx'), { bookSST: true, compression: true });
  const dated = make();
  for (const at of ['F2', 'F3', 'F4', 'F5', 'F6', 'G2', 'G3']) {
    const c = dated.Sheets.Remittance[at];
    dated.Sheets.Remittance[at] = { t: 'd', v: new Date(Math.round((c.v - 25569) * 86400) * 1000), z: c.z };
  }
  X.writeFile(dated, path.join(out, 'sheetjs-ods.ods'), { compression: true });
}
exceljs().then(sheetjs).then(() => console.log(X.version));
