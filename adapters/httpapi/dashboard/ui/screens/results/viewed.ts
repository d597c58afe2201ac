// What searches and sorts the rows of an answer. It is made when they are shown, and kept as long as the answer is.
import type { Findings } from "./findings";
import { Views } from "./views";

const made = new WeakMap<Findings, ReturnType<typeof make>>();

const make = ({ orders, unclaimed, payouts }: Findings) => ({
  orders: new Views(orders, ["order_id", "awb", "status", "courier_status", "utr", "flag_reason"]),
  unclaimed: new Views(unclaimed, ["awb", "order_id", "utr"]),
  payouts: new Views(payouts, ["utr", "courier"]),
});

export function viewsOf(findings: Findings) {
  const views = made.get(findings) ?? make(findings);
  made.set(findings, views);
  return views;
}
