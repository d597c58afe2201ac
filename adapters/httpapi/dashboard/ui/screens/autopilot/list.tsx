// The connections of the account: what the autopilot reconciles by itself.
import { Page } from "../../page";
import { PrimaryLink } from "../../parts/button";
import { Fact } from "../../parts/fact";
import { ForAccount } from "../../parts/for-account";
import { Empty, Failed, Loaded, Loading, NotInPlan } from "../../parts/states";
import { useResource } from "../../resource";
import { Link } from "../../router";
import { account, makesPasses, may } from "../../session";
import { clock, moment, rupees, say } from "../../text";
import { Mails } from "./mails";
import { connectorName, nameOf, State } from "./names";
import type { Connection, ConnectionName, Connectors } from "../../views";

const connect = "/app/autopilot/new";

/** Readers of an account may see what is owed, and not how its shops are connected. */
export const AutopilotScreen = () => (may("accountant") ? <ConnectionsScreen /> : <NamesScreen />);

function NamesScreen() {
  const names = useResource<{ connections: ConnectionName[] }>(account.value ? "/app/api/open-items" : null);
  return (
    <Page title={say("Autopilot")} lead={say("What couriers still owe, of each connection whose open items are kept.")}>
      <ForAccount>
        <Loaded from={names}>
          {({ connections }) =>
            connections.length === 0 ? (
              <Empty title={say("Open items are not kept")} />
            ) : (
              <ul class="autopilot-list" aria-label={say("Connections")}>
                {connections.map(({ id, name }) => (
                  <li key={id} class="card">
                    <Link to={`/app/autopilot/${encodeURIComponent(id)}/open-items`}>{say("Open items of {name}", { name })}</Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </ForAccount>
    </Page>
  );
}

function ConnectionsScreen() {
  const included = account.value?.has_autopilot;
  const owns = may("owner");
  return (
    <Page
      title={say("Autopilot")}
      lead={say("Every hour, Milaan fetches the orders of your shop and the reports of your couriers, and compares them.")}
      actions={included && owns && <PrimaryLink to={connect}>{say("Connect a shop")}</PrimaryLink>}>
      <ForAccount>
        <div class="stack roomy">
          {!included && <NoAutopilot />}
          <Connections />
          {included && owns && <Mails />}
        </div>
      </ForAccount>
    </Page>
  );
}

export const NoAutopilot = () => (
  <NotInPlan title={say("The autopilot is part of the Pro and Enterprise plans")}>
    {say(
      "On these plans, Milaan reconciles by itself every hour, and tells you what is missing. Its runs do not count towards your monthly number.",
    )}
  </NotInPlan>
);

function Connections() {
  const list = useResource<{ connections: Connection[] }>("/app/api/connections");
  const connectors = useResource<Connectors>("/app/api/connectors");
  const error = list.error ?? connectors.error;
  const again = () => {
    if (list.error) void list.reload();
    if (connectors.error) void connectors.reload();
  };
  if (error) return <Failed message={error.message} onRetry={again} />;
  if (!list.value || !connectors.value) return <Loading />;
  if (list.value.connections.length === 0) return account.value?.has_autopilot ? <NoneYet limits={connectors.value.limits} /> : null;
  return (
    <ul class="autopilot-list" aria-label={say("Connections")}>
      {list.value.connections.map((c) => (
        <One key={c.id} connection={c} connectors={connectors.value!} />
      ))}
    </ul>
  );
}

const NoneYet = ({ limits }: { limits: Connectors["limits"] }) => (
  <Empty title={say("No shop is connected yet")}>
    <p>
      {say(
        "You need two things: access to your shop, and a place where your couriers' remittance reports arrive, such as a mailbox or a folder on a server. Reports that you download yourself can be dropped here too.",
      )}
    </p>
    <p>
      {say(
        "Of your orders and reports, Milaan keeps counts and sums alone. Files that you drop here are an exception: they are kept encrypted, and deleted after {n} day. Open items are another, if an owner has them kept.|Of your orders and reports, Milaan keeps counts and sums alone. Files that you drop here are an exception: they are kept encrypted, and deleted after {n} days. Open items are another, if an owner has them kept.",
        { n: limits.kept_days },
      )}
    </p>
  </Empty>
);

function One({ connection: c, connectors }: { connection: Connection; connectors: Connectors }) {
  return (
    <li class="card stack tight">
      <div class="title-row">
        <h2>
          <Link to={"/app/autopilot/" + encodeURIComponent(c.id)}>{nameOf(c, connectors)}</Link>
        </h2>
        <State connection={c} />
      </div>
      <p class="soft">
        {[connectorName(connectors.shops, c.shop.connector), ...c.sources.map((s) => connectorName(connectors.sources, s.connector))].join(
          " · ",
        )}
      </p>
      {c.failure && <p class="field-error">{c.failure.message}</p>}
      <dl class="attributes">
        <Fact term={say("At risk in the last run")}>
          <span class="money">{c.last_run_id ? rupees(c.amount_risk) : say("no run yet")}</span>
        </Fact>
        <Fact term={say("Last checked")}>{moment(c.checked_at) || say("never")}</Fact>
        <Fact term={say("Next pass")}>{c.state === "active" && makesPasses() ? clock(c.next_pass_at) : say("none")}</Fact>
      </dl>
    </li>
  );
}
