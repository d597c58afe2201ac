// Which rows are shown, and in which order. Nothing here knows the page.
import type { Rows } from "./rows";

export interface Sort {
  by: string; // name of a column
  down: boolean;
}

/** The next state of a column's sort: up, down, none. */
export const nextSort = (now: Sort | null, by: string): Sort | null =>
  now?.by !== by ? { by, down: false } : now.down ? null : { by, down: true };

/** A set with a value added, or without it if it was there. */
export function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

type Shown = Record<string, (word: string) => string>;

/** Searches and sorts rows. What it needs for that is made when it is first asked for, and anew when more rows have come. */
export class Views {
  private texts: Texts | null = null;
  private readonly orders = new Map<string, Order>();
  private readonly sorting = new Map<string, Generator<void, Order>>();

  /** searched: the columns in which words are looked for; shown: what a page shows for the words of a column, if that is something else. */
  constructor(
    readonly rows: Rows,
    private readonly searched: readonly string[],
    private readonly shown: Shown = {},
  ) {}

  /**
   * Does what the first filter, the first search and the first sorts by these columns need, so that
   * they are as fast as later ones. Each part takes some milliseconds.
   */
  *preparing(columns: readonly string[]): Generator<void> {
    while (!this.rows.readSome()) yield;
    this.prepare();
    for (const by of columns) while (!this.advance(by)) yield;
  }

  private prepare() {
    if (this.texts?.ends.length !== this.rows.length) this.texts = new Texts(this.rows, this.searched, this.shown);
  }

  /**
   * The rows whose word in the column filtered is one of wanted (any if that is empty), and
   * which have all the words of search, in the order of sort, else in that of the answer.
   */
  view(filtered: string, wanted: ReadonlySet<string>, search: string, sort: Sort | null): Uint32Array {
    const { rows } = this;
    const n = rows.length;
    const out = new Uint32Array(n);
    let found: Uint8Array | null = null;
    for (const word of search.toLowerCase().split(/\s+/)) {
      if (word === "") continue;
      this.prepare();
      found = this.texts!.having(word, found);
    }
    const wants = wanted.size === 0 ? null : Uint8Array.from(rows.words(filtered), (w) => (wanted.has(w) ? 1 : 0));
    const codes = wants && rows.numbers(filtered);
    const order = sort && this.order(sort.by);
    let m = 0;
    const take = (row: number) => {
      if ((wants === null || wants[codes![row]!] === 1) && (found === null || found[row] === 1)) out[m++] = row;
    };
    if (order === null) for (let row = 0; row < n; row++) take(row);
    else {
      // Rows without a value come last either way.
      if (sort!.down) for (let k = order.filled - 1; k >= 0; k--) take(order.rows[k]!);
      else for (let k = 0; k < order.filled; k++) take(order.rows[k]!);
      for (let k = order.filled; k < n; k++) take(order.rows[k]!);
    }
    return out.subarray(0, m);
  }

  private order(by: string): Order {
    while (!this.advance(by));
    return this.orders.get(by)!;
  }

  /**
   * Does a part, of some milliseconds, of what the first sort by a column needs. It returns
   * whether that is done.
   */
  advance(by: string): boolean {
    if (this.orders.get(by)?.rows.length === this.rows.length) return true;
    const steps = this.sorting.get(by) ?? (this.rows.kind(by) === "text" ? byText : byNumber)(this.rows, by);
    this.sorting.set(by, steps);
    const { done, value } = steps.next();
    if (!done) return false;
    this.orders.set(by, value);
    return this.sorting.delete(by);
  }
}

interface Order {
  rows: Uint32Array; // in ascending order, those without a value last
  filled: number; // how many have a value
}

function* byNumber(rows: Rows, name: string): Generator<void, Order> {
  let keys = rows.numbers(name);
  const kind = rows.kind(name);
  if (kind === "word") {
    const words = rows.words(name);
    const ranks = new Float64Array(words.length);
    const collator = new Intl.Collator("en", { numeric: true });
    Array.from(words.keys())
      .sort((a, b) => collator.compare(words[a]!, words[b]!))
      .forEach((code, rank) => {
        ranks[code] = rank;
      });
    keys = keys.map((code) => ranks[code]!);
  }
  // The words and days of the code 0 are missing, and so are amounts that are no number.
  const has =
    kind === "amount"
      ? (row: number) => keys[row] === keys[row]
      : kind === "whole"
        ? () => true
        : (row: number) => rows.number(name, row) !== 0;
  return yield* sorted(rows.length, has, (a, b) => keys[a]! - keys[b]! || a - b);
}

type Compare = (a: number, b: number) => number;

