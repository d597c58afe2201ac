// Objects of an answer as columns. 50,000 orders with their lines are 35 MB of JSON and far
// more as objects, so the bytes stay as they came. While they come, it is only looked for where
// each object begins. An object is read when it is shown, and all are when a whole column is
// needed: then numbers are in typed arrays, and texts are read where they stand.

/**
 * What a field is. amount: rupees, held as paise. whole: an integer. day: YYYY-MM-DD. word:
 * a text of which there are few different ones. text: any other text.
 */
export type Kind = "amount" | "whole" | "day" | "word" | "text";
export type Fields = Readonly<Record<string, Kind>>;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const NEWLINE = 0x0a;
const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  COLON = 0x3a,
  MINUS = 0x2d,
  POINT = 0x2e;
const OPEN = 0x7b,
  CLOSE = 0x7d,
  LIST = 0x5b,
  LIST_END = 0x5d;
const ZERO = 0x30,
  NINE = 0x39;

export class BrokenAnswer extends Error {}

/** The text of a JSON string from the byte after its first quote to its last one. */
function stringOf(bytes: Uint8Array, from: number, to: number): string {
  const text = decoder.decode(bytes.subarray(from, to));
  return text.includes("\\") ? (JSON.parse('"' + text + '"') as string) : text;
}

