/** A list in the JSON of an answer for a page: a line ends after each object. */
export const inLines = (list: readonly unknown[]) => "[" + list.map((one) => JSON.stringify(one) + "\n").join() + "]";

/** Random values, the same ones in every run. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from 0 to below. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, key: this.below(1 << 30) }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  }
}
