// One connection: how its passes go, what each source has brought, and what is done with it.
import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../announce";
import { del, post } from "../../api";
import { Page } from "../../page";
import { Button, PrimaryLink, SecondaryLink } from "../../parts/button";
import { ConfirmButton } from "../../parts/confirm";
import { Sum } from "../../parts/fact";
import { ForAccount } from "../../parts/for-account";
import { NotForRole } from "../../parts/for-role";
import { useForm, Wrong } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Empty, Failed, Loaded, Loading } from "../../parts/states";
import { useResource, type Resource } from "../../resource";
import { Link, navigate, place } from "../../router";
import { account, makesPasses, may } from "../../session";
import { clock, date, moment, rupees, say } from "../../text";
import { TrendOf } from "../history/trend";
import { ConnectionForm } from "./form";
import { ItemsCard } from "./items-card";
import { Kept } from "./kept";
import { NoAutopilot } from "./list";
import { LeftOutMails } from "./left-out";
import { Mails } from "./mails";
import { connectorName, nameOf, State } from "./names";
import { Contributions, Passes } from "./passes";
import { Seen } from "./seen";
import type { Connection, Connectors, Pass, SeenFiles } from "../../views";

const all = "/app/autopilot";

/** /app/autopilot/new is the form of a new connection. */
export function ConnectionScreen({ params }: { params: Record<string, string> }) {
  if (params.id !== "new") return <OneScreen id={params.id!} />;
  return may("owner") ? <NewScreen /> : <NotForRole />;
}

function NewScreen() {
  const connectors = useResource<Connectors>(account.value ? "/app/api/connectors" : null);
  const saved = (c: Connection, left: boolean) => {
    announce(say("Saved. The first pass is at {time}.", { time: clock(c.next_pass_at) }));
    if (!left) navigate(`${all}/${c.id}`, { replace: true });
  };
  return (
    <Page title={say("Connect a shop")} lead={say("Test before you save: it signs in everywhere, and says what does not work.")}>
      <ForAccount>
        {account.value?.has_autopilot ? (
          <Loaded from={connectors}>
            {(known) => <ConnectionForm connectors={known} connection={null} onSaved={saved} onCancel={() => navigate(all)} />}
          </Loaded>
        ) : (
          <NoAutopilot />
        )}
      </ForAccount>
    </Page>
  );
}

function OneScreen({ id }: { id: string }) {
  const path = "/app/api/connections/" + encodeURIComponent(id);
  const here = `${all}/${encodeURIComponent(id)}`;
  const connection = useResource<Connection>(account.value ? path : null);
  const connectors = useResource<Connectors>(account.value ? "/app/api/connectors" : null);
  const edits = may("owner") && place.value.search.has("edit");
  const c = connection.value;
  const known = connectors.value;
  const error = (c ? null : connection.error) ?? connectors.error;
  const again = () => {
    if (!c) void connection.reload();
    if (!known) void connectors.reload();
  };
  // The form takes the place of the page, and gives it back, at the same address.
  const was = useRef(edits);
  useEffect(() => {
    if (was.current !== edits) document.querySelector<HTMLElement>("h1")?.focus();
    was.current = edits;
  }, [edits]);
  const saved = (changed: Connection, left: boolean) => {
    connection.set(changed);
    announce(say("Saved."));
    if (!left) navigate(here, { replace: true });
  };
  return (
    <Page
      title={say("Autopilot connection")}
      heading={c && known ? nameOf(c, known) : say("Autopilot connection")}
      lead={
        c &&
        known &&
        [connectorName(known.shops, c.shop.connector), ...c.sources.map((s) => connectorName(known.sources, s.connector))].join(" · ")
      }
      actions={<SecondaryLink to={all}>{say("All connections")}</SecondaryLink>}>
      <ForAccount>
        {error?.status === 404 ? (
          <NoConnection />
        ) : error ? (
          <Failed message={error.message} onRetry={again} />
        ) : !c || !known ? (
          <Loading />
        ) : edits ? (
          <ConnectionForm key={c.id} connectors={known} connection={c} onSaved={saved} onCancel={() => navigate(here)} />
        ) : (
          <Detail connection={c} resource={connection} connectors={known} path={path} here={here} />
        )}
      </ForAccount>
    </Page>
  );
}