/** The position after blanks. */
function skipBlanks(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

/** The position of the quote that ends the string whose first character is at at. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (;;) {
    const c = bytes[at];
    if (c === QUOTE) return at;
    if (c === undefined) throw new BrokenAnswer();
    at += c === BACKSLASH ? 2 : 1;
  }
}

/** The position after the value that begins at at. */
export function skipValue(bytes: Uint8Array, at: number): number {
  let depth = 0;
  do {
    const c = bytes[at];
    if (c === undefined) throw new BrokenAnswer();
    if (c === QUOTE) at = endOfString(bytes, at + 1) + 1;
    else if (c === OPEN || c === LIST) {
      depth++;
      at++;
    } else if (c === CLOSE || c === LIST_END) {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else at = endOfLiteral(bytes, at);
  } while (depth > 0);
  return at;
}

/** The position of the end of the line in which at is. */
function endOfLine(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(NEWLINE, at);
  return end < 0 ? bytes.length : end;
}

/** The position after a number, true, false or null. */
function endOfLiteral(bytes: Uint8Array, at: number): number {
  for (; ; at++) {
    const c = bytes[at];
    if (c === undefined || c <= 0x20 || c === COMMA || c === CLOSE || c === LIST_END) return at;
  }
}

/** Calls visit for each member of the object at at, with the position of its value, from which visit returns the position after it. */
export function eachMember(bytes: Uint8Array, at: number, visit: (name: string, at: number) => number): number {
  at = skipBlanks(bytes, at);
  if (bytes[at] !== OPEN) throw new BrokenAnswer();
  at = skipBlanks(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const end = endOfString(bytes, at + 1);
    const name = stringOf(bytes, at + 1, end);
    at = skipBlanks(bytes, end + 1);
    if (bytes[at] !== COLON) throw new BrokenAnswer();
    at = skipBlanks(bytes, visit(name, skipBlanks(bytes, at + 1)));
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
  if (bytes[at] !== CLOSE) throw new BrokenAnswer();
  return at + 1;
}

/** The different texts of a column, by their codes. The code 0 is that of no text. */
class Words {
  readonly list: string[] = [""];
  private readonly places: [from: number, to: number][] = [[0, 0]];
  private slots = new Uint32Array(64);

  /** The code of the JSON string between two positions. */
  code(bytes: Uint8Array, from: number, to: number): number {
    if (from === to) return 0;
    const mask = this.slots.length - 1;
    let slot = hashOf(bytes, from, to) & mask;
    for (let code = this.slots[slot]!; code !== 0; code = this.slots[slot]!) {
      const [start, end] = this.places[code]!;
      if (same(bytes, from, to, start, end)) return code;
      slot = (slot + 1) & mask;
    }
    const code = this.list.push(stringOf(bytes, from, to)) - 1;
    this.places.push([from, to]);
    this.slots[slot] = code;
    if (code * 2 > mask) this.grow(bytes);
    return code;
  }

  private grow(bytes: Uint8Array) {
    const mask = this.slots.length * 2 - 1;
    this.slots = new Uint32Array(mask + 1);
    for (let code = 1; code < this.places.length; code++) {
      const [from, to] = this.places[code]!;
      let slot = hashOf(bytes, from, to) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = code;
    }
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  return hash ^ (hash >>> 15);
}

function same(bytes: Uint8Array, from: number, to: number, from2: number, to2: number): boolean {
  if (to - from !== to2 - from2) return false;
  for (; from < to; from++, from2++) if (bytes[from] !== bytes[from2]) return false;
  return true;
}

interface Column {
  name: Uint8Array;
  kind: Kind;
  numbers: Float64Array; // paise, integers, days as yyyymmdd, or codes of words
  from: Uint32Array; // of texts: where they stand
  to: Uint32Array;
  words: Words | null;
}

const none = new Float64Array(0);
const nowhere = new Uint32Array(0);

const firstRoom = 256; // rows

/** Objects of a JSON array, by column. A line ends after each object, and nowhere in one. */
export class Rows {
  length = 0;
  private at = 0; // of what is looked for next
  private begin = 0; // of the first object
  private room = 0; // rows
  private readonly columns: Column[];
  private readonly byName = new Map<string, Column>();
  private starts = nowhere; // of the objects
  private ends = nowhere; // 0: the object has not been read
  private done = 0; // the first objects, which have all been read

  /** The array that begins at at, of which nothing has been found yet. expected: how many objects it has; 0: that is not known. A missing amount is NaN, and a missing number or day is 0. */
  constructor(
    public bytes: Uint8Array,
    at: number,
    readonly fields: Fields,
    expected = 0,
  ) {
    this.columns = Object.entries(fields).map(([name, kind]) => {
      const column: Column = {
        name: encoder.encode(name),
        kind,
        numbers: none,
        from: nowhere,
        to: nowhere,
        words: kind === "word" ? new Words() : null,
      };
      this.byName.set(name, column);
      return column;
    });
    if (bytes[at] !== LIST) throw new BrokenAnswer();
    this.at = this.begin = skipBlanks(bytes, at + 1);
    if (expected) this.makeRoom(expected);
  }

  static readonly empty = (fields: Fields) => new Rows(new Uint8Array([LIST, LIST_END]), 0, fields);

  /** Finds the objects that have arrived whole. bytes has what it had before, and what has come since. */
  find(bytes: Uint8Array) {
    this.findTo(bytes, bytes.lastIndexOf(NEWLINE));
  }

  /** Finds the rest of the objects and returns the position after the array. */
  findRest(bytes = this.bytes): number {
    this.findTo(bytes, bytes.length);
    // While a new version takes over from one that ends lines after results alone, that one may have
    // answered: of its other lists, the first object has been found, but not its end.
    if (bytes[this.at] !== LIST_END && this.length > 0) {
      this.at = this.starts[--this.length]!;
      this.findTo(bytes, bytes.length, skipValue);
    }
    if (bytes[this.at] !== LIST_END) throw new BrokenAnswer();
    if (this.room > this.length * 1.5) this.makeRoom(this.length);
    return this.at + 1;
  }

  private findTo(bytes: Uint8Array, end: number, afterObject = endOfLine) {
    this.bytes = bytes;
    let at = this.next(this.at);
    while (at < end && bytes[at] === OPEN) {
      if (this.length === this.room) this.makeRoom(this.roomFor(at - this.begin, bytes.buffer.byteLength - at));
      this.starts[this.length++] = at;
      at = this.next(afterObject(bytes, at));
    }
    this.at = at;
  }

  /** Reads some objects that have not been read yet. It returns whether there are no more. */
  readSome(most = 512): boolean {
    for (const end = Math.min(this.length, this.done + most); this.done < end; this.done++) this.read(this.done);
    return this.done === this.length;
  }

  private read(row: number) {
    if (!this.ends[row]) this.ends[row] = this.readRow(row, this.starts[row]!);
  }

  /** The position of the object after the comma at at, if that has arrived. */
  private next(at: number): number {
    at = skipBlanks(this.bytes, at);
    return this.bytes[at] === COMMA ? skipBlanks(this.bytes, at + 1) : at;
  }

  /** How many rows to make room for, by the bytes that the rows so far had and those that are left. */
  private roomFor(read: number, left: number): number {
    if (this.length < firstRoom) return firstRoom;
    return Math.ceil(this.length + Math.max(firstRoom, (1.05 * left * this.length) / read));
  }

  private makeRoom(room: number) {
    const moved = (old: Uint32Array) => {
      const grown = new Uint32Array(room);
      grown.set(old.subarray(0, room));
      return grown;
    };
    this.starts = moved(this.starts);
    this.ends = moved(this.ends);
    for (const c of this.columns) {
      if (c.kind === "text") {
        c.from = moved(c.from);
        c.to = moved(c.to);
        continue;
      }
      const grown = new Float64Array(room);
      if (c.kind === "amount") grown.fill(NaN, c.numbers.length);
      grown.set(c.numbers.subarray(0, room));
      c.numbers = grown;
    }
    this.room = room;
  }

  // Objects have their fields in the same order, so the column after the last one is
  // tried first.
  private readRow(row: number, at: number): number {
    const { bytes, columns } = this;
    let next = 0;
    at = skipBlanks(bytes, at + 1);
    while (bytes[at] === QUOTE) {
      let column: Column | undefined;
      for (let tries = columns.length; tries > 0; tries--, next++) {
        if (next === columns.length) next = 0;
        const { name } = columns[next]!;
        if (bytes[at + 1 + name.length] === QUOTE && isName(bytes, at + 1, name)) {
          column = columns[next++];
          break;
        }
      }
      at = skipBlanks(bytes, (column === undefined ? endOfString(bytes, at + 1) : at + 1 + column.name.length) + 1);
      if (bytes[at] !== COLON) throw new BrokenAnswer();
      at = skipBlanks(bytes, at + 1);
      at = column === undefined ? skipValue(bytes, at) : this.readValue(column, row, at);
      at = skipBlanks(bytes, at);
      if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
    }
    if (bytes[at] !== CLOSE) throw new BrokenAnswer();
    return at + 1;
  }

  private readValue(column: Column, row: number, at: number): number {
    const { bytes } = this;
    const first = bytes[at]!;
    if (first === QUOTE) {
      const end = endOfString(bytes, at + 1);
      if (column.kind === "text") {
        column.from[row] = at + 1;
        column.to[row] = end;
      } else if (column.kind === "word") column.numbers[row] = column.words!.code(bytes, at + 1, end);
      else if (column.kind === "day") column.numbers[row] = dayAt(bytes, at + 1);
      return end + 1;
    }
    if ((first === MINUS || (first >= ZERO && first <= NINE)) && (column.kind === "amount" || column.kind === "whole")) {
      return this.readNumber(column, row, at);
    }
    return skipValue(bytes, at); // null
  }

  // Amounts have at most two decimals, so they are read digit by digit into paise, and sums
  // of them are exact.
  private readNumber(column: Column, row: number, at: number): number {
    const { bytes } = this;
    const start = at;
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    let value = 0,
      decimals = -1;
    for (; ; at++) {
      const c = bytes[at]!;
      if (c >= ZERO && c <= NINE) {
        value = value * 10 + (c - ZERO);
        if (decimals >= 0) decimals++;
      } else if (c === POINT && decimals < 0) decimals = 0;
      else break;
    }
    const c = bytes[at]!;
    if (decimals > 2 || c === 0x65 || c === 0x45) {
      at = skipValue(bytes, start);
      const other = Number(decoder.decode(bytes.subarray(start, at)));
      column.numbers[row] = column.kind === "amount" ? Math.round(other * 100) : other;
      return at;
    }
    if (column.kind === "amount") value *= decimals === 2 ? 1 : decimals === 1 ? 10 : 100;
    column.numbers[row] = negative ? -value : value;
    return at;
  }

  /** Gives a column of words of other rows to these, row by row. Where another column has a word, it takes the place of the first one's. */
  adopt(other: Rows, name: string, closer: string) {
    if (other.length !== this.length) throw new BrokenAnswer();
    const column = other.whole(name);
    const { numbers, words } = other.whole(closer);
    const before = column.words!.list.length;
    column.words!.list.push(...words!.list);
    for (let row = 0; row < this.length; row++) if (numbers[row]) column.numbers[row] = before + numbers[row]!;
    this.byName.set(name, column);
  }

  /** A column in which nothing needs to be read any more. */
  private whole(name: string): Column {
    this.readSome(this.length);
    return this.byName.get(name)!;
  }

  /** A column in which a row has been read. */
  private column(name: string, row: number): Column {
    if (row >= this.done) this.read(row);
    return this.byName.get(name)!;
  }

  /** The numbers of a column: paise, integers, days as yyyymmdd, or codes of words. */
  numbers(name: string): Float64Array {
    return this.whole(name).numbers.subarray(0, this.length);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** The words of a column by their codes. */
  words(name: string): readonly string[] {
    return this.whole(name).words!.list;
  }

  number(name: string, row: number): number {
    return this.column(name, row).numbers[row]!;
  }

  /** A text, a word or a day; blank if there is none. */
  text(name: string, row: number): string {
    const c = this.column(name, row);
    if (c.kind === "text") return c.from[row] === c.to[row] ? "" : stringOf(this.bytes, c.from[row]!, c.to[row]!);
    if (c.kind === "word") return c.words!.list[c.numbers[row]!]!;
    if (c.kind === "day") return isoDay(c.numbers[row]!);
    return String(c.numbers[row]!);
  }

  /** The whole object of a row, with what no column has. */
  object<T>(row: number): T {
    this.read(row);
    return JSON.parse(decoder.decode(this.bytes.subarray(this.starts[row]!, this.ends[row]!))) as T;
  }

  /** Where the JSON string of a text column stands, for searching and sorting. */
  place(name: string): { from: Uint32Array; to: Uint32Array } {
    const c = this.whole(name);
    return { from: c.from, to: c.to };
  }

  kind(name: string): Kind {
    return this.byName.get(name)!.kind;
  }

  /** The sum of a column over rows, in paise; amounts that are missing count as 0. */
  sum(name: string, rows: Uint32Array): number {
    const { numbers } = this.whole(name);
    let sum = 0;
    for (let i = 0; i < rows.length; i++) {
      const n = numbers[rows[i]!]!;
      if (n === n) sum += n;
    }
    return sum;
  }
}

function isName(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

function dayAt(bytes: Uint8Array, at: number): number {
  let day = 0;
  for (let i = 0; i < 10; i++) {
    const c = bytes[at + i]!;
    if (c >= ZERO && c <= NINE) day = day * 10 + (c - ZERO);
  }
  return day;
}

/** YYYY-MM-DD of yyyymmdd; blank for 0. */
export function isoDay(day: number): string {
  if (day === 0) return "";
  const text = String(day);
  return text.slice(0, 4) + "-" + text.slice(4, 6) + "-" + text.slice(6);
}
