// What is typed of a connection until it is saved.
import type { Columns, Connection, Connector, Connectors, Part } from "../../views";

export interface DraftPart {
  connector: string;
  settings: Record<string, string>;
  stored: string[]; // secrets that stay as they are while nothing is typed
}

export interface DraftSource extends DraftPart {
  key: number; // tells the sources on the screen apart
  id: string; // blank: a new one
  pattern: string;
  courier: string;
  columns: Record<string, string>;
}

export interface Draft {
  brand: string;
  shop: DraftPart;
  sources: DraftSource[];
  window: string;
  overdue: string;
  gap: string;
  charges: string; // blank: the account's
  alert: string;
  revision: number; // of the connection that is changed; 0: it is a new one
}

let lastKey = 0;

export const newSource = (connector: string): DraftSource => ({
  key: ++lastKey,
  id: "",
  connector,
  settings: {},
  stored: [],
  pattern: "",
  courier: "",
  columns: {},
});

const partOf = (p: Part): DraftPart => ({ connector: p.connector, settings: p.settings, stored: p.secrets });

export function draftOf(c: Connection | null, connectors: Connectors): Draft {
  if (!c)
    return {
      brand: "",
      shop: { connector: "", settings: {}, stored: [] },
      sources: [],
      window: String(connectors.limits.default_window_days),
      overdue: "",
      gap: "",
      charges: "",
      alert: "",
      revision: 0,
    };
  return {
    brand: c.brand,
    shop: partOf(c.shop),
    sources: c.sources.map((s) => ({
      ...partOf(s),
      key: ++lastKey,
      id: s.id,
      pattern: s.pattern,
      courier: s.courier,
      columns: columnsTyped(s.columns),
    })),
    window: String(c.window_days),
    overdue: written(c.overdue_threshold_days),
    gap: written(c.minor_gap_threshold),
    charges: c.charges,
    alert: c.alert_above ? String(c.alert_above) : "",
    revision: c.revision,
  };
}

const written = (n: number | null) => (n === null ? "" : String(n));
const number = (text: string) => (text.trim() === "" ? null : Number(text));
const filled = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== ""));
const sentPart = (p: DraftPart) => ({ connector: p.connector, settings: filled(p.settings) });

/** The body that states the draft. A field that is left empty is not stated. */
export const bodyOf = (d: Draft, id = "") => ({
  id,
  brand: d.brand.trim(),
  shop: sentPart(d.shop),
  sources: d.sources.map((s) => ({
    ...sentPart(s),
    id: s.id,
    pattern: s.pattern.trim(),
    courier: s.courier,
    columns: columnsSent(filled(s.columns)),
  })),
  window_days: number(d.window),
  overdue_threshold_days: number(d.overdue),
  minor_gap_threshold: number(d.gap),
  charges: d.charges,
  alert_above: number(d.alert) ?? 0,
  revision: d.revision,
});

/** The names of all fields, as the service calls them in its refusals. */
export function fieldsOf(d: Draft, connectors: Connectors): string[] {
  const settings = (known: Connector[], p: DraftPart, at: string) =>
    (known.find((c) => c.id === p.connector)?.settings ?? []).map((s) => `${at}.settings.${s.name}`);
  return [
    "brand",
    "sources",
    "window_days",
    "overdue_threshold_days",
    "minor_gap_threshold",
    "charges",
    "alert_above",
    "shop.connector",
    ...settings(connectors.shops, d.shop, "shop"),
    ...d.sources.flatMap((s, i) => [
      ...["connector", "pattern", "courier", "columns"].map((f) => `sources[${i}].${f}`),
      ...settings(connectors.sources, s, `sources[${i}]`),
    ]),
  ];
}

/** Columns as they are written in fields: those of charges in one text. */
const columnsTyped = (columns: Columns): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([role, names]) => [role, [names].flat().join(", ")]));

/** Columns as they are sent. */
function columnsSent({ charges, ...columns }: Record<string, string>): Columns {
  const names = (charges ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name);
  return names.length ? { ...columns, charges: names } : columns;
}
