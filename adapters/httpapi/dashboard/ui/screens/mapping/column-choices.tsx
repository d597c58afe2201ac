import { Select, type Choice } from "../../parts/field";
import { roleName } from "../../parts/role";
import { Notice } from "../../parts/notice";
import { Link } from "../../router";
import type { Report } from "../../places";
import type { InspectedReport, RoleMapping } from "../../views";
import { say } from "../../text";
import { changeReport } from "../reconcile/inspecting";

/** The columns of a report with their first cells. */
export const columnsOf = (found: InspectedReport) =>
  found.columns ?? (found.header ?? []).map((name) => ({ name, samples: [] as string[] }));

/** Chooses the column of a role, or those of charges; blank: as recognised. */
export function choose(report: Report, role: string, column: string | string[]) {
  const { [role]: _, ...columns } = report.columns;
  changeReport(report.key, { columns: column.length ? { ...columns, [role]: column } : columns });
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

/** Asks for the columns without which a report cannot be read, in place. */
export function ColumnChoices({ report, index }: { report: Report; index: number }) {
  const found = report.found!;
  const missing = found.missing ?? [];
  const unsure = (found.mapping ?? []).filter((m) => !m.column && (m.candidates?.length ?? 0) > 1 && !missing.includes(m.role));
  return (
    <div class="needs-columns stack">
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
            missing.length > 1
              ? say("None of these columns was found. Choose one: one is enough.")
              : say("This column was not found. Choose it.")
          }>
          <p>{say("A report needs an AWB or an order, an amount, and a day or an amount of the payment.")}</p>
          {missing.map((role) => (
            <RoleSelect key={role} report={report} role={role} />
          ))}
        </Notice>
      )}
      <p class="small">
        <Link to={"/app/mapping?report=" + (index + 1)}>{say("All columns of this report")}</Link>
      </p>
    </div>
  );
}

function RoleSelect({ report, role }: { report: Report; role: string }) {
  const found = report.found!;
  return (
    <Select
      label={roleName(role)}
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
