import type { ComponentChildren } from "preact";
import { Select, type Choice } from "../../parts/field";
import { roleName } from "../../parts/role";
import { Notice } from "../../parts/notice";
import { Link } from "../../router";
import { needsColumns, type Report } from "../../places";
import type { Columns, InspectedReport, RoleMapping } from "../../views";
import { say } from "../../text";
import { changeReport } from "../reconcile/inspecting";
import { Keeping } from "./keeping";

/** The columns of a report with their first cells. */
export const columnsOf = (found: InspectedReport) =>
  found.columns ?? (found.header ?? []).map((name) => ({ name, samples: [] as string[] }));

/** Chooses the column of a role, or those of charges; blank: as recognised. */
export function choose(report: Report, role: string, column: string | string[]) {
  const { [role]: _, ...columns } = chosenOf(report);
  const { key, keeping, found } = report;
  changeReport(key, {
    mapping: "",
    columns: column.length ? { ...columns, [role]: column } : columns,
    keeping: { ...keeping, name: keeping.name ?? (found?.saved_name || null) },
  });
}

/** The columns that the user chose. Of a saved mapping all are chosen, for the others would be looked for again. */
function chosenOf({ columns, found }: Report): Columns {
  if (!found?.saved || Object.keys(columns).length) return columns;
  return Object.fromEntries((found.mapping ?? []).filter((m) => m.column).map((m) => [m.role, m.column]));
}

/** The first cells of a column. */
export const samplesOf = (found: InspectedReport, column: string): string[] =>
  columnsOf(found).find((c) => c.name === column)?.samples ?? [];

/** The choices of a column, with its first cells. Those among which it could not be decided come first. */
export function columnChoices(found: InspectedReport, role: RoleMapping | undefined): Choice[] {
  const candidates = role?.candidates ?? [];
  const rank = (name: string) => (candidates.includes(name) ? 0 : 1);
  return columnsOf(found)
    .filter((c) => c.name)
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map((c) => ({
      value: c.name,
      label: c.samples?.length ? say("{column}: {cells}", { column: c.name, cells: c.samples.map(short).join(", ") }) : c.name,
    }));
}

const short = (cell: string) => (cell.length > 18 ? cell.slice(0, 17) + "…" : cell);

/** What is asked and said about the columns of a report beside the file. */
export const ColumnsInPlace = ({ report, index }: { report: Report; index: number }) => (
  <>
    <AskForPaid report={report} />
    {!needsColumns(report.found!) && !hasColumn(report, day) && (
      <RoleSelect
        report={report}
        role={day}
        hint={say("Without it, nobody knows how far the report reaches, and no order is called missing because of it.")}
      />
    )}
    <Keeping report={report} />
    {needsColumns(report.found!) && <ColumnChoices report={report} index={index} />}
  </>
);

/** Asks for the columns without which a report cannot be read, in place. */
function ColumnChoices({ report, index }: { report: Report; index: number }) {
  const found = report.found!;
  const missing = paidFirst(found.missing ?? [], (role) => role);
  const unsure = (found.mapping ?? []).filter((m) => !m.column && (m.candidates?.length ?? 0) > 1 && !missing.includes(m.role));
  return (
    <div class="needs-columns stack">
      {(found.saved_names?.length ?? 0) > 0 && (
        <Notice kind="warn" live={false} title={say("Several saved mappings have this header. Choose the right one.")}>
          <SavedSelect report={report} />
        </Notice>
      )}
      {unsure.length > 0 && (
        <Notice kind="warn" live={false} title={say("More than one column fits. Choose the right one.")}>
          {unsure.map((m) => (
            <RoleSelect key={m.role} report={report} role={m.role} />
          ))}
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice
          kind="warn"
          live={false}
          title={
            missing.includes(paid)
              ? say("No amount was found. Choose the one that was paid to you, if the report states it.")
              : missing.length > 1
                ? say("None of these columns was found. Choose one: one is enough.")
                : say("This column was not found. Choose it.")
          }>
          <p>{say("A report needs an AWB or an order, an amount, and a day or an amount of the payment.")}</p>
          {missing.map((role) => (
            <RoleSelect key={role} report={report} role={role} hint={role === collected ? collectedOnly() : undefined} />
          ))}
        </Notice>
      )}
      <p class="small">
        <Link to={"/app/mapping?report=" + (index + 1)}>{say("All columns of this report")}</Link>
      </p>
    </div>
  );
}

const collected = "cod_amount";
const paid = "remitted_amount";
const day = "remittance_date";

const hasColumn = ({ columns, found }: Report, role: string) => columns[role] || found?.mapping?.find((m) => m.role === role)?.column;

/** Chooses one of the saved mappings with the report's header. */
function SavedSelect({ report }: { report: Report }) {
  const names = report.found!.saved_names ?? [];
  const all = report.mapping && !names.includes(report.mapping) ? [report.mapping, ...names] : names;
  return (
    <Select
      label={say("Saved mapping")}
      value={report.mapping}
      onValue={(mapping) => changeReport(report.key, { mapping, courier: "", columns: {} })}
      choices={[{ value: "", label: say("Choose a mapping") }, ...all.map((name) => ({ value: name, label: name }))]}
    />
  );
}

/** Sorts what has roles: the amount that was paid comes before the one that was collected. */
export function paidFirst<T>(all: readonly T[], roleOf: (one: T) => string): T[] {
  const rest = all.filter((one) => roleOf(one) !== paid);
  const at = rest.findIndex((one) => roleOf(one) === collected);
  return at < 0 || rest.length === all.length
    ? [...all]
    : [...rest.slice(0, at), ...all.filter((one) => roleOf(one) === paid), ...rest.slice(at)];
}

/** What it means to choose only what was collected. */
const collectedOnly = () =>
  say(
    "If you choose only this amount, a parcel counts as paid in full when it has a payment date, and a payout that was short is not seen.",
  );

/** Says so if the user has chosen what was collected, and no column says what was paid. */
export function CollectedOnly({ report, children }: { report: Report; children?: ComponentChildren }) {
  if (!report.columns[collected] || hasColumn(report, paid)) return null;
  return (
    <Notice kind="warn" live={false} title={say("Only what was collected is chosen.")}>
      <p>{collectedOnly()}</p>
      {children}
    </Notice>
  );
}

/** Asks for the amount that was paid, if the user has chosen only what was collected. */
const AskForPaid = ({ report }: { report: Report }) => (
  <CollectedOnly report={report}>
    <RoleSelect report={report} role={paid} />
  </CollectedOnly>
);

function RoleSelect({ report, role, hint }: { report: Report; role: string; hint?: string }) {
  const found = report.found!;
  return (
    <Select
      label={roleName(role)}
      hint={hint}
      value={(report.columns[role] ?? "") as string}
      onValue={(column) => choose(report, role, column)}
      choices={[
        { value: "", label: say("Choose a column") },
        ...columnChoices(
          found,
          found.mapping?.find((m) => m.role === role),
        ),
      ]}
    />
  );
}
