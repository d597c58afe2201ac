import { test } from "node:test";
import assert from "node:assert/strict";
import { inLines, Random } from "../../testing/random";
import { BrokenAnswer, eachMember, isoDay, Rows, skipValue, type Fields } from "./rows";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const fields = { name: "text", flag: "word", amount: "amount", days: "whole", on: "day" } as const satisfies Fields;

interface Written {
  name?: string;
  flag?: string;
  amount?: number | null;
  days?: number;
  on?: string | null;
}

const texts = ["", "a", "#1001", 'a "quoted" \\ one', "घर", "₹ 5", "two\nlines\ttab", "\u0000", "😀", "{[,:]}", "null"];
const flags = ["", "LATE", "PAID", 'ODD "ONE"', ...Array.from({ length: 60 }, (_, i) => "FLAG " + i)];
const amounts = [0, 1, -1, 0.1, 0.5, 1.25, -3.07, 99999999.99, 1e7, 2.345, 1e-7, null];

function randomRow(random: Random): Written {
  const all: [string, unknown][] = [
    ["name", random.of(texts)],
    ["flag", random.of(flags)],
    ["amount", random.of(amounts)],
    ["days", random.below(2000) - 1000],
    ["on", random.of(["2026-09-01", "1999-12-31", null])],
    ["unknown", random.of<unknown>([1, "x}", null, true, { deep: [{ a: "]" }, []] }])],
    ["names", "begins with the name of a column"],
  ];
  // Any of them may be missing, and they come in any order.
  return Object.fromEntries(random.shuffled(all).slice(random.below(3)));
}

/** Asserts what rows have. They are read one by one, in this order, some together, or all before. */
function assertRows(rows: Rows, written: Written[], order: Iterable<number> = written.keys()) {
  assert.equal(rows.length, written.length);
  for (const i of order) {
    const w = written[i]!;
    const where = `row ${i}: ${JSON.stringify(w)}`;
    assert.deepEqual(rows.object(i), w, where);
    assert.equal(rows.text("name", i), w.name ?? "", where);
    assert.equal(rows.text("flag", i), w.flag ?? "", where);
    assert.equal(rows.number("amount", i), w.amount == null ? NaN : Math.round(w.amount * 100), where);
    assert.equal(rows.number("days", i), w.days ?? 0, where);
    assert.equal(rows.text("on", i), w.on ?? "", where);
  }
  assert.equal(new Set(rows.words("flag")).size, rows.words("flag").length, "each word has one code");
  assert.deepEqual(
    [...rows.numbers("days")],
    written.map((w) => w.days ?? 0),
  );
}

test("rows are what JSON.parse says", () => {
  const random = new Random(1);
  for (let turn = 0; turn < 60; turn += 2) {
    const written = Array.from({ length: random.below(turn * 10) }, () => randomRow(random));
    const text = inLines(written);
    const rows = new Rows(bytesOf(text), 0, fields, random.of([0, written.length]));
    assert.equal(rows.findRest(), bytesOf(text).length);
    assertRows(rows, written);
  }
});

test("rows are the same, whichever is read first", () => {
  const random = new Random(4);
  const written = Array.from({ length: 700 }, () => randomRow(random));
  for (let turn = 0; turn < 10; turn++) {
    const rows = new Rows(bytesOf(inLines(written)), 0, fields);
    rows.findRest();
    rows.readSome(random.below(800));
    assertRows(rows, written, random.shuffled([...written.keys()]).slice(random.below(700)));
    assert.equal(rows.readSome(), true, "a whole column has been asked for");
  }
});

test("some rows are read at a time, until there are no more", () => {
  const rows = new Rows(bytesOf(inLines(Array.from({ length: 10 }, () => ({})))), 0, fields);
  rows.findRest();
  assert.deepEqual([rows.readSome(4), rows.readSome(4), rows.readSome(4), rows.readSome(4)], [false, false, true, true]);
});

