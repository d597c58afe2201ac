import { test } from "node:test";
import assert from "node:assert/strict";
import { inLines, Random } from "../../testing/random";
import { Rows, type Fields } from "./rows";
import { Views, type Sort } from "./views";

const fields = { id: "text", note: "text", flag: "word", amount: "amount", days: "whole", on: "day" } as const satisfies Fields;
type Name = keyof typeof fields;

interface Row {
  id: string;
  note: string;
  flag: string;
  amount?: number;
  days: number;
  on?: string;
}

const flags = ["", "Paid", "LATE 2", "LATE 10", "रुका"];
const notes = [
  "",
  "Short by ₹5",
  'said "Stop"',
  "ÉTÉ ß Ünïcode",
  "घर पर",
  "a\\b",
  "The money of this parcel is late",
  "the MONEY of this parcel is lost",
];

function randomRow(random: Random): Row {
  const heads = ["", "a", "A", "#", "OR-", "abcde", "abcdef", "ABCDEFG"];
  const digits = ["", "0", "1", "01", "999", "1000", "123456789012345", "1234567890123456"];
  const rests = ["", "-", "-a", "-B", "x1", "x10", "the same long words before it ends, 1", "the same long words before it ends, 2"];
  return {
    id: random.of(heads) + random.of(digits) + random.of(rests),
    note: random.of(notes),
    flag: random.of(flags),
    amount: random.of([undefined, 0, -1, 0.5, random.below(1000) / 100]),
    days: random.below(9) - 4,
    on: random.of([undefined, "2026-01-01", "2025-12-31", "2026-01-02"]),
  };
}

function viewsOf(rows: Row[]): Views {
  const read = new Rows(new TextEncoder().encode(inLines(rows)), 0, fields);
  read.findRest();
  return new Views(read, ["id", "note", "flag"]);
}

/** What a person sorts a text by: what is before its first digits, these as a number, and the rest. */
function textKey(text: string): [string, number, string] {
  const lowered = text.toLowerCase();
  const head = /^\D{0,6}/.exec(lowered)![0];
  const digits = head.length < 6 ? /^\d{0,15}/.exec(lowered.slice(head.length))![0] : "";
  return [head, Number(digits), lowered.slice(head.length + digits.length)];
}

const order = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

function compareBy(by: Name): (a: Row, b: Row) => number {
  switch (by) {
    case "id":
    case "note":
      return (a, b) => {
        const [x, y] = [textKey(a[by]), textKey(b[by])];
        return order(x[0], y[0]) || order(x[1], y[1]) || order(x[2], y[2]);
      };
    case "flag":
      return (a, b) => a.flag.localeCompare(b.flag, "en", { numeric: true });
    default:
      return (a, b) => order(a[by]!, b[by]!);
  }
}

const missing = (row: Row, by: Name) => row[by] === undefined || row[by] === "";

/** The same as Views.view, as one writes it for few rows. */
function plain(rows: Row[], wanted: Set<string>, search: string, sort: Sort | null): number[] {
  const words = search.toLowerCase().split(/\s+/);
  const found = [...rows.keys()].filter((i) => {
    const { id, note, flag } = rows[i]!;
    const text = [id, note, flag].join("\n").toLowerCase();
    return (!wanted.size || wanted.has(flag)) && words.every((w) => text.includes(w));
  });
  if (!sort) return found;
  const by = sort.by as Name;
  const compare = compareBy(by);
  const filled = found.filter((i) => !missing(rows[i]!, by)).sort((a, b) => compare(rows[a]!, rows[b]!) || a - b);
  if (sort.down) filled.reverse();
  return [...filled, ...found.filter((i) => missing(rows[i]!, by))];
}

function assertViews(random: Random, rows: Row[], times: number) {
  const views = viewsOf(rows);
  for (let i = 0; i < times; i++) {
    const wanted = new Set(random.shuffled(flags).slice(0, random.below(3)));
    const search = random.of([
      "",
      "  ",
      "a",
      "LATE",
      "money lost",
      "ünïCODE",
      "घर",
      "₹5",
      '"stop"',
      "a\\b",
      "10 late",
      "nowhere",
      "1\nshort",
      "reißen",
      "ß été",
    ]);
    const sort = random.of([
      null,
      ...(["id", "flag", "amount", "days", "on"] as const).flatMap((by) => [
        { by, down: false },
        { by, down: true },
      ]),
    ]);
    assert.deepEqual(
      [...views.view("flag", wanted, search, sort)],
      plain(rows, wanted, search, sort),
      JSON.stringify({ rows: rows.length, wanted: [...wanted], search, sort }),
    );
  }
}

test("rows are filtered, searched and sorted as by plain code", () => {
  const random = new Random(4);
  for (let turn = 0; turn < 30; turn++) {
    const rows = Array.from({ length: random.below(120) }, () => randomRow(random));
    assertViews(random, rows, 20);
  }
});

test("so are more rows than are sorted at once", () => {
  const random = new Random(5);
  const rows = Array.from({ length: 4096 * 2 + 77 }, () => randomRow(random));
  assertViews(random, rows, 6);
});

test("many texts that begin alike are sorted to their last letter", () => {
  const random = new Random(6);
  const row = randomRow(random);
  const rows = random.shuffled(
    Array.from({ length: 500 }, (_, i) => ({
      ...row,
      id: "The money of this parcel has not come " + String.fromCharCode(97 + (i % 26), 97 + ((i / 26) | 0)),
    })),
  );
  const found = viewsOf(rows).view("flag", new Set(), "", { by: "id", down: false });
  assert.deepEqual(
    Array.from(found, (i) => rows[i]!.id),
    rows.map((r) => r.id).sort(),
  );
});

test("rows that come after a sort and a search are sorted and searched as well", () => {
  const random = new Random(8);
  const rows = Array.from({ length: 300 }, () => randomRow(random));
  const all = new TextEncoder().encode(inLines(rows));
  const read = new Rows(all.subarray(0, 1), 0, fields);
  const views = new Views(read, ["id", "note", "flag"]);
  for (const part of [0.3, 0.6, 1]) {
    read.find(all.subarray(0, all.length * part));
    const here = rows.slice(0, read.length);
    for (const sort of [
      null,
      ...["id", "flag", "amount"].flatMap((by) => [
        { by, down: false },
        { by, down: true },
      ]),
    ])
      for (const search of ["", "a"])
        assert.deepEqual(
          [...views.view("flag", new Set(), search, sort)],
          plain(here, new Set(), search, sort),
          `${part} ${sort?.by} ${search}`,
        );
  }
});

test("a word is searched for as it is shown", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ ...randomRow(new Random(i)), id: "#1", note: "" }));
  const read = new Rows(new TextEncoder().encode(inLines(rows)), 0, fields);
  read.findRest();
  const views = new Views(read, ["id", "flag"], { flag: (word) => (word === flags[1] ? "Paid in part" : word) });
  assert.equal(views.view("flag", new Set(), "part PAID", null).length, rows.filter((r) => r.flag === flags[1]).length);
});

test("what is prepared in parts is the same", () => {
  const random = new Random(7);
  const rows = Array.from({ length: 9000 }, () => randomRow(random));
  const views = viewsOf(rows);
  let parts = 0;
  for (const _ of views.preparing(["id", "note"])) parts++;
  assert.ok(parts > 5 + 9000 / 512);
  assert.equal(views.advance("id"), true);
  const sort = { by: "id", down: false };
  assert.deepEqual([...views.view("flag", new Set(), "", sort)], plain(rows, new Set(), "", sort));
});
