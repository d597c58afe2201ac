// What is still owed of this run and the ones before, by the ledger that was given; without one, of this run alone.
import { useMemo, useState } from "preact/hooks";
import { announce } from "../../announce";
import { itemKey, marks, unsavedMarks, type Mark } from "../../files";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Field, Select } from "../../parts/field";
import { FlagName } from "../../parts/flag";
import { Money } from "../../parts/money";
import { Notice } from "../../parts/notice";
import { TakeAwayDialog } from "../../parts/take-away";
import { courierName } from "../../session";
import { date, language, rupees, say } from "../../text";
import type { ItemSum, Movement, Movements as Sums, OpenItem } from "../../views";
import { Grid, type Active, type GridColumn } from "./grid";
import type { Findings } from "./findings";
import { marked, openItemsOf, sentencesOf, viewOf, type Shown } from "./items";
import { narrow } from "./narrow";
import { PrintedItems } from "./printed";
import { nextSort, type Sort } from "./views";

const stateNames: Record<NonNullable<OpenItem["state"]>, () => string> = {
  disputed: () => say("Disputed"),
  promised: () => say("Promised"),
  refused: () => say("Refused"),
  "written off": () => say("Written off"),
};
const stateName = ({ state, promise_passed, promised_until }: OpenItem) =>
  promise_passed
    ? say("Promised until {date}, which has passed", { date: date(promised_until) })
    : state === "promised" && promised_until
      ? say("Promised until {date}", { date: date(promised_until) })
      : state
        ? stateNames[state]()
        : "";

const changeNames: Record<NonNullable<OpenItem["change"]>, () => string> = {
  new: () => say("New"),
  reopened: () => say("Reopened"),
  changed: () => say("Changed"),
  partly_paid: () => say("Partly paid"),
  cleared: () => say("Cleared"),
  ceased: () => say("Nothing is claimed any more"),
  written_off: () => say("Written off"),
  recovered: () => say("Recovered"),
};
const changeName = ({ change, cleared_on }: OpenItem) =>
  !change ? "" : cleared_on ? say("{change} on {date}", { change: changeNames[change](), date: date(cleared_on) }) : changeNames[change]();

/** The mark of an item, as a form begins with it. */
const markOf = ({ state, raised_on = "", promised_until = "", note = "" }: OpenItem): Mark => ({
  state: state ?? "",
  raised_on,
  promised_until,
  note,
});

function mark(items: readonly OpenItem[], as: (item: OpenItem) => Mark) {
  const next = new Map(marks.value);
  for (const item of items) next.set(itemKey(item), as(item));
  marks.value = next;
  unsavedMarks.value = true;
  announce(say("{n} order is marked.|{n} orders are marked.", { n: items.length }));
}

/** Today in India. */
const today = () => new Date(Date.now() + 330 * 60_000).toISOString().slice(0, 10);

/** The open items of a run without a ledger, once somebody asks for them. */
export function FirstItems({ findings }: { findings: Findings }) {
  const [wanted, setWanted] = useState(marks.value.size > 0);
  const { flags } = findings.summary;
  if (flags.every((f) => f.flag === "RECONCILED" || f.orders === 0)) return null;
  if (wanted) return <OpenItems findings={findings} sample={false} />;
  return (
    <section class="open-items card stack no-print" aria-labelledby="open-items-title">
      <h2 id="open-items-title">{say("Open items")}</h2>
      <p class="reading">
        {say(
          "Mark what you have raised with a courier, what it has promised and what you write off. The workbook that you download is the ledger of the next run: it remembers the marks and what is still owed.",
        )}
      </p>
      <div class="actions">
        <Button onClick={() => setWanted(true)}>{say("Mark orders")}</Button>
      </div>
    </section>
  );
}

const ages = ["7", "30", "60", "90"];

