// Names and states of connections.
import { connections, passes } from "../../labels";
import { label, say } from "../../text";
import type { Connection, Connector, Connectors, Pass } from "../../views";

/** The name of a kind of shop or of source. One that is not offered any more has its id. */
export const connectorName = (known: Connector[], id: string) => known.find((c) => c.id === id)?.name ?? id;

/** What a connection is called: its brand, or its shop. */
export const nameOf = (c: Connection, connectors: Connectors) => c.brand || connectorName(connectors.shops, c.shop.connector);

/** The name of a report source of a connection, from which it may have been taken out meanwhile. */
export function sourceName(c: Connection, connectors: Connectors, id: string): string {
  const at = c.sources.findIndex((s) => s.id === id);
  return at < 0
    ? say("a source that is gone")
    : say("{number}. {name}", { number: at + 1, name: connectorName(connectors.sources, c.sources[at]!.connector) });
}

const connectionClass = { active: "good", paused: "", needs_attention: "bad", failing: "warn" };

export function State({ connection: c }: { connection: Connection }) {
  const state = c.state === "active" && c.failure ? "failing" : c.state;
  return <span class={"badge " + connectionClass[state]}>{label(connections, state)}</span>;
}

const passClass = { "": "accent", waiting: "accent", stored: "good", unchanged: "", failed: "bad", skipped: "" };

export function Outcome({ pass: p }: { pass: Pass }) {
  const outcome = p.outcome || (p.started_at ? "" : "waiting");
  return <span class={"badge " + passClass[outcome]}>{label(passes, outcome)}</span>;
}
