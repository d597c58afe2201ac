import { say } from "../text";

/** The flags that the page has a colour for, those that need action first. */
export const flags = ["MISSING", "SHORT_PAID", "OVERDUE", "RTO_ANOMALY", "MINOR_DIFF", "OVERPAID", "AWAITING_NEXT_CYCLE", "RECONCILED"] as const;

/** The name of a flag for people. One that is not known here is shown as it is. */
export function flagName(flag: string): string {
  switch (flag) {
    case "MISSING": return say("Missing");
    case "SHORT_PAID": return say("Short paid");
    case "OVERDUE": return say("Overdue");
    case "RTO_ANOMALY": return say("Returned, cash kept");
    case "MINOR_DIFF": return say("Small difference");
    case "OVERPAID": return say("Overpaid");
    case "AWAITING_NEXT_CYCLE": return say("Waiting for payout");
    case "RECONCILED": return say("Settled");
  }
  return flag;
}

/** The class that gives a flag its colour. */
export const flagClass = (flag: string) => ((flags as readonly string[]).includes(flag) ? "flag-" + flag : "flag-other");

export const FlagName = ({ flag }: { flag: string }) => (
  <span class={"flag-name " + flagClass(flag)}>
    <span class="dot" aria-hidden="true" />
    {flagName(flag)}
  </span>
);
