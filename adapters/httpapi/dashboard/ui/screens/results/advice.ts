// What the shop does about an order, by its flag (the implied actions of the contract).
import { say } from "../../text";

/** Sentences for a flag; none if there is nothing to do, or the flag is not known here. */
export function advice(flag: string): string[] {
  switch (flag) {
    case "MISSING":
      return [say("Dispute it at once. Cite the AWB, the order date and the days overdue.")];
    case "SHORT_PAID":
      return [say("Dispute the difference. Most couriers pay it within 7 to 14 days.")];
    case "OVERDUE":
      return [say("Ask the courier when it will be remitted. The money may come in the next cycle.")];
    case "RTO_ANOMALY":
      return [say("Escalate it to the courier's fraud team, and ask for the proof of delivery.")];
    case "MINOR_DIFF":
      return [say("Watch it. A difference this small is usually not worth a dispute.")];
    case "OVERPAID":
      return [say("Check it with the bank statement. The courier may offset it in a later cycle.")];
    case "AWAITING_NEXT_CYCLE":
      return [say("Nothing yet. Run again with the courier's next report.")];
    case "RECONCILED":
      return [say("Nothing: it is settled.")];
  }
  return [];
}
