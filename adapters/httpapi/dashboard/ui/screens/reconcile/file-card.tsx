import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Field, Select } from "../../parts/field";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { partLater } from "../../later";
import { Link } from "../../router";
import { courierName, me } from "../../session";
import { isHeaderAlone, needsColumns, stateOf, type Chosen, type Report } from "../../places";
import type { InspectedFile, InspectedLedger, InspectedOrders, InspectedReport, Is, Kind } from "../../views";
import { date, named, say, size } from "../../text";
import { focusFile, ReplaceButton } from "./drop-zone";
import { changeReport, changeSheet, inspect, place, remove, replace } from "./inspecting";
import { failure, faultsOf, lost } from "./run-state";

const kindName = (kind: Kind) =>
  named(
    kind,
    {
      csv: say("CSV file"),
      xlsx: say("Excel workbook"),
      xls: say("Excel 97 workbook"),
      ods: say("OpenDocument spreadsheet"),
      html: say("Table of a web page"),
      xml: say("XML spreadsheet"),
    },
    "",
  );

const isWorkbook = (kind: Kind) => kind === "xlsx" || kind === "xls" || kind === "ods" || kind === "xml";

const ColumnsInPlace = partLater<{ report: Report; index: number }>("ColumnsInPlace");

interface CardProps {
  file: Chosen;
  /** What it was recognised as. */
  as: string;
  /** What a run found wrong with it. */
  problems: string[];
  /** What is settled in place, so that the fault of the inspection needs no words. */
  settles?: boolean;
  /** More facts about it. */
  facts?: string[];
  children?: ComponentChildren;
}

/** A file at hand: what it was recognised as, and what is wrong with it. */
function FileCard({ file, as, problems, settles = false, facts = [], children }: CardProps) {
  const { found, key } = file;
  const wrong = [...problems];
  if (lost.value === key) wrong.push(say("This file was changed, moved or deleted after you chose it. Choose it again."));
  else if (file.failure) wrong.push(file.failure);
  else if (found?.fault && !settles && !wrong.includes(found.fault.error)) wrong.push(found.fault.error);
  return (
    <CardFrame file={file} wrong={wrong.length > 0} replaces>
      {found && !file.reading && as && (
        <p class="file-facts">
          <span class="badge good">{as}</span>
          {[...facts, ...commonFacts(found)].map((f) => (
            <span key={f}>{f}</span>
          ))}
        </p>
      )}
      {wrong.map((text) => (
        <Notice kind="error" key={text}>
          <Fault text={text} file={file} />
          {text === file.failure && file.file.size <= me.value!.limits.body_bytes && <TryAgain file={file} />}
        </Notice>
      ))}
      {!file.reading && children}
      {found && !file.reading && file.place !== "previous" && <Header found={found} file={file} />}
    </CardFrame>
  );
}

/** What is wrong with a file. The name of the file, if that comes first, stays as it is. */
const Fault = ({ text, file }: { text: string; file: Chosen }) => (
  <p class={text.startsWith(file.file.name.slice(0, 15)) ? "as-written" : undefined}>{text}</p>
);

const TryAgain = ({ file }: { file: Chosen }) => (
  <div class="actions">
    <Button onClick={() => inspect(file.key)}>{say("Try again")}</Button>
  </div>
);

interface CardFrameProps {
  file: Chosen;
  wrong: boolean;
  /** Whether another file can be put in its place. */
  replaces?: boolean;
  children: ComponentChildren;
}

/** The name of a file, and what can be done with every file. */
function CardFrame({ file, wrong, replaces = false, children }: CardFrameProps) {
  const { key } = file;
  const { name } = file.file;
  return (
    <section
      role="group"
      class={`file-card ${wrong ? "wrong" : ""}`}
      id={"file-" + key}
      tabIndex={-1}
      aria-label={name}
      aria-busy={file.reading}>
      <div class="file-head">
        <Icon name="file" />
        <div class="file-name">
          <strong>{name}</strong>
          <span class="soft small">{size(file.file.size)}</span>
        </div>
        <div class="actions">
          {replaces && (
            <ReplaceButton
              name={name}
              onFile={(f) => {
                replace(key, f);
                focusFile(key);
              }}
            />
          )}
          <Button
            look="plain"
            aria-label={say("Remove {name}", { name })}
            onClick={() => {
              remove(key);
              document.querySelector<HTMLElement>("h1")?.focus();
            }}>
            {say("Remove")}
          </Button>
        </div>
      </div>
      {file.reading && <Reading sent={file.sent} />}
      {children}
    </section>
  );
}

