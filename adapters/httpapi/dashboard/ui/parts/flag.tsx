import { flags as names } from "../labels";
import { label } from "../text";

/** The flags that the page has a colour for, those that need action first. */
export const flags = [
  "MISSING",
  "SHORT_PAID",
  "OVERDUE",
  "RTO_ANOMALY",
  "MINOR_DIFF",
  "OVERPAID",
  "AWAITING_NEXT_CYCLE",
  "RECONCILED",
] as const;

/** The name of a flag for people. One that is not known here is shown as it is. */
export const flagName = (flag: string) => label(names, flag);

/** The class that gives a flag its colour. */
export const flagClass = (flag: string) => ((flags as readonly string[]).includes(flag) ? "flag-" + flag : "flag-other");

export const FlagName = ({ flag }: { flag: string }) => (
  <span class={"flag-name " + flagClass(flag)}>
    <span class="dot" aria-hidden="true" />
    {flagName(flag)}
  </span>
);
