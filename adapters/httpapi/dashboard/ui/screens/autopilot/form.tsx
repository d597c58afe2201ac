// The form of a connection: its shop, its sources of reports, and how they are compared.
import { useRef, useState } from "preact/hooks";
import { announce } from "../../announce";
import { post, put } from "../../api";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/choices";
import { Field, Select } from "../../parts/field";
import { FormFrame, useForm } from "../../parts/form";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { roleName } from "../../parts/role";
import { Section } from "../../parts/section";
import { me } from "../../session";
import { plainRupees, say } from "../../text";
import { bodyOf, draftOf, fieldsOf, newSource, type Draft, type DraftPart, type DraftSource } from "./draft";
import { Settings } from "./settings";
import type { Connection, Connector, Connectors, ConnectorFailure, Tested, TestedPart } from "../../views";
import { Found } from "./tested";

interface ConnectionFormProps {
  connectors: Connectors;
  /** null: a new one. */
  connection: Connection | null;
  /** left: the form has been left while it was saved. */
  onSaved: (saved: Connection, left: boolean) => void;
  onCancel: () => void;
}

export function ConnectionForm({ connectors, connection, onSaved, onCancel }: ConnectionFormProps) {
  const [draft, setDraft] = useState(() => draftOf(connection, connectors));
  const [found, setFound] = useState<{ shop?: TestedPart; sources: Record<number, TestedPart> }>({ sources: {} });
  const [failing, setFailing] = useState<number | null>(null); // parts; null: not tested since the last change
  const [doing, setDoing] = useState<"test" | "save" | "">("");
  const otherShops = useRef<Record<string, DraftPart>>({}); // what was typed of kinds that are not chosen now
  const form = useForm(fieldsOf(draft, connectors));
  const latest = useRef(draft);
  latest.current = draft;
  const { limits } = connectors;
  const set = (change: Partial<Draft>) => setDraft((d) => ({ ...d, ...change }));

  // What was found of a part is no longer so once the part has changed.
  const setShop = (shop: DraftPart) => {
    set({ shop });
    setFailing(null);
    setFound((f) => ({ sources: f.sources }));
  };
  const setKind = (connector: string) => {
    otherShops.current[draft.shop.connector] = draft.shop;
    setShop(otherShops.current[connector] ?? { connector, settings: {}, stored: [] });
  };
  const setSource = (source: DraftSource) => {
    setFailing(null);
    setDraft((d) => ({ ...d, sources: d.sources.map((s) => (s.key === source.key ? source : s)) }));
    setFound((f) => ({ ...f, sources: Object.fromEntries(Object.entries(f.sources).filter(([key]) => Number(key) !== source.key)) }));
  };

  const add = (connector: string) => {
    const source = newSource(connector);
    setDraft((d) => ({ ...d, sources: [...d.sources, source] }));
    setFailing(null);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[aria-labelledby="${titleOf(source)}"] :is(input, select, textarea)`)?.focus(),
    );
  };

  const test = async (tried: Draft) => {
    setDoing("test");
    setFailing(null);
    const { shop, sources } = await post<Tested>("/app/api/connections/test", bodyOf(tried, connection?.id));
    if (latest.current !== tried) return announce(say("Something was changed meanwhile: test again."));
    setFound({ shop, sources: Object.fromEntries(tried.sources.map((s, i) => [s.key, sources[i]!])) });
    setFailing([shop, ...sources].filter((p) => p.failure || p.files.some((f) => f.failure)).length);
  };
  const save = async () => {
    setDoing("save");
    const body = bodyOf(draft);
    const saved = connection
      ? await put<Connection>("/app/api/connections/" + encodeURIComponent(connection.id), body)
      : await post<Connection>("/app/api/connections", body);
    onSaved(saved, !form.self.current);
  };
  const busy = (what: typeof doing) => form.busy && doing === what;
  // A setting that a test has found out is taken, and tried at once.
  const accept = (e: Draft) => {
    setDraft(e);
    void form.submit(() => test(e))(new Event("submit", { cancelable: true }));
  };
  const taken = ({ setting, value }: NonNullable<ConnectorFailure["accept"]>, settings: Record<string, string>) => ({
    ...settings,
    [setting]: value,
  });

  return (
    <FormFrame
      form={form}
      act={save}
      label={connection ? say("The connection") : say("A new connection")}
      actions={
        <>
          <Button busy={busy("test")} disabled={form.busy} onClick={form.submit(() => test(draft))}>
            {say("Test")}
          </Button>
          <Button type="submit" look="primary" busy={busy("save")} disabled={form.busy}>
            {connection ? say("Save") : say("Save and start")}
          </Button>
          <Button look="plain" disabled={form.busy} onClick={onCancel}>
            {say("Cancel")}
          </Button>
          {busy("test") && (
            <span role="status" class="soft">
              {say("Signing in, and reading the latest files…")}
            </span>
          )}
        </>
      }>
      <Section title={say("1. Your shop")}>
        <Choices
          class="autopilot-kinds"
          name="shop"
          legend={say("Kind of shop")}
          error={form.errors["shop.connector"]}
          value={draft.shop.connector}
          onValue={setKind}
          choices={connectors.shops.map((c) => ({ value: c.id, title: c.name }))}
        />
        {draft.shop.connector && (
          <>
            <Field
              label={say("Brand")}
              hint={say("Your name for this shop. Its runs bear it, so that you find them in the history.")}
              error={form.errors.brand}
              value={draft.brand}
              onValue={(brand) => set({ brand })}
              autocomplete="off"
            />
            <Settings
              connector={kindOf(connectors.shops, draft.shop)}
              part={draft.shop}
              at="shop"
              errors={form.errors}
              onChange={(settings) => setShop({ ...draft.shop, settings })}
            />
          </>
        )}
        <Found
          found={found.shop}
          files={false}
          busy={form.busy}
          onAccept={(a) => accept({ ...draft, shop: { ...draft.shop, settings: taken(a, draft.shop.settings) } })}
        />
      </Section>
      <Section title={say("2. Where reports come from")} class="stack">
        <p class="soft prose">
          {say(
            "Add each place where remittance reports arrive: one for each courier, or one for several. All of them are compared together with the orders.",
          )}
        </p>
        {form.errors.sources && <Notice kind="error">{form.errors.sources}</Notice>}
        {draft.sources.map((s, i) => (
          <Source
            key={s.key}
            source={s}
            number={i + 1}
            connectors={connectors}
            errors={form.errors}
            found={found.sources[s.key]}
            busy={form.busy}
            onChange={setSource}
            onRemove={() => {
              setDraft((d) => ({ ...d, sources: d.sources.filter((other) => other.key !== s.key) }));
              document.getElementById("sources-add")?.querySelector("button")?.focus();
            }}
            onAccept={(a) =>
              accept({ ...draft, sources: draft.sources.map((other) => (other === s ? { ...s, settings: taken(a, s.settings) } : other)) })
            }
          />
        ))}
        {draft.sources.length < limits.sources && (
          <div class="actions" id="sources-add" role="group" aria-label={say("Add a source")}>
            {connectors.sources.map((c) => (
              <Button key={c.id} onClick={() => add(c.id)}>
                <Icon name="plus" />
                {c.name}
              </Button>
            ))}
          </div>
        )}
      </Section>
      <Section title={say("3. How they are compared")}>
        <div class="autopilot-fields">
          <Field
            label={say("Days of orders")}
            hint={say("Orders of the last {min} to {max} days are fetched.", { min: limits.min_window_days, max: limits.max_window_days })}
            error={form.errors.window_days}
            type="number"
            inputMode="numeric"
            min={limits.min_window_days}
            max={limits.max_window_days}
            value={draft.window}
            onValue={(window) => set({ window })}
          />
          <Field
            label={say("Alert above (₹, optional)")}
            hint={say("An e-mail is sent if a run has more at risk. Empty: none.")}
            error={form.errors.alert_above}
            type="number"
            inputMode="decimal"
            min={0}
            step="any"
            value={draft.alert}
            onValue={(alert) => set({ alert })}
          />
        </div>
        <details
          class="folded"
          open={!!(form.errors.overdue_threshold_days || form.errors.minor_gap_threshold || form.errors.charges) || undefined}>
          <summary>{say("Other terms than the account's")}</summary>
          <div class="autopilot-fields">
            <Field
              label={say("Days until an unpaid order is overdue")}
              hint={say("Empty: as the account has it.")}
              error={form.errors.overdue_threshold_days}
              type="number"
              inputMode="numeric"
              min={0}
              value={draft.overdue}
              onValue={(overdue) => set({ overdue })}
            />
            <Field
              label={say("Small differences up to (₹)")}
              hint={say("Empty: {amount}.", { amount: plainRupees(me.value!.defaults.minor_gap) })}
              error={form.errors.minor_gap_threshold}
              type="number"
              inputMode="numeric"
              min={0}
              value={draft.gap}
              onValue={(gap) => set({ gap })}
            />
            <Select
              label={say("Charges that explain what was deducted")}
              error={form.errors.charges}
              value={draft.charges}
              onValue={(charges) => set({ charges })}
              choices={[
                { value: "", label: say("As the account has it") },
                { value: "accept", label: say("They count as paid") },
                { value: "flag", label: say("They do not count as paid") },
              ]}
            />
          </div>
        </details>
      </Section>
      {failing !== null && (
        <Notice kind={failing ? "warn" : "good"} live>
          {failing
            ? say("{n} part does not work yet: see above.|{n} parts do not work yet: see above.", { n: failing })
            : say("Everything works. Save, and passes begin.")}
        </Notice>
      )}
    </FormFrame>
  );
}

const titleOf = (s: DraftSource) => "source-title-" + s.key;
const kindOf = (known: Connector[], part: DraftPart) => known.find((c) => c.id === part.connector);

interface SourceProps {
  source: DraftSource;
  number: number;
  connectors: Connectors;
  errors: Record<string, string>;
  found: TestedPart | undefined;
  busy: boolean;
  onChange: (source: DraftSource) => void;
  onRemove: () => void;
  onAccept: (accepted: NonNullable<ConnectorFailure["accept"]>) => void;
}

function Source({ source: s, number, connectors, errors, found, busy, onChange, onRemove, onAccept }: SourceProps) {
  const kind = kindOf(connectors.sources, s);
  const at = `sources[${number - 1}]`;
  const title = titleOf(s);
  const couriers = [
    { value: "", label: say("As each file's header shows") },
    ...me.value!.couriers.map((c) => ({ value: c.id, label: c.id === "custom" ? say("Another courier") : c.name })),
  ];
  const columnsWrong = errors[at + ".columns"];
  return (
    <section class="card stack" aria-labelledby={title}>
      <div class="title-row">
        <h3 id={title}>{say("{number}. {name}", { number, name: kind?.name ?? s.connector })}</h3>
        <Button look="plain" aria-label={say("Take out source {number}", { number })} onClick={onRemove}>
          {say("Take out")}
        </Button>
      </div>
      {kind?.kept && (
        <p class="soft">
          {say(
            "Once the connection is saved, drop the reports on its page. They are kept encrypted, and deleted after {n} day.|Once the connection is saved, drop the reports on its page. They are kept encrypted, and deleted after {n} days.",
            { n: connectors.limits.kept_days },
          )}
        </p>
      )}
      <Settings connector={kind} part={s} at={at} errors={errors} onChange={(settings) => onChange({ ...s, settings })} />
      {errors[at + ".connector"] && <p class="field-error">{errors[at + ".connector"]}</p>}
      <div class="autopilot-fields">
        <Select
          label={say("Courier")}
          hint={say("Choose one if all reports are of one courier.")}
          error={errors[at + ".courier"]}
          value={s.courier}
          onValue={(courier) => onChange({ ...s, courier })}
          choices={couriers}
        />
        {kind?.files && (
          <Field
            label={say("Pattern of the file names (optional)")}
            hint={say("* stands for anything, as in *remittance*.csv. Empty: every file.")}
            error={errors[at + ".pattern"]}
            value={s.pattern}
            onValue={(pattern) => onChange({ ...s, pattern })}
            autocomplete="off"
            spellcheck={false}
          />
        )}
      </div>
      <details class="folded" open={!!columnsWrong || undefined}>
        <summary>{say("Columns, if a header is not recognised")}</summary>
        <div class="stack">
          <p class="hint">{say("Write a column's name exactly as it stands in the file. What is left empty is recognised by itself.")}</p>
          {columnsWrong && <Notice kind="error">{columnsWrong}</Notice>}
          <div class="autopilot-fields">
            {connectors.roles.map((role) => (
              <Field
                key={role}
                label={roleName(role)}
                hint={role === "charges" ? say("Several names are separated by commas.") : undefined}
                value={s.columns[role] ?? ""}
                onValue={(header) => onChange({ ...s, columns: { ...s.columns, [role]: header } })}
                autocomplete="off"
                spellcheck={false}
              />
            ))}
          </div>
        </div>
      </details>
      <Found found={found} files={!kind?.kept || !!found?.matching} busy={busy} onAccept={onAccept} />
    </section>
  );
}
