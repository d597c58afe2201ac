import { Page } from "../../page";
import { Button, PrimaryLink } from "../../parts/button";
import { Options, Select } from "../../parts/field";
import { Notice } from "../../parts/notice";
import { roleName } from "../../parts/role";
import { Empty, Failed, Loading } from "../../parts/states";
import { Headings } from "../../parts/table";
import { Link, place } from "../../router";
import { reports } from "../../files";
import type { RoleMapping } from "../../views";
import { say } from "../../text";
import { needsColumns, type Report } from "../../places";
import { changeReport } from "../reconcile/inspecting";
import { Keeping } from "./keeping";
import { choose, CollectedOnly, columnChoices, paidFirst, samplesOf } from "./column-choices";

/** Which column of a report has which meaning, for the files at hand. */
export function MappingScreen() {
  const number = Number(place.value.search.get("report") ?? "1");
  const report = reports.value[number - 1];
  if (!report) {
    return (
      <Page title={say("Columns of a report")}>
        <Empty title={say("This report is no longer in this tab")} action={<PrimaryLink to="/app">{say("Choose the files")}</PrimaryLink>}>
          <p>{say("Files stay in the tab in which they were chosen, and are gone when it is closed or reloaded.")}</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={say("Columns of a report")}
      heading={say("Columns of {name}", { name: report.file.name })}
      lead={say("Milaan reads a report by what its columns mean. Look at the first cells, and choose another column where it is wrong.")}
      actions={<PrimaryLink to="/app">{say("Back to the files")}</PrimaryLink>}>
      {reports.value.length > 1 && <Reports number={number} />}
      <Mapping key={report.key} report={report} />
    </Page>
  );
}

function Reports({ number }: { number: number }) {
  return (
    <nav class="report-tabs" aria-label={say("Reports")}>
      <ul>
        {reports.value.map((r, i) => (
          <li key={r.key}>
            <Link to={"/app/mapping?report=" + (i + 1)} aria-current={i + 1 === number ? "page" : undefined}>
              {r.file.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Mapping({ report }: { report: Report }) {
  const { found } = report;
  if (!found && report.reading) return <Loading what={say("Reading {name}…", { name: report.file.name })} />;
  if (!found)
    return <Failed message={report.failure || say("This report has not been read yet.")} onRetry={() => changeReport(report.key, {})} />;
  const mapping = paidFirst(found.mapping ?? [], (m) => m.role);
  const needs = needsColumns(found);
  return (
    <div class="stack" aria-busy={report.reading}>
      {found.fault && !needs && (
        <Notice kind="error" live={false}>
          <p>{found.fault.error}</p>
        </Notice>
      )}
      {needs && (
        <Notice kind="warn" live={false} title={say("Some columns must be chosen before the report can be read.")}>
          <p>{say("A report needs an AWB or an order, an amount, and a day or an amount of the payment.")}</p>
        </Notice>
      )}
      <CollectedOnly report={report} />
      {!found.header?.length ? (
        <Empty title={say("No header was found in this file")}>
          <p>
            {say(
              "Milaan looks for a row with the names of columns in the first rows of each sheet. Check that this is a courier's report.",
            )}
          </p>
        </Empty>
      ) : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={say("Columns")}>
          <table class="mapping-table">
            <caption class="unseen">{say("What the columns mean")}</caption>
            <Headings of={[say("Meaning"), say("Column of the file"), say("First cells"), say("How it was found")]} />
            <tbody>
              {mapping.map((m) => (
                <Role key={m.role} report={report} mapping={m} missing={found.missing?.includes(m.role) ?? false} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(found.header?.length ?? 0) > 0 && <Charges report={report} />}
      <Keeping report={report} />
      {Object.keys(report.columns).length > 0 && (
        <div class="actions">
          <Button onClick={() => changeReport(report.key, { columns: {} })}>{say("Undo my choices")}</Button>
        </div>
      )}
    </div>
  );
}

function Role({ report, mapping, missing }: { report: Report; mapping: RoleMapping; missing: boolean }) {
  const found = report.found!;
  const stated = report.columns[mapping.role] as string | undefined;
  const column = stated ?? mapping.column;
  const samples = samplesOf(found, column).length ? samplesOf(found, column) : (mapping.samples ?? []);
  const id = "role-" + mapping.role;
  return (
    <tr>
      <th scope="row">
        <label for={id}>{roleName(mapping.role)}</label>
      </th>
      <td>
        <Options
          id={id}
          aria-invalid={missing || undefined}
          value={column}
          onValue={(name) => choose(report, mapping.role, name)}
          choices={[
            { value: "", label: stated ? say("As recognised") : say("None") },
            ...columnChoices(found, mapping).map(({ value }) => ({ value, label: value })),
          ]}
        />
      </td>
      <td>
        <ul class="samples">
          {samples.slice(0, 3).map((cell, i) => (
            <li key={i}>{cell}</li>
          ))}
        </ul>
      </td>
      <td>
        <SourceBadge mapping={mapping} missing={missing} />
      </td>
    </tr>
  );
}

/** The columns of what was deducted: as many as there are. */
function Charges({ report }: { report: Report }) {
  const found = report.found!;
  const stated = report.columns.charges as string[] | undefined;
  const charges = stated ?? found.charges ?? [];
  const others = new Set(found.mapping?.map((m) => (report.columns[m.role] as string | undefined) ?? m.column));
  const rest = columnChoices(found, undefined).filter((c) => !charges.includes(c.value) && !others.has(c.value));
  return (
    <section class="card stack tight" aria-labelledby="charges-title">
      <h2 id="charges-title">{roleName("charges")}</h2>
      <p class="soft small">
        {say(
          "Columns of freight, fees and taxes explain why less was paid than collected. They count as paid only where charges are accepted.",
        )}
      </p>
      <ul class="samples">
        {charges.map((name) => (
          <li key={name}>
            {name}{" "}
            <Button
              onClick={() =>
                choose(
                  report,
                  "charges",
                  charges.filter((c) => c !== name),
                )
              }>
              {say("Remove {column}", { column: name })}
            </Button>
          </li>
        ))}
      </ul>
      <Select
        label={say("Add a column")}
        value=""
        onValue={(name) => choose(report, "charges", [...charges, name])}
        choices={[{ value: "", label: charges.length ? say("Choose a column") : say("None") }, ...rest]}
      />
    </section>
  );
}

function SourceBadge({ mapping, missing }: { mapping: RoleMapping; missing: boolean }) {
  if (!mapping.column && (mapping.candidates?.length ?? 0) > 1) return <span class="badge warn">{say("Choose one")}</span>;
  if (missing) return <span class="badge warn">{say("Not found")}</span>;
  switch (mapping.source) {
    case "detected":
      return <span class="badge">{say("Detected")}</span>;
    case "saved":
      return <span class="badge accent">{say("Saved")}</span>;
    case "stated":
      return <span class="badge accent">{say("Chosen by you")}</span>;
  }
  return <span class="soft small">{say("Not found")}</span>;
}
