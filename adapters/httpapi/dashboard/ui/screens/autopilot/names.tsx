// Names and states of connections.
import { say } from "../../text";
import type { Connection, Connector, Connectors, Pass } from "./shapes";

/** The name of a kind of shop or of source. One that is not offered any more has its id. */
export const connectorName = (known: Connector[], id: string) => known.find((c) => c.id === id)?.name ?? id;

/** What a connection is called: its brand, or its shop. */
export const nameOf = (c: Connection, connectors: Connectors) => c.brand || connectorName(connectors.shops, c.shop.connector);

export function State({ connection: c }: { connection: Connection }) {
  if (c.state === "needs_attention") return <span class="badge bad">{say("Needs attention")}</span>;
  if (c.state === "paused") return <span class="badge">{say("Paused")}</span>;
  if (c.failure) return <span class="badge warn">{say("Last pass failed")}</span>;
  return <span class="badge good">{say("Active")}</span>;
}

export function Outcome({ pass: p }: { pass: Pass }) {
  switch (p.outcome) {
    case "":
      return <span class="badge accent">{p.started_at ? say("Under way") : say("Waiting")}</span>;
    case "stored":
      return <span class="badge good">{say("Run stored")}</span>;
    case "unchanged":
      return <span class="badge">{say("Nothing new")}</span>;
    case "failed":
      return <span class="badge bad">{say("Failed")}</span>;
    case "skipped":
      return <span class="badge">{say("Skipped")}</span>;
  }
  return <span class="badge">{p.outcome}</span>;
}