function Reading({ sent }: { sent: number }) {
  return (
    <div class="reading" role="status">
      <span class="spinner" aria-hidden="true" />
      {sent < 1 ? say("Sending…") : say("Reading…")}
      <progress class="small-progress" value={sent < 1 ? sent : undefined} max={1} aria-label={say("Sending…")} />
    </div>
  );
}

function commonFacts(found: InspectedFile): string[] {
  const facts = [say("{n} row|{n} rows", { n: found.rows })];
  if (found.from && found.to)
    facts.push(found.from === found.to ? date(found.from) : say("{from} to {to}", { from: date(found.from), to: date(found.to) }));
  if (found.kind && found.kind !== "csv") facts.push(kindName(found.kind));
  if (found.sheet) facts.push(say("Sheet “{sheet}”", { sheet: found.sheet }));
  return facts;
}

/** The header that was found, and the choice of another sheet: at once where several sheets have a header, so that none was read. */
function Header({ found, file }: { found: InspectedFile; file: Chosen<InspectedFile> }) {
  const [sheet, setSheet] = useState(file.sheet);
  const header = found.header ?? [];
  const choice = isWorkbook(found.kind) && (
    <form
      class="sheet-form"
      onSubmit={(e) => {
        e.preventDefault();
        changeSheet(file.key, sheet);
      }}>
      <Field
        label={say("Read the sheet with this name")}
        value={sheet}
        onValue={setSheet}
        placeholder={found.sheet}
        hint={say("Blank: the sheet that has a header. Of a report, several names are separated by commas, and * is all sheets.")}
      />
      <Button type="submit">{say("Read this sheet")}</Button>
    </form>
  );
  if (!header.length) return ((found.is || file.sheet) && choice) || null;
  return (
    <details class="header-found">
      <summary>
        {say("Header in line {line}: {n} column|Header in line {line}: {n} columns", {
          line: String(found.header_line),
          n: header.length,
        })}
      </summary>
      <ul class="columns-found" tabIndex={0}>
        {header.map((name, i) => (
          <li key={i}>{name || say("(no name)")}</li>
        ))}
      </ul>
      {choice}
    </details>
  );
}

/** The problems that a run found in a file. */
function problemsIn(file: Exclude<Is, "">, fields: string[], report = 0): string[] {
  const run = failure.value;
  if (!run) return [];
  const faults = faultsOf(fields, report);
  if (run.file === file && (file !== "report" || (run.report || 1) === (report || 1))) return faults.length ? faults : [run.message];
  return faults;
}

export function OrdersCard({ file }: { file: Chosen<InspectedOrders> }) {
  const { found } = file;
  return (
    <FileCard
      file={file}
      as={found && !found.fault ? say("{name} orders export", { name: found.name }) : ""}
      facts={found && !found.fault ? [say("{n} order|{n} orders", { n: found.orders })] : []}
      problems={problemsIn("orders", ["orders", "shopify_csv"])}
    />
  );
}

export function BankCard({ file }: { file: Chosen<InspectedFile> }) {
  return (
    <FileCard
      file={file}
      as={file.found && !file.found.fault ? say("Bank statement") : ""}
      problems={problemsIn("bank", ["bank", "bank_csv"])}
    />
  );
}

export function LedgerCard({ file }: { file: Chosen<InspectedLedger> }) {
  const { found } = file;
  return (
    <FileCard
      file={file}
      as={found && !found.fault ? say("Ledger") : ""}
      facts={
        found && !found.fault
          ? [
              ...(found.brand !== "default" ? [found.brand] : []),
              ...(found.as_of ? [say("up to {date}", { date: date(found.as_of) })] : []),
              say("{n} order|{n} orders", { n: found.orders }),
              say("{n} open", { n: found.open }),
            ]
          : []
      }
      problems={problemsIn("previous", ["previous"])}
    />
  );
}

