// What the couriers paid out, held against the reports and the bank statement.
import { useMemo, useState } from "preact/hooks";
import { credits, parts as partNames } from "../../labels";
import { ShowAll } from "../../parts/button";
import { Money } from "../../parts/money";
import { Headings } from "../../parts/table";
import { courierName } from "../../session";
import type { BankCredit, CreditedPayout, LineTotals, ReportTotals } from "../../views";
import { count, date, label, language, rupees, say } from "../../text";
import { amountColumns } from "./columns";
import type { Findings } from "./findings";
import { Grid, useGrid, type GridColumn } from "./grid";
import { narrow } from "./narrow";
import { isoDay } from "./rows";
import { viewsOf } from "./viewed";
import { toggled } from "./views";

export function Payouts({ findings }: { findings: Findings }) {
  const { reports = [], bank } = findings;
  if (reports.length === 0) return null;
  return (
    <section class="payouts stack" aria-labelledby="payouts-title">
      <div class="result-head">
        <h2 id="payouts-title">{say("Payouts")}</h2>
        <p class="soft small">
          {bank
            ? say("Every line of each report is counted once, and every payout is checked against the bank statement.")
            : say("Every line of each report is counted once. Give the bank statement with the files, and each payout is looked up in it.")}
        </p>
      </div>
      <ControlTotals reports={reports} />
      <PayoutGrid findings={findings} />
      {bank?.earlier_payouts && <EarlierPayouts payouts={bank.earlier_payouts} />}
      {bank && bank.other_credits.length > 0 && <OtherCredits credits={bank.other_credits} />}
    </section>
  );
}

const reportName = (r: { report: number; courier?: string; remembered?: boolean }) =>
  r.remembered
    ? say("Ledger: {courier}", { courier: r.courier ? courierName(r.courier) : say("Not known") })
    : r.courier
      ? r.report + ": " + courierName(r.courier)
      : say("Report {report}", { report: String(r.report) });

const signs = { read: "", matched: "= ", unclaimed: "+ ", repeated: "+ ", corrected: "+ ", unidentified: "+ " };
const allParts = (Object.keys(signs) as (keyof typeof signs)[]).map((key) => [key, () => signs[key] + label(partNames, key)] as const);
const none = { lines: 0, remitted: 0 };

const LineSum = ({ sum }: { sum: LineTotals }) => (
  <>
    <Money amount={sum.remitted} />
    <span class="line-count">{say("{n} line|{n} lines", { n: sum.lines })}</span>
  </>
);

