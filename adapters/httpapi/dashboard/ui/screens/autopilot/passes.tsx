// The last passes of a connection, and what each source has brought.
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Failed, Loading } from "../../parts/states";
import { Figure, Table } from "../../parts/table";
import type { Resource } from "../../resource";
import { Link } from "../../router";
import { courierName } from "../../session";
import { count, date, moment, rupees, say } from "../../text";
import { Outcome, sourceName } from "./names";
import type { Connection, Connectors, SourceResult, Pass } from "../../views";

export function Passes({ list, underway }: { list: Resource<{ passes: Pass[] }>; underway: boolean }) {
  const passes = list.value?.passes;
  return (
    <Section title={say("Last passes")} class="stack">
      {underway && (
        <Notice>{say("A pass takes a minute or more: new files are looked at twice, so that none is read before it is whole.")}</Notice>
      )}
      {!passes ? (
        list.error ? (
          <Failed message={list.error.message} onRetry={list.reload} />
        ) : (
          <Loading />
        )
      ) : passes.length === 0 ? (
        <p class="soft">{say("No pass has been made yet.")}</p>
      ) : (
        <Table
          caption={say("Passes, the latest first")}
          headings={[
            say("When"),
            say("Outcome"),
            { name: say("Orders"), num: true },
            { name: say("Files"), num: true },
            { name: say("Lines"), num: true },
            say("More"),
          ]}>
          {passes.map((p) => (
            <Row key={p.id} pass={p} />
          ))}
        </Table>
      )}
    </Section>
  );
}

const total = (all: SourceResult[], of: (c: SourceResult) => number) => all.reduce((n, c) => n + of(c), 0);

function Row({ pass: p }: { pass: Pass }) {
  const counted = p.outcome === "stored" || p.outcome === "unchanged";
  return (
    <tr>
      <th scope="row">{moment(p.started_at ?? p.due_at)}</th>
      <td data-label={say("Outcome")}>
        <Outcome pass={p} />
      </td>
      <Figure name={say("Orders")}>{counted ? count(p.orders) : ""}</Figure>
      <Figure name={say("Files")}>{counted ? count(total(p.sources, (s) => s.files)) : ""}</Figure>
      <Figure name={say("Lines")}>{counted ? count(total(p.sources, (s) => s.lines)) : ""}</Figure>
      <td data-label={say("More")} class="cell-text">
        <More pass={p} />
      </td>
    </tr>
  );
}

function More({ pass: p }: { pass: Pass }) {
  return (
    <div class="autopilot-more">
      {p.asked && <span class="soft">{say("asked for by a person")}</span>}
      {p.failure && <span class="field-error">{p.failure.message}</span>}
      {p.outcome === "unchanged" && <span class="soft">{say("the orders and reports of the last run")}</span>}
      {p.outcome === "skipped" && (
        <span class="soft">{say("the plan or subscription has ended, or the connection was paused meanwhile")}</span>
      )}
      {p.run_id && <Link to={"/app/history/" + p.run_id}>{say("The run")}</Link>}
      {p.sources
        .flatMap((s) => s.skipped)
        .map((f) => (
          <span key={f.name} class="soft">
            {say("{file}: left out, {reason}", { file: f.name, reason: f.reason })}
          </span>
        ))}
      {p.left.orders > 0 && (
        <span>
          {say("{n} order of {amount} became too old unpaid|{n} orders of {amount} became too old unpaid", {
            n: p.left.orders,
            amount: rupees(p.left.amount),
          })}
        </span>
      )}
    </div>
  );
}

/** What each source has brought to a pass, and which of them holds the run back. */
export function Contributions({ connection: c, connectors, pass }: { connection: Connection; connectors: Connectors; pass: Pass }) {
  const several = pass.sources.length > 1;
  return (
    <Section title={say("What each source has brought")} class="stack">
      <Table
        caption={say("Sources of the last pass")}
        headings={[
          say("Source"),
          say("Couriers"),
          { name: say("Files"), num: true },
          { name: say("Lines"), num: true },
          say("Reaches to"),
        ]}>
        {pass.sources.map((s) => (
          <tr key={s.source_id}>
            <th scope="row">{sourceName(c, connectors, s.source_id)}</th>
            <td data-label={say("Couriers")}>{s.couriers.map(courierName).join(", ") || <span class="soft">{say("not named")}</span>}</td>
            <Figure name={say("Files")}>{count(s.files)}</Figure>
            <Figure name={say("Lines")}>{count(s.lines)}</Figure>
            <td data-label={say("Reaches to")}>
              <span class="autopilot-state">
                {date(s.through) || say("not stated")}
                {s.behind && several && <span class="badge warn">{say("Most behind")}</span>}
              </span>
            </td>
          </tr>
        ))}
      </Table>
      {several && pass.sources.some((s) => s.behind) && (
        <p class="hint">
          {say(
            "Orders are judged as far as the source that is most behind reaches, so that none is called missing before its report has come.",
          )}
        </p>
      )}
    </Section>
  );
}
