// The list of runs: what was found when, by brand, courier, source and time.
import { useRef } from "preact/hooks";
import { Page } from "../../page";
import { Button, PrimaryLink, SecondaryLink } from "../../parts/button";
import { Field, Select } from "../../parts/field";
import { ForAccount } from "../../parts/for-account";
import { Empty, Loaded } from "../../parts/states";
import { Figure, Table } from "../../parts/table";
import { useResource } from "../../resource";
import { Link, navigate, place } from "../../router";
import { courierName, may } from "../../session";
import type { Run, RunsPage } from "../../views";
import { count, moment, rupees, say } from "../../text";
import { choose, chosen, comparison } from "./chosen";
import { couriersOf, kept, sourceName } from "./names";
import { RunLabels } from "./run";
import { Trend } from "./trend";

const filters = ["brand", "courier", "source", "from", "to"] as const;
type Filter = (typeof filters)[number];

export function HistoryScreen() {
  return (
    <Page
      title={say("History")}
      lead={say("Counts and sums of each run, which are kept for {span}. The orders themselves are never stored.", { span: kept() })}
      wide>
      <ForAccount>
        <Runs />
      </ForAccount>
    </Page>
  );
}

function Runs() {
  const { search } = place.value;
  const asked = new URLSearchParams();
  for (const name of [...filters, "after"]) if (search.get(name)) asked.set(name, search.get(name)!);
  const runs = useResource<RunsPage>("/app/api/runs?" + asked);
  const former = useRef<RunsPage>(undefined);
  former.current = runs.value ?? former.current;
  const narrowed = asked.size > 0;

  if (!narrowed && !runs.value) return <Loaded from={runs} what={say("Reading your runs…")} children={() => null} />;
  if (!narrowed && runs.value?.runs.length === 0) {
    return (
      <Empty title={say("No runs yet")} action={may("accountant") && <PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>}>
        <p>{say("Each reconciliation of your account is listed here.")}</p>
      </Empty>
    );
  }
  return (
    <div class="stack roomy">
      <Filters labels={former.current} />
      <Trend />
      <section class="stack" aria-labelledby="runs-title" aria-busy={runs.loading}>
        <div class="title-row">
          <h2 id="runs-title">{say("Runs")}</h2>
          <Chosen />
        </div>
        <Loaded from={runs} what={say("Reading your runs…")}>
          {(page) => <RunTable runs={page.runs} />}
        </Loaded>
        {runs.value && <Pages next={runs.value.next} first={!asked.has("after")} />}
      </section>
    </div>
  );
}

/** The address of this list with other values in its search; a blank one is left out. */
function withSearch(change: Record<string, string>): string {
  const next = new URLSearchParams(place.value.search);
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return "/app/history" + (next.size ? "?" + next : "");
}

function Filters({ labels }: { labels: RunsPage | undefined }) {
  const { search } = place.value;
  const now = (name: Filter) => search.get(name) ?? "";
  const set = (name: Filter) => (value: string) => navigate(withSearch({ [name]: value, after: "" }));
  const choices = (name: Filter, all: string, values: string[] | undefined, label: (v: string) => string) => {
    const known = (values ?? []).filter((v) => v);
    const chosen = now(name);
    return [
      { value: "", label: all },
      ...(chosen && !known.includes(chosen) ? [chosen, ...known] : known).map((v) => ({ value: v, label: label(v) })),
    ];
  };
  return (
    <form class="filters" role="search" aria-label={say("Filter the runs")} onSubmit={(e) => e.preventDefault()}>
      <Select
        label={say("Brand")}
        value={now("brand")}
        onValue={set("brand")}
        choices={choices("brand", say("All brands"), labels?.brands, (v) => v)}
      />
      <Select
        label={say("Courier")}
        value={now("courier")}
        onValue={set("courier")}
        choices={choices("courier", say("All couriers"), labels?.couriers, courierName)}
      />
      <Select
        label={say("Made by")}
        value={now("source")}
        onValue={set("source")}
        choices={choices("source", say("All sources"), labels?.sources, sourceName)}
      />
      <DayField label={say("From")} value={now("from")} onDay={set("from")} />
      <DayField label={say("To")} value={now("to")} onDay={set("to")} />
      {filters.some(now) && (
        <Button look="plain" onClick={() => navigate("/app/history")}>
          {say("Show all runs")}
        </Button>
      )}
    </form>
  );
}

