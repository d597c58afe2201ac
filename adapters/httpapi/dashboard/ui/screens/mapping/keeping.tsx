// The columns that a user has chosen for a report are kept for the next reports with its header.
import { ApiError, post } from "../../api";
import { courierOf, reports } from "../../files";
import { Switch } from "../../parts/choices";
import { Field } from "../../parts/field";
import { needsColumns, type Report } from "../../places";
import { account, courierName } from "../../session";
import { say } from "../../text";
import type { Columns } from "../../views";
import { changeKeeping, idle } from "../reconcile/inspecting";

const isChosen = (r: Report) => Object.keys(r.columns).length > 0;

/** Whether the columns get a name: the courier is not known for whose next reports a run saves them. */
const getsName = (r: Report) => isChosen(r) && ["", "custom"].includes(courierOf(r));

/** The name under which the columns are saved. That of the file is suggested, without its dates and numbers. */
const nameOf = ({ keeping, file }: Report): string =>
  keeping.name ??
  (file.name
    .replace(/\.[^.]*$/, "")
    .replace(/[\d\s_().-]+/g, " ")
    .trim()
    .slice(0, 100) ||
    say("My courier"));

/** The columns by which a report is read, as a mapping is saved. */
function columnsOf({ columns, found }: Report): Columns {
  const all: Columns = {};
  for (const m of found!.mapping ?? []) if (m.column) all[m.role] = m.column;
  return columns.charges ? { ...all, charges: columns.charges } : all;
}

/**
 * Saves the columns that were chosen, before a run of their reports. It throws the refusal of the
 * service, as one of the report: the user says what is to become of the columns, and the run waits.
 */
export async function keepColumns(): Promise<void> {
  if (!account.value?.saves_mappings) return;
  await idle((f) => reports.value.some((r) => r.key === f.key && getsName(r)));
  for (const [i, report] of reports.value.entries()) {
    const { keeping, found } = report;
    if (!getsName(report) || keeping.off || !found?.header_hash || found.fault || needsColumns(found)) continue;
    const name = nameOf(report);
    const replace = keeping.replace || name === keeping.saved;
    try {
      await post("/app/api/named-mappings", { name, header: found.header_hash, columns: columnsOf(report), replace });
      changeKeeping(report, { name, saved: name, taken: "", replace: false });
    } catch (e) {
      if (!(e instanceof ApiError) || e.code === "session") throw e;
      if (e.code === "mapping_exists") changeKeeping(report, { taken: name });
      throw new ApiError(e.status, e.code, e.message, "", "report", i + 1);
    }
  }
}

/** Whether the choices are kept for the next reports, and under which name. */
export function Keeping({ report }: { report: Report }) {
  if (!isChosen(report) || !report.found || needsColumns(report.found)) return null;
  if (!account.value?.saves_mappings)
    return (
      <p class="soft small">
        {say("These columns hold for this run alone. An Enterprise account keeps them for the next reports with the same header.")}
      </p>
    );
  if (!getsName(report))
    return (
      <p class="soft small">
        {say("With the next run, these columns are saved for the next reports of {courier}.", { courier: courierName(courierOf(report)) })}
      </p>
    );
  const { keeping } = report;
  const name = nameOf(report);
  return (
    <div class="stack tight">
      <Switch
        label={say("Keep these columns")}
        hint={say("Reports with the same header are then read by them, without being asked.")}
        on={!keeping.off}
        onValue={(on) => changeKeeping(report, { off: !on })}
      />
      {!keeping.off && (
        <Field
          label={say("Name of these columns")}
          value={name}
          onValue={(name) => changeKeeping(report, { name, replace: false })}
          maxLength={100}
          hint={say("For example the courier’s name. They are saved with the run.")}
        />
      )}
      {!keeping.off && keeping.taken === name && (
        <label class="format">
          <input type="checkbox" checked={keeping.replace} onChange={(e) => changeKeeping(report, { replace: e.currentTarget.checked })} />
          <b>{say("Replace the saved columns “{name}”", { name })}</b>
        </label>
      )}
    </div>
  );
}
