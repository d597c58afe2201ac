import "./testing/browser";
import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { atHand, clear, firstRows, firstUnreadable, files, formOf, large, sheetsOf } from "./files";
import { change, chosen } from "./places";

const file = (name: string, text: string | Uint8Array = "a\n") => new File([text as BlobPart], name);
const exported = chosen(1, file("orders.csv"), "orders");

beforeEach(clear);

test("the first rows of a large file end with a whole row", async () => {
  const row = '1,"two\nlines",3\n';
  const text = row.repeat(large / row.length + 1);
  const rows = await (await firstRows(file("a.csv", text)))!.text();
  assert.equal(rows, row.repeat(rows.length / row.length));
  assert.ok(rows.length > (16 << 10) - row.length && rows.length <= 16 << 10);
});

test("a file of which the first rows say nothing has none", async () => {
  assert.equal(await firstRows(file("small.csv", "a\n")), null);
  assert.equal(await firstRows(file("book.xlsx", new Uint8Array(large))), null, "zero bytes");
  assert.equal(await firstRows(file("page.xls", " \n<html>".padEnd(large, "\n"))), null, "a web page");
  assert.equal(await firstRows(file("line.csv", "x".repeat(large))), null, "no row ends");
  assert.equal(await firstRows(file("open.csv", '"' + "x\n".repeat(large))), null, "a quote does not end");
});

test("sheets are named one by one, and as they are", () => {
  assert.deepEqual(sheetsOf(""), []);
  assert.deepEqual(sheetsOf(" May "), ["May"]);
  assert.deepEqual(sheetsOf("May, June"), ["May, June", "May", "June"]);
});

test("the form of a run counts reports as the page does", () => {
  files.value = [exported, chosen(2, file("a.csv"), "report"), chosen(3, file("b.csv"), "report")];
  files.value = change(files.value, 2, { seems: "acme" });
  files.value = change(files.value, 3, { seems: "acme", courier: "other", columns: { awb: "AWB No" } as never });
  const form = formOf();
  assert.deepEqual(
    form.getAll("report").map((f) => (f as File).name),
    ["a.csv", "b.csv"],
  );
  assert.deepEqual(form.getAll("courierName"), ["acme", "other"]);
  assert.deepEqual(form.getAll("columns"), ["", '{"awb":"AWB No"}']);
  assert.deepEqual(
    atHand.value.map((f) => f.key),
    [1, 2, 3],
  );
});

test("a file that was deleted meanwhile is found", async () => {
  const gone = file("gone.csv");
  Object.assign(gone, { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }) });
  files.value = [exported];
  assert.equal(await firstUnreadable(), null);
  files.value = [exported, chosen(2, gone, "report")];
  assert.equal((await firstUnreadable())?.key, 2);
});