function* sorted(n: number, has: (row: number) => boolean, compare: Compare): Generator<void, Order> {
  const order = new Uint32Array(n);
  let filled = 0,
    at = n;
  for (let row = n - 1; row >= 0; row--) if (!has(row)) order[--at] = row;
  for (let row = 0; row < n; row++) if (has(row)) order[filled++] = row;
  yield* sort(order.subarray(0, filled), compare);
  return { rows: order, filled };
}

const part = 4096; // rows, which are sorted in about a millisecond

/** Sorts parts and merges them. */
function* sort(rows: Uint32Array, compare: Compare): Generator<void> {
  const n = rows.length;
  for (let i = 0; i < n; i += part) {
    rows.subarray(i, i + part).sort(compare);
    yield;
  }
  if (n <= part) return;
  let from: Uint32Array = rows,
    to: Uint32Array = new Uint32Array(n);
  for (let width = part; width < n; width *= 2) {
    for (let i = 0; i < n; i += 2 * width) {
      const middle = Math.min(i + width, n),
        end = Math.min(middle + width, n);
      let a = i,
        b = middle;
      for (let k = i; k < end; k++) to[k] = a < middle && (b === end || compare(from[a]!, from[b]!) < 0) ? from[a++]! : from[b++]!;
      yield;
    }
    [from, to] = [to, from];
  }
  if (from !== rows) rows.set(from);
}

// Texts are compared as people number things: what stands before the first digits, then
// those digits as a number, then the rest. #999 comes before #1000.
function* byText(rows: Rows, name: string): Generator<void, Order> {
  const { bytes } = rows;
  const { from, to } = rows.place(name);
  const n = rows.length;
  const heads = new Float64Array(n); // the first six bytes before the digits
  const numbers = new Float64Array(n);
  const rests = new Uint32Array(n); // where the rest stands
  for (let row = 0; row < n; row++) {
    const end = to[row]!;
    let at = from[row]!,
      head = 0,
      room = keyBytes;
    while (at < end && room > 0 && !isDigit(bytes[at]!)) {
      head = head * 256 + lower(bytes[at]!);
      at++;
      room--;
    }
    heads[row] = head * 256 ** room;
    let number = 0,
      digits = 0;
    if (room > 0) {
      while (at < end && digits < 15 && isDigit(bytes[at]!)) {
        number = number * 10 + bytes[at]! - 0x30;
        at++;
        digits++;
      }
    }
    numbers[row] = number;
    rests[row] = at;
  }
  yield;
  const order = yield* sorted(
    n,
    (row) => from[row] !== to[row],
    (a, b) => heads[a]! - heads[b]! || numbers[a]! - numbers[b]! || a - b,
  );
  const rest = new Rests(bytes, order.rows, rests, to);
  eachRun(
    order.rows,
    0,
    order.filled,
    (a, b) => heads[a] === heads[b] && numbers[a] === numbers[b],
    (begin, end) => rest.add(begin, end),
  );
  yield* rest.sort();
  return order;
}

const keyBytes = 6; // a float holds as many exactly

/** Calls visit for each run of two or more rows that are alike. */
function eachRun(
  rows: Uint32Array,
  from: number,
  to: number,
  alike: (a: number, b: number) => boolean,
  visit: (begin: number, end: number) => void,
) {
  for (let begin = from; begin < to; ) {
    let end = begin + 1;
    while (end < to && alike(rows[begin]!, rows[end]!)) end++;
    if (end - begin > 1) visit(begin, end);
    begin = end;
  }
}

const fewRows = 24; // that are sorted one by one

/** Sorts rows by the bytes of their texts that have not been compared yet. */
class Rests {
  private readonly keys: Float64Array;
  private readonly left: [begin: number, end: number][] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly rows: Uint32Array,
    private readonly rests: Uint32Array,
    private readonly ends: Uint32Array,
  ) {
    this.keys = new Float64Array(rests.length);
  }

  /** Adds a run of rows that are alike so far. */
  add(begin: number, end: number) {
    if (end - begin <= fewRows) this.insert(begin, end);
    else this.left.push([begin, end]);
  }

  // Many reasons begin with the same words: some bytes of all texts are compared before the
  // next ones are looked at.
  *sort(): Generator<void> {
    const { bytes, rows, rests, ends, keys } = this;
    for (let run = this.left.pop(); run; run = this.left.pop()) {
      const [begin, end] = run;
      let same = true,
        ended = true;
      const first = rows[begin]!;
      for (let k = begin; k < end; k++) {
        const row = rows[k]!,
          last = ends[row]!;
        let at = rests[row]!,
          key = 0;
        for (let i = 0; i < keyBytes; i++) key = key * 256 + (at < last ? lower(bytes[at++]!) : 0);
        rests[row] = at;
        keys[row] = key;
        if (at < last) ended = false;
        if (key !== keys[first]) same = false;
      }
      if (end - begin > part) yield;
      if (!same) yield* sort(rows.subarray(begin, end), (a, b) => keys[a]! - keys[b]! || a - b);
      if (!ended)
        eachRun(
          rows,
          begin,
          end,
          (a, b) => keys[a] === keys[b],
          (from, to) => this.add(from, to),
        );
    }
  }

  private insert(begin: number, end: number) {
    const { rows } = this;
    for (let k = begin + 1; k < end; k++) {
      const row = rows[k]!;
      let at = k;
      while (at > begin && this.compare(rows[at - 1]!, row) > 0) {
        rows[at] = rows[at - 1]!;
        at--;
      }
      rows[at] = row;
    }
  }

  private compare(a: number, b: number): number {
    const { bytes, rests, ends } = this;
    let i = rests[a]!,
      j = rests[b]!;
    const endA = ends[a]!,
      endB = ends[b]!;
    while (i < endA && j < endB) {
      const d = lower(bytes[i++]!) - lower(bytes[j++]!);
      if (d !== 0) return d;
    }
    return endA - i - (endB - j) || a - b;
  }
}

