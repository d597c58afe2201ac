// What searches and sorts the rows of an answer. It is made when they are shown, and kept as long as the answer is.
import { flagName } from "../../parts/flag";
import { language } from "../../text";
import type { Findings } from "./findings";
import { Views } from "./views";

const made = new WeakMap<Findings, ReturnType<typeof make>>();

const make = ({ orders, unclaimed, payouts }: Findings) => ({
  language: language.value, // in which a flag is searched for
  orders: new Views(orders, ["order_id", "awb", "status", "courier_status", "utr", "flag_reason", "flag"], { flag: flagName }),
  unclaimed: new Views(unclaimed, ["awb", "order_id", "utr"]),
  payouts: new Views(payouts, ["utr", "courier"]),
});

export function viewsOf(findings: Findings) {
  const before = made.get(findings);
  const views = before?.language === language.value ? before : make(findings);
  made.set(findings, views);
  return views;
}
