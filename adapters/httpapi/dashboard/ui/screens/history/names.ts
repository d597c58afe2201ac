// Names of what a run is labelled with.
import { courierName, me } from "../../session";
import { named, say } from "../../text";

/** What made a run. A source that is not known is shown as it is. */
export const sourceName = (source: string) =>
  named(source, {
    api: say("API"),
    batch: say("Batch"),
    dashboard: say("Dashboard"),
    autopilot: say("Autopilot"),
  });

/** The names of a run's couriers; blank if none was recognised. */
export const couriersOf = (run: { couriers: string[] }) => run.couriers.map(courierName).join(", ");

/** How long runs are kept. Whole years are said as years, with a day for each leap year in them. */
export function kept(): string {
  const n = me.value!.retention_days;
  const years = Math.floor(n / 365);
  return years && n % 365 <= Math.ceil(years / 4) ? say("{n} year|{n} years", { n: years }) : say("{n} day|{n} days", { n });
}