/** A day. While its parts are being typed, a browser reports days of the year 2 and 20. */
function DayField({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  const settle = (day: string) => {
    if (day !== value && (day === "" || day >= "1900")) onDay(day);
  };
  return <Field label={label} type="date" value={value} onValue={settle} />;
}

function RunTable({ runs }: { runs: Run[] }) {
  if (runs.length === 0) {
    return (
      <Empty
        title={say("No run matches these filters")}
        action={<Button onClick={() => navigate("/app/history")}>{say("Show all runs")}</Button>}
      />
    );
  }
  return (
    <Table
      caption={say("Runs, the latest first")}
      class="runs"
      headings={[
        { name: say("Choose"), unseen: true },
        say("Run"),
        say("Brand"),
        say("Couriers"),
        say("Made by"),
        { name: say("Orders"), num: true },
        { name: say("Flagged"), num: true },
        { name: say("Due"), num: true },
        { name: say("Remitted"), num: true },
        { name: say("Shortfall"), num: true },
        { name: say("At risk"), num: true },
      ]}>
      {runs.map((r) => (
        <RunRow key={r.run_id} run={r} />
      ))}
    </Table>
  );
}

function RunRow({ run }: { run: Run }) {
  const picked = chosen.value.some((c) => c.run_id === run.run_id);
  const none = (text: string) => <span class="soft">{text}</span>;
  return (
    <tr class={picked ? "picked" : undefined}>
      <td class="pick">
        <label>
          <input type="checkbox" checked={picked} onChange={(e) => choose(run, e.currentTarget.checked)} />
          <span class="unseen">{say("Compare the run of {time}", { time: moment(run.run_at) })}</span>
        </label>
      </td>
      <th scope="row">
        <Link to={"/app/history/" + run.run_id}>{moment(run.run_at)}</Link>
        <span class="labels soft">
          <RunLabels run={run} />
        </span>
      </th>
      <td class="label">{run.brand || none(say("none"))}</td>
      <td class="label">{couriersOf(run) || none(say("not named"))}</td>
      <td class="label">{sourceName(run.source)}</td>
      <Figure name={say("Orders")}>{count(run.orders)}</Figure>
      <Figure name={say("Flagged")}>{count(run.flagged_count)}</Figure>
      <Figure name={say("Due")}>{rupees(run.due)}</Figure>
      <Figure name={say("Remitted")}>{rupees(run.remitted)}</Figure>
      <Figure name={say("Shortfall")}>{rupees(run.shortfall)}</Figure>
      <Figure name={say("At risk")} strong>
        {rupees(run.amount_risk)}
      </Figure>
    </tr>
  );
}

function Pages({ next, first }: { next: string | null; first: boolean }) {
  if (first && !next) return null;
  return (
    <nav class="actions" aria-label={say("Pages of runs")}>
      {!first && <SecondaryLink to={withSearch({ after: "" })}>{say("Latest runs")}</SecondaryLink>}
      {next && <SecondaryLink to={withSearch({ after: next })}>{say("Earlier runs")}</SecondaryLink>}
    </nav>
  );
}

/** What is chosen for a comparison: the earlier run with the later one. */
function Chosen() {
  const [one, two] = [...chosen.value].sort((a, b) => a.run_at.localeCompare(b.run_at));
  return (
    <div class="actions chosen">
      <span role="status" class="soft small">
        {!one
          ? say("Tick two runs to compare them.")
          : !two
            ? say("The run of {time} is ticked. Tick one more.", { time: moment(one.run_at) })
            : say("Two runs are ticked.")}
      </span>
      {one && two && <PrimaryLink to={comparison(one, two)}>{say("Compare")}</PrimaryLink>}
      {one && (
        <Button look="plain" onClick={() => (chosen.value = [])}>
          {say("Untick")}
        </Button>
      )}
    </div>
  );
}
