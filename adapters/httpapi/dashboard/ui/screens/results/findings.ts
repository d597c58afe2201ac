// The service's answer about the files at hand.
import { BrokenAnswer, eachMember, NEWLINE, Rows, skipValue, type Fields } from "./rows";
import type { Answer, Bank } from "../../views";

const orderFields = {
  awb: "text",
  order_id: "text",
  cod_amount: "amount",
  remitted: "amount",
  shortfall: "amount",
  days_overdue: "whole",
  flag: "word",
  flag_reason: "text",
  status: "word",
  match_mode: "word",
  order_date: "day",
  due_by: "day",
  remitted_on: "day",
  utr: "text",
  courier_status: "word",
  report: "whole",
} as const satisfies Fields;

const lineFields = {
  report: "whole",
  line: "whole",
  awb: "text",
  order_id: "text",
  cod_amount: "amount",
  remitted: "amount",
  remitted_on: "day",
  utr: "text",
} as const satisfies Fields;

const payoutFields = {
  report: "whole",
  courier: "word",
  utr: "text",
  remitted_on: "day",
  lines: "whole",
  collected: "amount",
  deducted: "amount",
  paid: "amount",
} as const satisfies Fields;

const creditFields = { state: "word", absence: "word" } as const satisfies Fields;

/** What an answer has besides rows. */
type Plain = Omit<Answer, "results" | "unclaimed" | "payouts" | "bank">;

/** An answer. What may have tens of thousands of rows is in columns, in the service's order. */
export interface Findings extends Plain {
  orders: Rows;
  unclaimed: Rows;
  /** Where a statement was given, the column state says what it has of a payout, or why it has nothing of it. */
  payouts: Rows;
  bank?: Omit<Bank, "payouts"> & { payouts: Rows };
  /** Whether the sums and the first orders are here, and the rest is on its way. */
  arriving: boolean;
}

const decoder = new TextDecoder();
const opening = '"results":';

const firstOrders = 64; // as many as a screen shows, and more

/** Reads an answer while it arrives: in its first line, what is no row; then an order a line. */
export class Arriving {
  private length = 0;
  private orders: Rows | null = null;
  private first: Findings | null = null;

  /** expected: about how many bytes come. */
  constructor(
    expected: number,
    private buffer = new Uint8Array(expected),
  ) {}

  /** Takes what comes next. It returns the sums and the first orders when they have come, and null before and after. */
  take(bytes: Uint8Array): Findings | null {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) {
      const grown = new Uint8Array(needed * 1.5);
      grown.set(this.buffer.subarray(0, this.length));
      this.buffer = grown;
    }
    this.buffer.set(bytes, this.length);
    this.length = needed;
    const arrived = this.buffer.subarray(0, needed);
    this.orders?.find(arrived);
    return this.first ? null : (this.first = this.begun(arrived));
  }

  private begun(arrived: Uint8Array): Findings | null {
    const line = arrived.indexOf(NEWLINE);
    if (line < 0 || arrived.length < line + opening.length + 2) return null;
    const text = decoder.decode(arrived.subarray(0, line));
    const head = JSON.parse(text.slice(0, text.lastIndexOf(",")) + "}") as Plain;
    this.orders ??= new Rows(arrived, line + 1 + opening.length, orderFields, head.summary.orders);
    this.orders.find(arrived);
    if (this.orders.length < firstOrders) return null;
    return {
      ...head,
      orders: this.orders,
      unclaimed: Rows.empty(lineFields),
      payouts: Rows.empty(payoutFields),
      arriving: true,
    };
  }

  /** What has come, as readFindings says. */
  findings = (): Findings =>
    readFindings(
      this.length < this.buffer.length / 2 ? this.buffer.slice(0, this.length) : this.buffer.subarray(0, this.length),
      this.orders,
    );
}

/** Reads the body of an answer of /app/api/reconcile or /app/api/sample; orders: the first results of it. It throws if that was cut short. */
export function readFindings(bytes: Uint8Array, orders: Rows | null = null): Findings {
  let unclaimed = Rows.empty(lineFields),
    payouts = Rows.empty(payoutFields);
  let bank: Findings["bank"];
  const rest = members(bytes, 0, (name, at) => {
    switch (name) {
      case "results":
        return (orders ??= new Rows(bytes, at, orderFields)).findRest(bytes);
      case "unclaimed":
        return (unclaimed = new Rows(bytes, at, lineFields)).findRest();
      case "payouts":
        return (payouts = new Rows(bytes, at, payoutFields)).findRest();
      case "bank": {
        let credited = Rows.empty(creditFields);
        const { object, end } = members(bytes, at, (part, place) =>
          part === "payouts" ? (credited = new Rows(bytes, place, creditFields)).findRest() : null,
        );
        bank = { ...(object as Omit<Bank, "payouts">), payouts: credited };
        return end;
      }
    }
    return null;
  });
  if (orders === null) throw new BrokenAnswer();
  if (bank) payouts.adopt(bank.payouts, "state", "absence");
  return {
    ...(rest.object as Plain),
    orders,
    unclaimed,
    payouts,
    bank,
    arriving: false,
  };
}

/** The members of the object at at that take does not take; take returns the position after what it takes. */
function members(bytes: Uint8Array, at: number, take: (name: string, at: number) => number | null): { object: unknown; end: number } {
  const object: Record<string, unknown> = {};
  const end = eachMember(bytes, at, (name, place) => {
    const taken = take(name, place);
    if (taken !== null) return taken;
    const after = skipValue(bytes, place);
    object[name] = JSON.parse(decoder.decode(bytes.subarray(place, after)));
    return after;
  });
  return { object, end };
}