export const NoConnection = () => (
  <Empty title={say("There is no such connection")} action={<SecondaryLink to={all}>{say("All connections")}</SecondaryLink>}>
    <p>{say("It may have been removed, or belong to another account.")}</p>
  </Empty>
);

interface DetailProps {
  connection: Connection;
  resource: Resource<Connection>;
  connectors: Connectors;
  path: string;
  here: string;
}

// While a pass is under way, the page asks every few seconds, and else every minute.
const underwayEvery = 4000;
const usualEvery = 60_000;

function Detail({ connection: c, resource, connectors, path, here }: DetailProps) {
  const passes = useResource<{ passes: Pass[] }>(path + "/passes");
  const list = passes.value?.passes;
  const underway = list?.some((p) => p.outcome === "") ?? false;
  const seen = useResource<SeenFiles>(path + "/seen");
  // A slow answer is not given up for the next one.
  useVisiblePolling(
    () => passes.loading || Promise.all([passes.reload(), resource.reload(), seen.reload()]),
    underway ? underwayEvery : usualEvery,
  );
  const lastGood = list?.find((p) => p.outcome === "stored" || p.outcome === "unchanged");
  return (
    <div class="stack roomy">
      <Status connection={c} resource={resource} underway={underway} path={path} here={here} onAsked={passes.reload} />
      <dl class="run-sums">
        <Sum
          name={say("At risk in the last run")}
          strong={c.amount_risk > 0}
          note={
            c.last_run_id ? (
              <Link to={"/app/history/" + c.last_run_id}>{say("The run of {time}", { time: moment(c.last_run_at) })}</Link>
            ) : (
              say("no run yet")
            )
          }>
          {c.last_run_id ? rupees(c.amount_risk) : "–"}
        </Sum>
        <Sum
          name={say("Became too old unpaid")}
          note={
            lastGood?.open_items ? (
              <Link to={here + "/open-items"}>
                {say("{n} order; later ones are in the open items|{n} orders; later ones are in the open items", { n: c.left.orders })}
              </Link>
            ) : (
              say("{n} order since the shop was connected|{n} orders since the shop was connected", { n: c.left.orders })
            )
          }>
          {rupees(c.left.amount)}
        </Sum>
        <Sum
          name={say("Last checked")}
          class="autopilot-when"
          note={say("Orders of the last {n} day|Orders of the last {n} days", { n: c.window_days })}>
          {moment(c.checked_at) || say("never")}
        </Sum>
      </dl>
      {lastGood && lastGood.leaving.orders > 0 && (
        <Notice
          kind="warn"
          title={say("{n} unpaid order becomes too old tomorrow|{n} unpaid orders become too old tomorrow", {
            n: lastGood.leaving.orders,
          })}>
          <p>
            {say("They are worth {amount}. From then on they are not fetched any more, so claim them from the courier now.", {
              amount: rupees(lastGood.leaving.amount),
            })}
          </p>
        </Notice>
      )}
      {lastGood && <Senders connection={c} connectors={connectors} pass={lastGood} />}
      {lastGood && lastGood.warnings.length > 0 && (
        <Notice kind="warn" title={say("Warnings of the last pass")}>
          <ul class="autopilot-files">
            {lastGood.warnings.map((w, i) => (
              <li key={i}>{w.message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ItemsCard path={path} here={here} written={lastGood?.id} />
      {lastGood && lastGood.sources.length > 0 && <Contributions connection={c} connectors={connectors} pass={lastGood} />}
      {c.sources.some((s) => connectors.sources.find((k) => k.id === s.connector)?.kept) && (
        <Kept connection={c} connectors={connectors} path={path} />
      )}
      <Seen connection={c} connectors={connectors} path={path} files={seen} />
      <Passes list={passes} underway={underway} />
      <TrendOf runs={c.brand ? { brand: c.brand, source: "autopilot" } : { source: "autopilot" }} />
      {may("owner") && <Mails />}
      {may("owner") && <Removal connection={c} connectors={connectors} path={path} />}
    </div>
  );
}

/** What each source says of the senders of its mails. A source that is gone says nothing any more. */
function Senders({ connection: c, connectors, pass }: { connection: Connection; connectors: Connectors; pass: Pass }) {
  return (
    <>
      {pass.sources.map((s) => {
        const at = c.sources.findIndex((known) => known.id === s.source_id);
        if (at < 0 || (!s.refused_from && s.left_out.length === 0)) return null;
        const source = say("{number}. {name}", { number: at + 1, name: connectorName(connectors.sources, c.sources[at]!.connector) });
        return (
          <div key={s.source_id} class="stack">
            {s.refused_from && (
              <Notice kind="warn" title={say("{source}: refused from {date} on", { source, date: date(s.refused_from) })}>
                <p>
                  {say(
                    "Its settings are from an earlier version, in which anybody could pose as your courier. Edit the connection before that day: enter the sender's whole address, or @ and its domain, test, and confirm the id of the mail server.",
                  )}
                </p>
              </Notice>
            )}
            {s.left_out.length > 0 && (
              <Notice
                kind="warn"
                title={say("{source}: {n} mail with reports was left out|{source}: {n} mails with reports were left out", {
                  source,
                  n: s.left_out.length,
                })}>
                <LeftOutMails mails={s.left_out} />
                <p>{say("Test the connection to see who has sent them. Milaan does not store that.")}</p>
              </Notice>
            )}
          </div>
        );
      })}
    </>
  );
}

/** Calls act again and again while the page can be seen, and when it can be seen again. */
function useVisiblePolling(act: () => unknown, every: number) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) void latest.current();
    };
    const timer = setInterval(tick, every);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [every]);
}

interface StatusProps {
  connection: Connection;
  resource: Resource<Connection>;
  underway: boolean;
  path: string;
  here: string;
  onAsked: () => Promise<void>;
}

function Status({ connection: c, resource, underway, path, here, onAsked }: StatusProps) {
  const form = useForm([]);
  const run = async () => {
    await post(path + "/run");
    announce(say("A pass has been asked for. It begins in a few seconds."));
    await onAsked();
  };
  const pause = (paused: boolean) => async () => {
    resource.set(await post<Connection>(path + "/pause", { paused }));
    announce(paused ? say("Paused. No pass is made until you resume.") : say("Passes are made again."));
  };
  const paused = c.state === "paused";
  const refused = c.state === "needs_attention";
  const owns = may("owner");
  return (
    <section class="card stack" aria-label={say("State")}>
      <div class="title-row">
        <p class="autopilot-state">
          <State connection={c} />
          <b>
            {underway
              ? say("A pass is under way.")
              : paused
                ? say("No pass is made until you resume.")
                : refused
                  ? say("No pass is made until this is corrected.")
                  : makesPasses()
                    ? say("The next pass is at {time}.", { time: clock(c.next_pass_at) })
                    : say("No pass is made: see your plan.")}
          </b>
        </p>
        <div class="actions">
          {refused && owns && <PrimaryLink to={here + "?edit"}>{say("Edit")}</PrimaryLink>}
          <Button look={refused ? "secondary" : "primary"} busy={form.busy} disabled={underway} onClick={form.submit(run)}>
            {refused ? say("Try again") : say("Run now")}
          </Button>
          {!refused && owns && <SecondaryLink to={here + "?edit"}>{say("Edit")}</SecondaryLink>}
          {!refused && owns && (
            <Button busy={form.busy} onClick={form.submit(pause(!paused))}>
              {paused ? say("Resume") : say("Pause")}
            </Button>
          )}
        </div>
      </div>
      <Wrong form={form} />
      {c.failure && (
        <Notice
          kind={refused ? "error" : "warn"}
          live={false}
          title={c.failing_since ? say("Passes have failed since {time}", { time: moment(c.failing_since) }) : say("The last pass failed")}>
          <p>{c.failure.message}</p>
          {!refused && !paused && <p>{say("Nothing was compared. The next pass tries again by itself.")}</p>}
        </Notice>
      )}
    </section>
  );
}

function Removal({ connection: c, connectors, path }: { connection: Connection; connectors: Connectors; path: string }) {
  const remove = async () => {
    await del(path, { brand: c.brand });
    announce(say("The connection is removed."));
    navigate(all, { replace: true });
  };
  return (
    <Section title={say("Remove the connection")} class="stack tight">
      <p class="soft prose">
        {say("Its credentials, passes, kept files and open items are deleted at once. Its runs stay in the history.")}
      </p>
      <div class="actions">
        <ConfirmButton
          label={say("Remove…")}
          title={say("Remove {name}?", { name: nameOf(c, connectors) })}
          action={say("Remove the connection")}
          typed={c.brand || undefined}
          onConfirm={remove}>
          <p>{say("No pass is made any more, and what is stored of it is deleted, but for its runs. This cannot be undone.")}</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}
