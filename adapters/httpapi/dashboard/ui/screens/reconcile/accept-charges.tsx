import { Switch } from "../../parts/choices";
import { options, reports, setOptions } from "../../files";
import { account } from "../../session";
import { say } from "../../text";

/** Whether charges count as paid; it is asked only if a report states charges. */
export function AcceptCharges() {
  if (!reports.value.some((r) => (r.columns.charges ?? r.found?.charges ?? []).length > 0)) return null;
  return (
    <Switch
      label={say("Accept charges")}
      hint={say("What a courier has deducted counts as paid where the charges that its report states explain it.")}
      on={(options.value.charges || account.value?.charges) === "accept"}
      onValue={(on) => setOptions({ charges: on ? "accept" : "flag" })}
    />
  );
}
