// Two runs side by side, and what has changed between them.
import { Page } from "../../page";
import { PrimaryLink, SecondaryLink } from "../../parts/button";
import { FlagName } from "../../parts/flag";
import { ForAccount } from "../../parts/for-account";
import { Empty, Loaded } from "../../parts/states";
import { Figure } from "../../parts/table";
import { useResource } from "../../resource";
import { Link, place } from "../../router";
import type { Comparison, Run } from "../../views";
import { count, moment, rupees, say, signedCount, signedRupees } from "../../text";
import { comparison } from "./chosen";
import { flagsOf, RunLabels } from "./run";

export function CompareScreen() {
  return (
    <Page title={say("Compare two runs")} actions={<SecondaryLink to="/app/history">{say("All runs")}</SecondaryLink>}>
      <ForAccount>
        <Compared />
      </ForAccount>
    </Page>
  );
}

const Choose = () => <PrimaryLink to="/app/history">{say("Choose two runs")}</PrimaryLink>;

function Compared() {
  const a = place.value.search.get("a") ?? "";
  const b = place.value.search.get("b") ?? "";
  const path = a && b ? `/app/api/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}` : null;
  const found = useResource<Comparison>(path);
  if (!path) {
    return (
      <Empty title={say("No runs are chosen")} action={<Choose />}>
        <p>{say("Tick two runs in the history.")}</p>
      </Empty>
    );
  }
  if (found.error?.status === 404) {
    return (
      <Empty title={say("One of the runs is not there")} action={<Choose />}>
        <p>{say("It may have been deleted, or belong to another account.")}</p>
      </Empty>
    );
  }
  return (
    <Loaded from={found} what={say("Reading the two runs…")}>
      {(two) => <Sides {...two} />}
    </Loaded>
  );
}

function Sides({ a, b, change }: Comparison) {
  const money = (name: string, field: "due" | "remitted" | "shortfall" | "amount_risk") => ({
    name,
    a: rupees(a[field]),
    b: rupees(b[field]),
    change: signedRupees(change[field]),
  });
  const number = (name: string, field: "orders" | "flagged_count") => ({
    name,
    a: count(a[field]),
    b: count(b[field]),
    change: signedCount(change[field]),
  });
  const rows = [
    money(say("At risk"), "amount_risk"),
    number(say("Flagged orders"), "flagged_count"),
    money(say("Due"), "due"),
    money(say("Remitted"), "remitted"),
    money(say("Shortfall"), "shortfall"),
    number(say("Orders"), "orders"),
  ];
  return (
    <div class="stack">
      {a.brand !== b.brand && <p class="soft">{say("The two runs have different brands.")}</p>}
      <div class="table-scroll">
        <table class="compared">
          <caption class="unseen">{say("The two runs and their difference")}</caption>
          <thead>
            <tr>
              <td />
              <Side run={a} />
              <Side run={b} />
              <th scope="col" class="num">
                {say("Change")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr key={r.name}>
                <th scope="row">{r.name}</th>
                <Figure name={moment(a.run_at)}>{r.a}</Figure>
                <Figure name={moment(b.run_at)}>{r.b}</Figure>
                <Figure name={say("Change")} strong>
                  {r.change}
                </Figure>
              </tr>
            ))}
          </tbody>
          <tbody>
            <tr class="group">
              <th scope="rowgroup" colSpan={4}>
                {say("Orders by flag")}
              </th>
            </tr>
            {flagsOf(a).map((flag) => (
              <tr key={flag}>
                <th scope="row">
                  <FlagName flag={flag} />
                </th>
                <Figure name={moment(a.run_at)}>{count(a.flags[flag] ?? 0)}</Figure>
                <Figure name={moment(b.run_at)}>{count(b.flags[flag] ?? 0)}</Figure>
                <Figure name={say("Change")} strong>
                  {signedCount(change.flags[flag] ?? 0)}
                </Figure>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <SecondaryLink to={comparison(b, a)}>{say("Swap the two runs")}</SecondaryLink>
      </div>
    </div>
  );
}

const Side = ({ run }: { run: Run }) => (
  <th scope="col" class="num compared-side">
    <Link to={"/app/history/" + run.run_id}>{moment(run.run_at)}</Link>
    <span class="soft">
      <RunLabels run={run} />
    </span>
  </th>
);
