// Names of what a run is labelled with.
import { courierName } from "../../session";
import { say } from "../../text";

/** What made a run. A source that is not known is shown as it is. */
export function sourceName(source: string): string {
  switch (source) {
    case "api":
      return say("API");
    case "batch":
      return say("Batch");
    case "dashboard":
      return say("Dashboard");
    case "autopilot":
      return say("Autopilot");
  }
  return source;
}

/** The names of a run's couriers; blank if none was recognised. */
export const couriersOf = (run: { couriers: string[] }) => run.couriers.map(courierName).join(", ");