/** What was read of each report, and what became of it. */
function ControlTotals({ reports }: { reports: ReportTotals[] }) {
  const parts = allParts.filter(([key]) => key !== "corrected" || reports.some((r) => r.corrected));
  if (narrow.value) {
    return (
      <ul class="total-cards">
        {reports.map((r) => (
          <li key={r.report} class="card">
            <h3>{reportName(r)}</h3>
            <dl class="ledger">
              {parts.map(([key, name]) => (
                <div key={key}>
                  <dt>{name()}</dt>
                  <dd class="num">
                    <LineSum sum={r[key] ?? none} />
                  </dd>
                </div>
              ))}
              {r.charges !== undefined && (
                <div>
                  <dt>{say("Charges")}</dt>
                  <dd class="num">
                    <Money amount={r.charges} />
                  </dd>
                </div>
              )}
              {r.data_through && (
                <div>
                  <dt>{say("Reaches to")}</dt>
                  <dd>{date(r.data_through)}</dd>
                </div>
              )}
            </dl>
          </li>
        ))}
      </ul>
    );
  }
  const charged = reports[0]!.charges !== undefined; // all have them, or none
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={say("What was read of each report")}>
      <table class="control-totals">
        <Headings
          of={[
            say("Report"),
            ...parts.map(([, name]) => ({ name: name(), num: true })),
            ...(charged ? [{ name: say("Charges"), num: true }] : []),
            say("Reaches to"),
          ]}
        />
        <tbody>
          {reports.map((r) => (
            <tr key={r.report}>
              <th scope="row">{reportName(r)}</th>
              {parts.map(([key]) => (
                <td key={key} class={r[key]?.lines ? "num" : "num none"}>
                  <LineSum sum={r[key] ?? none} />
                </td>
              ))}
              {r.charges !== undefined && (
                <td class="num">
                  <Money amount={r.charges} />
                </td>
              )}
              <td>{date(r.data_through)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// What the statement has of a payout, worst first, and why it cannot have it.
const states: [state: string, tone: string, absence?: () => string][] = [
  ["not_in_statement", "bad"],
  ["reversed", "bad"],
  ["credited_other_amount", "warn"],
  ["undated", "", () => say("The report gives no date")],
  ["outside_statement", "", () => say("Its day is outside the statement")],
  ["nothing_paid", "", () => say("Nothing was paid")],
  ["credited", "good"],
];

const stateName = (state: string) => states.find(([s]) => s === state)?.[2]?.() ?? label(credits, state);

function PayoutGrid({ findings }: { findings: Findings }) {
  const { payouts: rows, bank } = findings;
  const grid = useGrid();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const view = useMemo(() => viewsOf(findings).payouts.view("state", chosen, "", grid.sort), [findings, chosen, grid.sort]);
  const columns = useMemo(() => {
    const amount = amountColumns(rows, view);
    const deducted = amount("deducted", say("Deducted"), 10, 6);
    const list: GridColumn[] = [
      {
        name: "utr",
        title: say("UTR"),
        width: 12,
        grows: true,
        cell: (row) => rows.text("utr", row) || <span class="soft">{say("No UTR")}</span>,
        total: say("{n} payout|{n} payouts", { n: view.length }),
        card: 1,
      },
      {
        name: "remitted_on",
        title: say("Paid on"),
        width: 9,
        cell: (row) => date(isoDay(rows.number("remitted_on", row))),
        card: 3,
      },
      {
        name: "report",
        title: say("Report"),
        width: 8,
        cell: (row) => reportName({ report: rows.number("report", row), courier: rows.text("courier", row) }),
        card: bank ? undefined : 4,
      },
      {
        name: "lines",
        title: say("Lines"),
        numeric: true,
        width: 5,
        cell: (row) => count(rows.number("lines", row)),
        total: count(view.reduce((n, row) => n + rows.number("lines", row), 0)),
      },
      amount("collected", say("Collected"), 10, 5),
      {
        ...deducted,
        cell: (row) => deducted.cell(row) || <span class="soft">{say("Unknown")}</span>,
        total: view.some((row) => Number.isNaN(rows.number("deducted", row))) ? say("Unknown") : deducted.total,
      },
      amount("paid", say("Paid"), 10, 2),
    ];
    if (bank) {
      const long = bank.payouts.words("state").some((s) => s === "reversed" || s === "credited_other_amount"); // they have the longest words
      list.push({
        name: "state",
        title: say("Bank statement"),
        width: long ? 42 : 24,
        lines: long ? 3 : 2,
        grows: true,
        cell: (row) => <Credited state={bank.payouts.text("state", row)} payout={bank.payouts.object<CreditedPayout>(row)} />,
        card: 4,
      });
    }
    return list;
  }, [rows, bank, view, narrow.value, language.value]);
  if (rows.length === 0) return <p class="soft">{say("The reports state no payout.")}</p>;
  return (
    <>
      {bank && <States findings={findings} chosen={chosen} onChosen={setChosen} />}
      {view.length > 0 && <Grid label={say("Payouts")} hint={say("Arrow keys move.")} view={view} columns={columns} {...grid} />}
    </>
  );
}

/** What the statement has of a payout. */
function Credited({ state, payout }: { state: string; payout: CreditedPayout }) {
  const { credit, debits = [], received, together = 1 } = payout;
  let more = "";
  if (state === "not_in_statement") more = say("ask the courier");
  else if (state === "reversed" && debits[0])
    more = say("the bank returned the money on {date}: ask the courier to pay it again", { date: date(debits[0].date) });
  else if (credit)
    more =
      state === "credited"
        ? date(credit.date)
        : say("{amount} on {date}", { amount: rupees(received ?? credit.amount), date: date(credit.date) });
  if (together > 1) more += ", " + say("together with {n} other payout|together with {n} other payouts", { n: together - 1 });
  return (
    <>
      <span class={"badge " + (states.find(([s]) => s === state)?.[1] ?? "")}>{stateName(state)}</span>{" "}
      <span class="soft small">{more}</span>
    </>
  );
}

/** How many payouts the statement has, as filters. */
function States({
  findings,
  chosen,
  onChosen,
}: {
  findings: Findings;
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
}) {
  const { bank } = findings;
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const code of bank!.payouts.numbers("state")) {
      const state = bank!.payouts.words("state")[code]!;
      found.set(state, (found.get(state) ?? 0) + 1);
    }
    return found;
  }, [bank]);
  return (
    <div class="stack tight">
      {bank!.from && (
        <p class="soft small">{say("The statement covers {from} to {to}.", { from: date(bank!.from), to: date(bank!.to) })}</p>
      )}
      <ul class="chips no-print">
        {states
          .filter(([s]) => counts.has(s))
          .map(([s]) => (
            <li key={s}>
              <button type="button" class="chip" aria-pressed={chosen.has(s)} onClick={() => onChosen(toggled(chosen, s))}>
                <span class="chip-name">{stateName(s)}</span>
                <span class="chip-count">{count(counts.get(s)!)}</span>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}

const firstCredits = 50;

/** What the statement has of payouts that no report of this run lists: money that comes late, or that the bank returned. */
function EarlierPayouts({ payouts }: { payouts: CreditedPayout[] }) {
  const [all, setAll] = useState(false);
  return (
    <div class="stack tight">
      <h3>{say("Payouts of earlier runs")}</h3>
      <p class="soft small">{say("The statement has money of payouts that only the ledger lists.")}</p>
      <ul class="credits">
        {(all ? payouts : payouts.slice(0, firstCredits)).map((p, i) => (
          <li key={i}>
            <span>{p.utr || date(p.remitted_on)}</span>
            <Money amount={p.paid} />
            <span>
              <Credited state={p.state} payout={p} />
            </span>
          </li>
        ))}
      </ul>
      {!all && payouts.length > firstCredits && (
        <ShowAll onShow={() => setAll(true)}>{say("Show all {n} payout|Show all {n} payouts", { n: payouts.length })}</ShowAll>
      )}
    </div>
  );
}

function OtherCredits({ credits }: { credits: BankCredit[] }) {
  const [all, setAll] = useState(false);
  return (
    <div class="stack tight">
      <h3>{say("Credits of couriers that belong to no payout")}</h3>
      <p class="soft small">
        {say("The statement has money from a courier for which no report was given. Ask for the report, and run again with it.")}
      </p>
      <ul class="credits">
        {(all ? credits : credits.slice(0, firstCredits)).map((c) => (
          <li key={c.line}>
            <span>{date(c.date)}</span>
            <Money amount={c.amount} />
            <span class="credit-from">{c.courier ? courierName(c.courier) : ""}</span>
            <span class="narration soft small">{say("Line {line}: {narration}", { line: String(c.line), narration: c.narration })}</span>
          </li>
        ))}
      </ul>
      {!all && credits.length > firstCredits && (
        <ShowAll onShow={() => setAll(true)}>{say("Show all {n} credit|Show all {n} credits", { n: credits.length })}</ShowAll>
      )}
    </div>
  );
}