const isDigit = (c: number) => c >= 0x30 && c <= 0x39;
const lower = (c: number) => (c >= 0x41 && c <= 0x5a ? c + 32 : c);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The searched texts of all rows in lower case, one after the other. */
class Texts {
  private text: Uint8Array;
  readonly ends: Uint32Array; // of the text of each row
  private length = 0;

  constructor(rows: Rows, names: readonly string[], shown: Shown) {
    const { bytes } = rows;
    const columns = names.map((name) => {
      if (rows.kind(name) !== "word") return { ...rows.place(name), words: null, codes: null };
      const said = shown[name] ?? ((word) => word);
      return { from: null, to: null, words: rows.words(name).map((w) => encoder.encode(said(w).toLowerCase())), codes: rows.numbers(name) };
    });
    let room = 0;
    for (const c of columns) {
      if (c.words !== null) for (let row = 0; row < rows.length; row++) room += c.words[c.codes[row]!]!.length + 1;
      else for (let row = 0; row < rows.length; row++) room += c.to[row]! - c.from[row]! + 1;
    }
    this.text = new Uint8Array(room);
    this.ends = new Uint32Array(rows.length);
    for (let row = 0; row < rows.length; row++) {
      for (const c of columns) {
        if (c.words !== null) this.add(c.words[c.codes[row]!]!);
        else this.addLowered(bytes, c.from[row]!, c.to[row]!);
        this.text[this.length++] = 0x0a; // so that no word is found across two texts
      }
      this.ends[row] = this.length;
    }
  }

  private add(text: Uint8Array) {
    // Letters of some scripts have more bytes in lower case.
    if (this.length + text.length + 1 > this.text.length) this.grow(text.length);
    this.text.set(text, this.length);
    this.length += text.length;
  }

  private grow(by: number) {
    const grown = new Uint8Array((this.text.length + by) * 1.25 + 64);
    grown.set(this.text.subarray(0, this.length));
    this.text = grown;
  }

  private addLowered(bytes: Uint8Array, from: number, to: number) {
    if (this.length + (to - from) + 1 > this.text.length) this.grow(to - from);
    const { text, length: start } = this;
    let at = start;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      if (c === 0x5c || (c >= 0xc0 && mayHaveCase(c, bytes[i + 1]!))) {
        const raw = decoder.decode(bytes.subarray(from, to));
        const whole = raw.includes("\\") ? (JSON.parse('"' + raw + '"') as string) : raw;
        this.add(encoder.encode(whole.toLowerCase()));
        return;
      }
      text[at++] = c >= 0x41 && c <= 0x5a ? c + 32 : c;
    }
    this.length = at;
  }

  /** Marks the rows that have a word and are marked in among; null: all rows. */
  having(word: string, among: Uint8Array | null): Uint8Array {
    const { text, ends, length } = this;
    const marks = new Uint8Array(ends.length);
    const wanted = encoder.encode(word);
    const first = wanted[0]!;
    let row = 0,
      at = 0;
    while (row < ends.length) {
      const end = ends[row]!;
      if (among !== null && among[row] === 0) {
        at = end;
        row++;
        continue;
      }
      let hit = false;
      const last = Math.min(end, length) - wanted.length;
      for (; at <= last; at++) {
        if (text[at] !== first) continue;
        let k = 1;
        while (k < wanted.length && text[at + k] === wanted[k]) k++;
        if (k === wanted.length) {
          hit = true;
          break;
        }
      }
      if (hit) marks[row] = 1;
      at = end;
      row++;
    }
    return marks;
  }
}

/** Whether a character that is not ASCII may be a capital, by its first two bytes in UTF-8. */
function mayHaveCase(first: number, second: number): boolean {
  // Signs such as U+00B7, Indian scripts, and punctuation with the sign of the rupee have
  // none. All else is left to the browser.
  return first !== 0xc2 && first !== 0xe0 && !(first === 0xe2 && second < 0x84);
}
