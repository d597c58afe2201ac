// What became of every order of the files at hand, or of the sample.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { getBytes, messageOf } from "../../api";
import { answer, changed } from "../../files";
import { afterPaint, Page } from "../../page";
import { PrimaryLink, SecondaryLink } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Fold } from "../../parts/fold";
import { Money } from "../../parts/money";
import { Notice } from "../../parts/notice";
import { Empty, Failed, Loading } from "../../parts/states";
import { TakeAway } from "../../parts/take-away";
import { Link, place } from "../../router";
import { mayReconcile, signInAddress } from "../../session";
import { date, language, say, rupees } from "../../text";
import { Ageing } from "./ageing";
import { askedOf } from "./asked";
import { readFindings, type Findings } from "./findings";
import { Flags } from "./flags";
import { narrow } from "./narrow";
import { FirstItems, OpenItems } from "./open-items";
import { Orders } from "./orders";
import { Payouts } from "./payouts";
import { Sentence } from "./sentence";
import { Unclaimed } from "./unclaimed";

export function ResultsScreen() {
  if (askedOf(place.value).sample) return <Sample />;
  const findings = answer.value;
  if (findings) return <Results findings={findings} sample={false} />;
  return (
    <Page title={say("Results")}>
      <Empty
        title={say("There are no results in this tab")}
        action={
          <>
            <PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>
            <SecondaryLink to="/app/results?sample">{say("See the sample")}</SecondaryLink>
          </>
        }>
        <p>
          {say(
            "Results stay in the tab in which they were made, and are kept nowhere else. They are gone when you reload or close it. Reconcile the same files to get them again.",
          )}
        </p>
      </Empty>
    </Page>
  );
}

// The sample in a language, as long as the tab is open.
const sample = signal<{ language: string; findings: Findings } | null>(null);

function Sample() {
  const [failure, setFailure] = useState("");
  const [tries, setTries] = useState(0);
  const now = language.value;
  const here = sample.value?.language === now ? sample.value.findings : null;
  useEffect(() => {
    if (here) return;
    const stop = new AbortController();
    setFailure("");
    getBytes("/app/api/sample", stop.signal)
      .then((bytes) => (sample.value = { language: now, findings: readFindings(bytes) }))
      .catch((e) => stop.signal.aborted || setFailure(messageOf(e)));
    return () => stop.abort();
  }, [now, here, tries]);
  if (here) return <Results findings={here} sample />;
  return (
    <Page title={say("Sample results")}>
      {failure ? (
        <Failed message={failure} onRetry={() => setTries(tries + 1)} />
      ) : (
        <Loading what={say("The sample is being reconciled…")} />
      )}
    </Page>
  );
}

function Results({ findings, sample }: { findings: Findings; sample: boolean }) {
  const { summary, cycle_guidance: guidance, warnings = [], guidance_text: advice = [], run_id } = findings;
  // What stands far below is drawn when the orders have been.
  const [drawn, setDrawn] = useState(findings.arriving);
  useEffect(() => afterPaint(() => setDrawn(true)), []);
  const below = drawn && !findings.arriving;
  const lead = say("{n} order, up to {date}|{n} orders, up to {date}", { n: summary.orders, date: date(guidance.batch_as_of) });
  return (
    <Page
      title={sample ? say("Sample results") : say("Results")}
      wide
      lead={lead}
      actions={
        <>
          <Link to="/app" class={sample && mayReconcile.value ? "button primary" : "button secondary"}>
            {sample ? say("Reconcile your own files") : say("Reconcile other files")}
          </Link>
          {!sample && <TakeAway />}
          {!mayReconcile.value && <PrimaryLink to={signInAddress()}>{say("Sign in")}</PrimaryLink>}
        </>
      }>
      <div class="results stack">
        <div class="stack tight">
          {sample && <Notice>{say("These are invented orders and reports. Everything works as with your own files.")}</Notice>}
          {!sample && changed.value && (
            <Notice kind="warn">
              <p>
                {say("The files have been changed since. These results are of the files as they were.")}{" "}
                <Link to="/app">{say("Reconcile them again")}</Link>
              </p>
            </Notice>
          )}
          {findings.duplicate && (
            <Notice title={say("These files were reconciled a moment ago")}>
              <p>{say("The same files were reconciled in the last 30 seconds, so this run was not counted, stored or announced again.")}</p>
            </Notice>
          )}
        </div>
        <div class="stack tight">
          <Sums findings={findings} />
          <Told kind="warn" title={say("{n} warning|{n} warnings", { n: warnings.length })} sentences={warnings.map((w) => w.message)} />
          <Told
            kind="info"
            title={
              guidance.awaiting_next_cycle_count > 0
                ? say("When to run again: {n} order waits|When to run again: {n} orders wait", {
                    n: guidance.awaiting_next_cycle_count,
                  })
                : say("How far the reports reach")
            }
            sentences={advice}
          />
        </div>
        {findings.open_items && <OpenItems findings={findings} sample={sample} />}
        <div class="board">
          {narrow.value && <Flags summary={summary} />}
          <Orders findings={findings} />
          <div class="beside">
            {!narrow.value && <Flags summary={summary} />}
            <Ageing summary={summary} />
          </div>
        </div>
        {below && !sample && !findings.open_items && <FirstItems findings={findings} />}
        {below && <Payouts findings={findings} />}
        {below && <Unclaimed findings={findings} />}
        {run_id && (
          <p class="run-id soft small">
            {say("Run {id}", { id: run_id })} <Copy text={run_id} label={say("Copy the number")} look="plain" />
          </p>
        )}
      </div>
    </Page>
  );
}

/** Sentences that the service tells besides, in one line until they are read. */
function Told({ kind, title, sentences }: { kind: "warn" | "info"; title: string; sentences: string[] }) {
  if (!sentences.length) return null;
  return (
    <Fold kind={kind} title={title} begins={sentences[0]!}>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <Sentence text={sentence} />
        </p>
      ))}
    </Fold>
  );
}

function Sums({ findings: { summary, accepted_charges } }: { findings: Findings }) {
  const waiting = summary.flags.find((f) => f.flag === "AWAITING_NEXT_CYCLE")?.due ?? 0;
  const overpaid = -(summary.flags.find((f) => f.flag === "OVERPAID")?.shortfall ?? 0);
  const sum = (name: string, amount: number, note?: string, risk = "") => (
    <div class={risk}>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
      {note && <dd class="small">{note}</dd>}
    </div>
  );
  return (
    <dl class="sums">
      {sum(say("Due"), summary.due)}
      {sum(say("Remitted"), summary.remitted)}
      {waiting !== 0 && sum(say("Waiting for payout"), waiting)}
      {sum(say("Shortfall"), summary.shortfall, overpaid > 0 ? say("{amount} overpaid is subtracted", { amount: rupees(overpaid) }) : "")}
      {accepted_charges !== undefined && sum(say("Accepted charges"), accepted_charges)}
      {sum(
        say("At risk"),
        summary.amount_risk,
        say("{n} order needs attention|{n} orders need attention", { n: summary.flagged_count }),
        summary.flagged_count > 0 ? "risk" : "",
      )}
    </dl>
  );
}