export function ReportCard({ report, index }: { report: Report; index: number }) {
  const { found } = report;
  const couriers = me.value!.couriers;
  const needs = found !== null && needsColumns(found);
  const recognised = found?.courier ? courierName(found.courier) : "";
  const fields = ["report", "courier_csv", "courierName", "columns", "mapping"];
  const problems = [...problemsIn("report", fields, index + 1), ...(index === 0 ? faultsOf(fields) : [])];
  return (
    <FileCard
      file={report}
      as={!found || found.fault || needs ? "" : recognised ? say("{courier} report", { courier: recognised }) : say("Courier report")}
      problems={[...new Set(problems)]}
      settles={needs}>
      {found && !(found.fault && !found.header?.length) && (
        <div class="report-choices">
          <Select
            label={say("Courier")}
            value={report.courier}
            onValue={(courier) => changeReport(report.key, { courier, mapping: "" })}
            choices={[
              {
                value: "",
                label:
                  recognised && !report.courier
                    ? say("{courier} (recognised)", { courier: recognised })
                    : found.courier
                      ? say("As recognised")
                      : say("Not recognised"),
              },
              ...couriers.map((c) => ({ value: c.id, label: c.name })),
            ]}
            hint={also(found)}
          />
          {!needs && found.mapping && (
            <p class="mapping-link">
              <MappingBadge report={report} />
              <Link to={"/app/mapping?report=" + (index + 1)}>{say("Look at the columns")}</Link>
            </p>
          )}
        </div>
      )}
      {found && !found.fault && isHeaderAlone(found) && (
        <Notice kind="warn">
          <Fault text={headerAlone(report)} file={report} />
        </Notice>
      )}
      {found && (needs || Object.keys(report.columns).length > 0) && <ColumnsInPlace report={report} index={index} />}
    </FileCard>
  );
}

function also(found: InspectedReport): string | undefined {
  const others = (found.also ?? []).filter((id) => id !== found.courier);
  if (!others.length)
    return found.courier || found.saved_name
      ? undefined
      : say("Milaan does not know the courier of this report. That is no problem if the columns are right.");
  return say("Reports of {couriers} have the same header. If this report is theirs, choose that courier.", {
    couriers: new Intl.ListFormat("en-IN", { type: "disjunction" }).format(others.map(courierName)),
  });
}

function MappingBadge({ report }: { report: Report }) {
  if (Object.keys(report.columns).length) return <span class="badge accent">{say("Columns chosen by you")}</span>;
  const name = report.found?.saved_name;
  if (name) return <span class="badge accent">{say("Columns as saved: {name}", { name })}</span>;
  if (report.found?.saved) return <span class="badge accent">{say("Columns as saved")}</span>;
  return <span class="badge">{say("Columns detected")}</span>;
}

const headerAlone = ({ file: { name } }: Chosen) =>
  say("{name} has nothing below its header. If it should have lines, download it again.", { name });

/** A file whose place is not known. */
export function UnsortedCard({ file }: { file: Chosen }) {
  const state = stateOf(file);
  const { found } = file;
  const header = found?.header ?? [];
  const readable = !found || (found.kind !== "" && !isHeaderAlone(found)); // else it is of no use in any place
  const use = (as: Exclude<Is, "">, label: string) => <Button onClick={() => focusFile(place(file.key, as))}>{label}</Button>;
  return (
    <CardFrame file={file} wrong={!file.reading}>
      {state === "taken" && file.takenBy !== "report" && (
        <Notice
          kind="warn"
          title={
            file.takenBy === "orders"
              ? say("This is another orders export. A run can have only one.")
              : file.takenBy === "bank"
                ? say("This is another bank statement. A run can have only one.")
                : say("This is another ledger. A run can have only one: that of the run before.")
          }>
          <div class="actions">{use(file.takenBy as Exclude<Is, "">, say("Use this one"))}</div>
        </Notice>
      )}
      {state === "failed" && (
        <Notice kind="error">
          <p>{file.failure}</p>
          <TryAgain file={file} />
        </Notice>
      )}
      {state === "unknown" && (
        <Notice kind="error" title={readable ? say("Milaan does not recognise this file.") : undefined}>
          {found && isHeaderAlone(found) ? (
            <Fault text={headerAlone(file)} file={file} />
          ) : header.length > 0 ? (
            <p>{say("Its header has these columns: {columns}", { columns: header.join(", ") })}</p>
          ) : (
            found?.fault && <Fault text={found.fault.error} file={file} />
          )}
          {readable && (
            <>
              <p>{say("If you know what it is, say so:")}</p>
              <div class="actions">
                {use("orders", say("Orders export"))}
                {use("report", say("Courier report"))}
                {use("bank", say("Bank statement"))}
              </div>
            </>
          )}
        </Notice>
      )}
    </CardFrame>
  );
}