export function OpenItems({ findings, sample }: { findings: Findings; sample: boolean }) {
  const found = openItemsOf(findings);
  const { movements } = found;
  const asOf = findings.cycle_guidance.batch_as_of;
  const noted = marks.value;
  const items = useMemo(() => found.items.map((item) => marked(item, noted)), [found.items, noted]);
  const [marking, setMarking] = useState<readonly OpenItem[] | null>(null);
  const [disputing, setDisputing] = useState<readonly OpenItem[] | null>(null);
  const [disputed, setDisputed] = useState<readonly OpenItem[]>([]);
  const [shown, setShown] = useState<Shown>({ courier: "", state: "", change: "", age: "", search: "" });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [sort, setSort] = useState<Sort | null>(null);
  const [active, setActive] = useState<Active>({ at: 0, column: 0 });
  const view = useMemo(() => viewOf(items, shown, sort, asOf), [items, shown, sort]);
  const toggle = (row: number) => {
    const next = new Set(chosen);
    const key = itemKey(items[row]!);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  const columns = useMemo((): GridColumn[] => {
    const column = (
      name: keyof OpenItem | "chosen",
      title: string,
      width: number,
      cell: GridColumn["cell"],
      more: Partial<GridColumn> = {},
    ) => ({
      name,
      title,
      width,
      cell,
      ...more,
    });
    const text = (name: "order_id" | "awb" | "note") => (row: number) => items[row]![name] ?? "";
    const day = (name: "order_date" | "due_by" | "since" | "raised_on") => (row: number) => date(items[row]![name] ?? "");
    const amount = (name: "cod_amount" | "remitted" | "shortfall", title: string, card: number) =>
      column(name, title, 8, (row) => <Money amount={items[row]![name]} />, {
        numeric: true,
        card,
        labelled: card > 2,
        total: rupees(view.reduce((sum, row) => sum + Math.round(items[row]![name] * 100), 0) / 100),
      });
    return [
      column("order_id", say("Order"), 8, text("order_id"), {
        grows: true,
        card: 1,
        total: say("{n} order|{n} orders", { n: view.length }),
      }),
      ...(sample
        ? []
        : [
            column(
              "chosen",
              say("Chosen"),
              6,
              (row) => (
                <input
                  type="checkbox"
                  tabIndex={-1}
                  aria-label={say("Choose order {name}", { name: items[row]!.order_id })}
                  checked={chosen.has(itemKey(items[row]!))}
                  onClick={(e) => e.stopPropagation()}
                  onChange={() => toggle(row)}
                />
              ),
              { card: 7, labelled: true, unsorted: true },
            ),
          ]),
      column("flag", say("Flag"), 11, (row) => <FlagName flag={items[row]!.flag} />, { card: 3 }),
      amount("shortfall", say("Shortfall"), 2),
      column("since", say("Since"), 8, day("since"), { card: 4, labelled: true }),
      column("change", say("Since the run before"), 12, (row) => changeName(items[row]!), { grows: true, card: 5 }),
      column("state", say("State"), 11, (row) => stateName(items[row]!), { grows: true, card: 6 }),
      column("raised_on", say("Raised on"), 8, day("raised_on")),
      column("note", say("Note"), 10, text("note"), { grows: true }),
      column("courier", say("Courier"), 9, (row) => (items[row]!.courier ? courierName(items[row]!.courier!) : ""), { grows: true }),
      column("awb", say("AWB"), 11, text("awb"), { grows: true }),
      amount("cod_amount", say("Due"), 7),
      amount("remitted", say("Remitted"), 8),
      column("order_date", say("Ordered"), 8, day("order_date")),
      column("due_by", say("Due by"), 8, day("due_by")),
    ];
  }, [items, view, chosen, narrow.value, language.value]);
  const choose = (name: keyof Shown) => (value: string) => setShown({ ...shown, [name]: value });
  const shownItems = useMemo(() => Array.from(view, (row) => items[row]!), [items, view]);
  const picked = shownItems.filter((item) => chosen.has(itemKey(item)));
  const listed = picked.length ? picked : shownItems;
  const claims = listed.filter((item) => item.dispute && item.state !== "written off");
  const couriers = [...new Set(items.map((i) => i.courier ?? "none"))].sort();
  const all = movements.all;
  return (
    <section class="open-items card stack" aria-labelledby="open-items-title">
      <div class="result-head">
        <h2 id="open-items-title">{say("Open items")}</h2>
        <p>
          {findings.open_items
            ? say("{before} open before, {cleared} cleared, {new} new, {now} open now: {amount}", {
                before: all.before.orders,
                cleared: all.cleared.orders,
                new: all.new.orders,
                now: all.now.orders,
                amount: rupees(all.now.amount),
              })
            : say("{now} open now: {amount}", { now: all.now.orders, amount: rupees(all.now.amount) })}
          {all.recovered.orders > 0 && " " + say("{amount} that was written off is recovered.", { amount: rupees(all.recovered.amount) })}
          {all.promises.orders > 0 && " " + say("{n} promise has passed.|{n} promises have passed.", { n: all.promises.orders })}
        </p>
      </div>
      {findings.open_items && <Movements of={movements} />}
      <div class="tools no-print">
        <Field
          label={say("Search open items")}
          class="search"
          type="search"
          value={shown.search}
          onValue={choose("search")}
          placeholder={say("Order, AWB, UTR or note")}
          autocomplete="off"
          spellcheck={false}
        />
        {couriers.length > 1 && (
          <Select
            label={say("Courier")}
            value={shown.courier}
            onValue={choose("courier")}
            choices={[
              { value: "", label: say("All couriers") },
              ...couriers.map((id) => ({ value: id, label: id === "none" ? say("Not known") : courierName(id) })),
            ]}
          />
        )}
        <Select
          label={say("State")}
          value={shown.state}
          onValue={choose("state")}
          choices={[
            { value: "", label: say("All states") },
            { value: "none", label: say("Without a state") },
            ...Object.entries(stateNames).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
        <Select
          label={say("Since the run before")}
          value={shown.change}
          onValue={choose("change")}
          choices={[
            { value: "", label: say("All of them") },
            { value: "open", label: say("Open now") },
            ...Object.entries(changeNames).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
        <Select
          label={say("Due for")}
          value={shown.age}
          onValue={choose("age")}
          choices={[
            { value: "", label: say("Any time") },
            ...ages.map((days) => ({ value: days, label: say("More than {n} days", { n: Number(days) }) })),
          ]}
        />
        <p role="status" class="soft small">
          {say("{shown} of {n} order|{shown} of {n} orders", { shown: view.length, n: items.length })}
          {picked.length > 0 && " · " + say("{n} chosen|{n} chosen", { n: picked.length })}
        </p>
      </div>
      {view.length > 0 ? (
        <Grid
          label={say("Open items")}
          hint={sample ? say("Arrow keys move.") : say("Arrow keys move, Enter marks an order, Space chooses it.")}
          view={view}
          columns={columns}
          sort={sort}
          onSort={(by) => setSort(nextSort(sort, by))}
          active={active}
          onActive={setActive}
          onOpen={sample ? undefined : (at) => setMarking([items[view[at]!]!])}
          onChoose={sample ? undefined : (at) => toggle(view[at]!)}
        />
      ) : (
        <p class="nothing">{items.length ? say("No order matches the filters.") : say("Nothing is open.")}</p>
      )}
      <PrintedItems items={shownItems} stateName={stateName} />
      {!sample && view.length > 0 && (
        <div class="actions no-print">
          <Button onClick={() => setMarking(listed)}>
            {picked.length
              ? say("Mark the order chosen|Mark the {n} orders chosen", { n: picked.length })
              : say("Mark the order shown|Mark the {n} orders shown", { n: view.length })}
          </Button>
          {claims.length > 0 && (
            <>
              <Copy text={() => sentencesOf(claims)} label={say("Copy the sentence|Copy the {n} sentences", { n: claims.length })} />
              <Button onClick={() => setDisputing(claims)}>
                {say("Dispute pack of {n} order|Dispute pack of {n} orders", { n: claims.length })}
              </Button>
            </>
          )}
        </div>
      )}
      <div class="stack no-print">
        {disputed.length > 0 && (
          <Notice title={say("The dispute pack of {n} order is saved.|The dispute pack of {n} orders is saved.", { n: disputed.length })}>
            <div class="actions">
              <Button
                onClick={() => {
                  mark(disputed, (item) => ({
                    ...markOf(item),
                    state: "disputed",
                    raised_on: item.raised_on || today(),
                    promised_until: "",
                  }));
                  setDisputed([]);
                }}>
                {say("Mark as raised today")}
              </Button>
              <Button look="plain" onClick={() => setDisputed([])}>
                {say("Not now")}
              </Button>
            </div>
          </Notice>
        )}
        {unsavedMarks.value && (
          <Notice kind="warn">
            <p>
              {say("Marks are in this tab alone until you download the workbook or the CSV files, which are the ledger of the next run.")}
            </p>
          </Notice>
        )}
      </div>
      {marking && <Marking items={marking} onClose={() => setMarking(null)} />}
      {disputing && <TakeAwayDialog only={disputing} onDisputed={() => setDisputed(disputing)} onClose={() => setDisputing(null)} />}
    </section>
  );
}

/** The form of a mark. Of several orders, each keeps the note that it has if the field is left blank. */
function Marking({ items, onClose }: { items: readonly OpenItem[]; onClose: () => void }) {
  const one = items.length === 1 ? items[0]! : null;
  const [said, setSaid] = useState<Mark>(one ? markOf(one) : { state: "disputed", raised_on: today(), promised_until: "", note: "" });
  const set = (name: keyof Mark) => (value: string) => setSaid({ ...said, [name]: value });
  return (
    <Dialog
      title={one ? say("Mark order {name}", { name: one.order_id }) : say("Mark {n} order|Mark {n} orders", { n: items.length })}
      onClose={onClose}>
      <form
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          mark(items, (item) => ({
            ...said,
            promised_until: said.state === "promised" ? said.promised_until : "",
            note: said.note.trim() || (one ? "" : (item.note ?? "")),
          }));
          onClose();
        }}>
        <Select
          label={say("State")}
          value={said.state}
          onValue={set("state")}
          choices={[
            { value: "", label: say("Without a state") },
            ...Object.entries(stateNames).map(([value, name]) => ({ value, label: name() })),
          ]}
        />
        <Field label={say("Raised on")} type="date" value={said.raised_on} onValue={set("raised_on")} />
        {said.state === "promised" && (
          <Field label={say("Promised until")} type="date" value={said.promised_until} onValue={set("promised_until")} />
        )}
        <Field
          label={say("Note")}
          value={said.note}
          onValue={set("note")}
          maxlength={500}
          autocomplete="off"
          hint={one ? undefined : say("Blank: each order keeps the note that it has.")}
        />
        <p class="hint">{say("The sums above count what is marked when the files are reconciled with the ledger that you download.")}</p>
        <div class="actions">
          <Button type="submit" look="primary">
            {say("Mark")}
          </Button>
          <Button onClick={onClose}>{say("Cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What has become of what was claimed, per courier and in all. */
function Movements({ of: { all, couriers } }: { of: Sums }) {
  const parts: [name: string, sum: (m: Movement) => ItemSum, sign: number][] = [
    [say("Open before"), (m) => m.before, 1],
    [say("New"), (m) => m.new, 1],
    [say("Changed"), (m) => m.changed, 1],
    [say("Partly paid"), (m) => m.partly_paid, -1],
    [say("Cleared"), (m) => m.cleared, -1],
    [say("Written off"), (m) => m.written_off, -1],
    [say("Reopened"), (m) => m.reopened, 1],
    [say("Open now"), (m) => m.now, 1],
  ];
  const rows = couriers.length > 1 ? [...couriers, all] : [all];
  const name = (m: Movement) => (m === all ? say("All couriers") : m.courier ? courierName(m.courier) : say("Not known"));
  return (
    <details class="where">
      <summary>{say("How the sums have changed")}</summary>
      <div class="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say("Courier")}</th>
              {parts.map(([title]) => (
                <th scope="col" class="num" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((m) => (
              <tr key={m.courier ?? (m === all ? "all" : "none")}>
                <th scope="row">{name(m)}</th>
                {parts.map(([title, sum, sign]) => (
                  <td class="num" key={title}>
                    <Money amount={sign * sum(m).amount} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
