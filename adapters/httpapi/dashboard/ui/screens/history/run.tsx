// One stored run: what was counted and summed. Its orders were never stored.
import type { ComponentChildren } from "preact";
import { Page } from "../../page";
import { Button, PrimaryLink, SecondaryLink } from "../../parts/button";
import { Sum } from "../../parts/fact";
import { FlagName, flags } from "../../parts/flag";
import { ForAccount } from "../../parts/for-account";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Empty, Loaded } from "../../parts/states";
import { useResource } from "../../resource";
import { account, me } from "../../session";
import type { Run } from "../../views";
import { count, date, moment, rupees, say } from "../../text";
import { compareWith } from "./chosen";
import { couriersOf, kept, sourceName } from "./names";

export function RunScreen({ params }: { params: Record<string, string> }) {
  const run = useResource<Run>(account.value ? "/app/api/runs/" + encodeURIComponent(params.id!) : null);
  const found = run.value;
  return (
    <Page
      title={found ? say("Run of {time}", { time: moment(found.run_at) }) : say("Run")}
      lead={found && <RunLabels run={found} />}
      actions={<SecondaryLink to="/app/history">{say("All runs")}</SecondaryLink>}>
      <ForAccount>
        {run.error?.status === 404 ? (
          <NoRun />
        ) : (
          <Loaded from={run} what={say("Reading the run…")}>
            {(read) => <Detail run={read} />}
          </Loaded>
        )}
      </ForAccount>
    </Page>
  );
}

const NoRun = () => (
  <Empty title={say("There is no such run")} action={<SecondaryLink to="/app/history">{say("All runs")}</SecondaryLink>}>
    <p>{say("It may belong to another account, or be older than {span} and deleted.", { span: kept() })}</p>
  </Empty>
);

/** The brand, couriers and source of a run in one line. */
export function RunLabels({ run }: { run: Run }) {
  return <>{[run.brand, couriersOf(run), sourceName(run.source)].filter(Boolean).join(" · ")}</>;
}

function Detail({ run }: { run: Run }) {
  const guidance = run.cycle_guidance;
  const rest = run.due - run.remitted - run.shortfall;
  return (
    <div class="stack roomy">
      <dl class="run-sums">
        <Sum name={say("Due")} note={say("{n} order|{n} orders", { n: run.orders })}>
          {rupees(run.due)}
        </Sum>
        <Sum name={say("Remitted")}>{rupees(run.remitted)}</Sum>
        <Sum
          name={say("Shortfall")}
          note={rest > 0.005 && say("besides {amount} of accepted charges, or not due yet", { amount: rupees(rest) })}>
          {rupees(run.shortfall)}
        </Sum>
        <Sum
          name={say("At risk")}
          note={say("{n} flagged order|{n} flagged orders", { n: run.flagged_count })}
          strong={run.flagged_count > 0}>
          {rupees(run.amount_risk)}
        </Sum>
      </dl>
      <Notice title={say("The orders of this run are not kept")}>
        <p>{say("Milaan stores counts and sums, and nothing of your files. To see the orders again, give the same files once more.")}</p>
        <div class="actions">
          <PrimaryLink to={"/app" + (run.brand ? "?brand=" + encodeURIComponent(run.brand) : "")}>
            {say("Give the files again")}
          </PrimaryLink>
          <Button onClick={() => compareWith(run)}>{say("Compare with another run")}</Button>
        </div>
      </Notice>
      <div class="halves">
        <Section title={say("Orders by flag")} class="card stack tight">
          <table class="figures">
            <tbody>
              {flagsOf(run).map((flag) => (
                <tr key={flag} class={run.flags[flag] ? undefined : "soft"}>
                  <th scope="row">
                    <FlagName flag={flag} />
                  </th>
                  <td class="num">{count(run.flags[flag] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
        <Section title={say("About the run")} class="card stack tight">
          <table class="figures">
            <tbody>
              <Fact name={say("Rows of the orders export")}>{count(run.storefront_rows)}</Fact>
              <Fact name={say("Rows of the reports")}>{count(run.courier_rows)}</Fact>
              <Fact name={say("Lines that belong to no order")}>{count(run.unclaimed_lines)}</Fact>
              <Fact name={say("Remitted on these lines")}>{rupees(run.unclaimed_remitted)}</Fact>
              <Fact name={say("Orders are overdue after")}>{say("{n} day|{n} days", { n: run.overdue_threshold_days })}</Fact>
              <Fact name={say("Small differences are up to")}>{rupees(run.minor_gap_threshold)}</Fact>
              {guidance && <Fact name={say("Latest order")}>{date(guidance.batch_as_of) || say("not stated")}</Fact>}
              {guidance && <Fact name={say("Reports reach to")}>{date(guidance.courier_data_through) || say("not stated")}</Fact>}
              {guidance && <Fact name={say("Orders that wait for a later report")}>{count(guidance.awaiting_next_cycle_count)}</Fact>}
            </tbody>
          </table>
        </Section>
      </div>
      <p class="hint">{say("This run is kept until {date}.", { date: date(keptUntil(run)) })}</p>
    </div>
  );
}

/** The flags of a run in the order of the page, and then those that the page does not know. */
export const flagsOf = (run: Run): string[] => [
  ...flags,
  ...Object.keys(run.flags).filter((f) => !(flags as readonly string[]).includes(f)),
];

const keptUntil = (run: Run) => new Date(Date.parse(run.run_at) + me.value!.retention_days * 86_400_000).toISOString();

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <tr>
    <th scope="row">{name}</th>
    <td class="num">{children}</td>
  </tr>
);
