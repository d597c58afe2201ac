// What the shop does about an order, by its flag (the implied actions of the contract).
import { named, say } from "../../text";

/** A sentence for a flag; blank if the flag is not known here. */
export const advice = (flag: string) =>
  named(
    flag,
    {
      MISSING: say("Dispute it at once. Cite the AWB, the order date and the days overdue."),
      SHORT_PAID: say("Dispute the difference. Most couriers pay it within 7 to 14 days."),
      OVERDUE: say("Ask the courier when it will be remitted. The money may come in the next cycle."),
      RTO_ANOMALY: say("Escalate it to the courier's fraud team, and ask for the proof of delivery."),
      MINOR_DIFF: say("Watch it. A difference this small is usually not worth a dispute."),
      OVERPAID: say("Check it with the bank statement. The courier may offset it in a later cycle."),
      AWAITING_NEXT_CYCLE: say("Nothing yet. Run again with the courier's next report."),
      RECONCILED: say("Nothing: it is settled."),
    },
    "",
  );