test("rows that arrive in parts are those that arrive at once", () => {
  const random = new Random(2);
  const written = Array.from({ length: 700 }, () => randomRow(random));
  const all = bytesOf(inLines(written));
  for (let turn = 0; turn < 20; turn++) {
    const buffer = new Uint8Array(all.length);
    const rows = new Rows(all.subarray(0, 1), 0, fields);
    for (let at = 1; at < all.length; ) {
      const to = Math.min(all.length, at + 1 + random.below(9000));
      buffer.set(all.subarray(0, to));
      rows.find(buffer.subarray(0, to));
      if (rows.length) assert.deepEqual(rows.object(rows.length - 1), written[rows.length - 1]);
      at = to;
    }
    rows.findRest(all);
    assertRows(rows, written);
  }
});

test("an array that is cut short is refused, wherever it is cut", () => {
  const random = new Random(3);
  const all = bytesOf(inLines(Array.from({ length: 12 }, () => randomRow(random))));
  for (let end = 1; end < all.length; end++) {
    assert.throws(() => new Rows(all.subarray(0, end), 0, fields).findRest(), BrokenAnswer);
  }
  assert.throws(() => new Rows(bytesOf("{}"), 0, fields), BrokenAnswer);
});

test("an array without lines is read too, as the version before this one answers", () => {
  const random = new Random(5);
  for (const n of [0, 1, 2, 700]) {
    const written = Array.from({ length: n }, () => randomRow(random));
    const list = JSON.stringify(written);
    const rows = new Rows(bytesOf(list + ',"bank":{"payouts":[{}]}}\n'), 0, fields);
    assert.equal(rows.findRest(), bytesOf(list).length);
    assertRows(rows, written);
  }
});

test("a value is skipped to its end", () => {
  for (const value of ["1", "-1.5e3", "true", "null", '""', '"a\\"]"', "[]", '{"a":[1,{"b":"}"}],"c":"\\\\"}']) {
    for (const after of [",", "}", "]", " ", ""]) assert.equal(skipValue(bytesOf(value + after), 0), value.length, value + after);
  }
  for (const cut of ["", '"', '"a', '"\\"', "[", '{"a"', '["]']) assert.throws(() => skipValue(bytesOf(cut), 0), BrokenAnswer);
});

test("the members of an object are visited in their order", () => {
  const text = ' { "a" : 1 , "\\u0062" : [2,{"c":3}],"d":"}"} ';
  const bytes = bytesOf(text);
  const found: [string, unknown][] = [];
  const end = eachMember(bytes, 0, (name, at) => {
    const after = skipValue(bytes, at);
    found.push([name, JSON.parse(new TextDecoder().decode(bytes.subarray(at, after)))]);
    return after;
  });
  assert.deepEqual(found, [
    ["a", 1],
    ["b", [2, { c: 3 }]],
    ["d", "}"],
  ]);
  assert.equal(end, text.length - 1);
  for (const broken of ["", "[]", "{", '{"a"', '{"a" 1}', '{"a":1', "{1}"]) {
    assert.throws(() => eachMember(bytesOf(broken), 0, (_, at) => skipValue(bytesOf(broken), at)), BrokenAnswer);
  }
});

test("sums are exact in paise, and a missing amount counts as 0", () => {
  const written = [...Array.from({ length: 1000 }, () => ({ amount: 0.1 })), { amount: null }, {}, { amount: -0.05 }];
  const rows = new Rows(bytesOf(inLines(written)), 0, fields);
  rows.findRest();
  assert.equal(rows.sum("amount", Uint32Array.from(written.keys())), 9995);
  assert.equal(rows.sum("amount", Uint32Array.of(1000, 1001)), 0);
});

test("a column of other rows is adopted by as many rows, and a closer word takes the place of its own", () => {
  const of = (list: unknown[], kinds: Fields) => {
    const rows = new Rows(bytesOf(inLines(list)), 0, kinds);
    rows.findRest();
    return rows;
  };
  const rows = of([{ days: 1 }, { days: 2 }], { days: "whole" });
  const kinds: Fields = { state: "word", absence: "word" };
  rows.adopt(of([{ state: "a" }, { state: "b", absence: "c" }], kinds), "state", "absence");
  assert.deepEqual([rows.text("state", 0), rows.text("state", 1), rows.has("state"), rows.has("absence")], ["a", "c", true, false]);
  assert.throws(() => rows.adopt(of([], kinds), "state", "absence"), BrokenAnswer);
});

test("a day is written with its zeros", () => {
  assert.equal(isoDay(20260901), "2026-09-01");
  assert.equal(isoDay(0), "");
});
