import { flags as names } from "../labels";
import { label } from "../text";

/** The flags that the page has a colour for, by the class flag- and its name; those that need action first. */
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

export const FlagName = ({ flag }: { flag: string }) => (
  <span class={"flag-name flag-" + flag}>
    <span class="dot" aria-hidden="true" />
    {flagName(flag)}
  </span>
);
