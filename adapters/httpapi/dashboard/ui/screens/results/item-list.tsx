// A list of open items, in which they are searched, sorted and marked. Where the marks go to is for the screen that shows it.
import { useMemo, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { ApiError, messageOf } from "../../api";
import { itemKey, type Mark } from "../../files";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Field, SearchField, Select } from "../../parts/field";
import { useForm } from "../../parts/form";
import { FlagName } from "../../parts/flag";
import { Money } from "../../parts/money";
import { Notice } from "../../parts/notice";
import { courierName } from "../../session";
import { count, date, language, rupees, say } from "../../text";
import type { OpenItem } from "../../views";
import { Grid, useGrid, type GridColumn } from "./grid";
import { ageOf, markOf, sentencesOf, viewOf, type Shown } from "./items";
import { narrow } from "./narrow";
import { PrintedItems } from "./paper";

const stateNames: Record<NonNullable<OpenItem["state"]>, () => string> = {
  disputed: () => say("Disputed"),
  promised: () => say("Promised"),
  refused: () => say("Refused"),
  "written off": () => say("Written off"),
};
export const stateName = ({ state, promise_passed, promised_until }: OpenItem) =>
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

const courierOf = ({ courier }: OpenItem) => (courier ? courierName(courier) : "");

/** For how many days the money of an item has been overdue; blank: it is not. */
function overdue(item: OpenItem, on: string): string {
  const days = ageOf(item, on);
  return days > 0 ? count(days) : "";
}

/** Today in India. */
export const today = () => new Date(Date.now() + 330 * 60_000).toISOString().slice(0, 10);

/** Gives items the marks that as says. */
export type MarkItems = (items: readonly OpenItem[], as: (item: OpenItem) => Mark) => Promise<void>;

const ages = ["7", "30", "60", "90"];

interface ItemListProps {
  items: readonly OpenItem[];
  /** The day on which it is counted for how long money has been due. */
  asOf: string;
  /** Whether they are those that a connection keeps, which are not told by the run before. */
  kept?: boolean;
  /** Without it, items are only looked at. */
  onMark?: MarkItems;
  /** Said in the form of a mark. */
  hint?: string;
  /** Buttons for the items chosen, or else for those shown: claims are those of them for which something is asked. */
  actions?: (claims: readonly OpenItem[], listed: readonly OpenItem[]) => ComponentChildren;
}

export function ItemList({ items, asOf, kept = false, onMark, hint, actions }: ItemListProps) {
  const [opened, setOpened] = useState<readonly OpenItem[] | null>(null);
  const [shown, setShown] = useState<Shown>({ courier: "", state: "", change: "", age: "", search: "" });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const grid = useGrid();
  const view = useMemo(() => viewOf(items, shown, grid.sort, asOf), [items, shown, grid.sort, asOf]);
  const toggle = (row: number) => {
    const next = new Set(chosen);
    const key = itemKey(items[row]!);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  const columns = useMemo((): GridColumn[] => {
    const column = (
      name: keyof OpenItem | "chosen" | "age",
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
    const text = (name: "order_id" | "awb" | "note" | "flag_reason") => (row: number) => items[row]![name] ?? "";
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
      ...(!onMark
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
      column("flag", say("Flag"), 12.5, (row) => <FlagName flag={items[row]!.flag} />, { card: 3 }),
      amount("shortfall", say("Shortfall"), 2),
      ...(kept
        ? [
            column("age", say("Days overdue"), 8, (row) => overdue(items[row]!, asOf), { numeric: true, card: 4, labelled: true }),
            column("courier", say("Courier"), 9, (row) => courierOf(items[row]!), { card: 5 }),
          ]
        : [
            column("since", say("Since"), 9, day("since"), { card: 4, labelled: true }),
            column("change", say("Since the run before"), 15, (row) => changeName(items[row]!), { grows: true, card: 5 }),
          ]),
      column("state", say("State"), 11, (row) => stateName(items[row]!), { grows: true, card: 6 }),
      column("raised_on", say("Raised on"), 9, day("raised_on")),
      column("note", say("Note"), 10, text("note"), { grows: true }),
      ...(kept
        ? [column("flag_reason", say("Reason"), 24, text("flag_reason"), { grows: true }), column("since", say("Since"), 9, day("since"))]
        : [column("courier", say("Courier"), 9, (row) => courierOf(items[row]!), { grows: true })]),
      column("awb", say("AWB"), 11, text("awb"), { grows: true }),
      amount("cod_amount", say("Due"), 7),
      amount("remitted", say("Remitted"), 8),
      column("order_date", say("Ordered"), 9, day("order_date")),
      column("due_by", say("Due by"), 9, day("due_by")),
    ];
  }, [items, view, chosen, onMark === undefined, narrow.value, language.value]);
  const choose = (name: keyof Shown) => (value: string) => setShown({ ...shown, [name]: value });
  const shownItems = useMemo(() => Array.from(view, (row) => items[row]!), [items, view]);
  const picked = shownItems.filter((item) => chosen.has(itemKey(item)));
  const listed = picked.length ? picked : shownItems;
  const claims = listed.filter((item) => item.dispute && item.state !== "written off");
  const couriers = [...new Set(items.map((i) => i.courier ?? "none"))].sort();
  // A form that is open is of the items as they are now, which the screen may have read again.
  const still = useMemo(() => {
    const keys = new Set(opened?.map(itemKey));
    return opened ? items.filter((item) => keys.has(itemKey(item))) : [];
  }, [opened, items]);
  return (
    <>
      <div class="tools no-print">
        <SearchField
          label={say("Search open items")}
          value={shown.search}
          onValue={choose("search")}
          placeholder={say("Order, AWB, UTR or note")}
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
          label={kept ? say("Which") : say("Since the run before")}
          value={shown.change}
          onValue={choose("change")}
          choices={[
            { value: "", label: say("All of them") },
            { value: "open", label: say("Open now") },
            ...(kept ? [] : Object.entries(changeNames).map(([value, name]) => ({ value, label: name() }))),
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
          hint={onMark ? say("Arrow keys move, Enter marks an order, Space chooses it.") : say("Arrow keys move, Enter shows an order.")}
          view={view}
          columns={columns}
          {...grid}
          onOpen={(at) => setOpened([items[view[at]!]!])}
          onChoose={onMark && ((at) => toggle(view[at]!))}
        />
      ) : (
        <p class="nothing">{items.length ? say("No order matches the filters.") : say("Nothing is open.")}</p>
      )}
      <PrintedItems items={shownItems} stateName={stateName} kept={kept} />
      {actions && view.length > 0 && (
        <div class="actions no-print">
          {onMark && (
            <Button onClick={() => setOpened(listed)}>
              {picked.length
                ? say("Mark the order chosen|Mark the {n} orders chosen", { n: picked.length })
                : say("Mark the order shown|Mark the {n} orders shown", { n: view.length })}
            </Button>
          )}
          {claims.length > 0 && (
            <Copy text={() => sentencesOf(claims)} label={say("Copy the sentence|Copy the {n} sentences", { n: claims.length })} />
          )}
          {actions(claims, listed)}
        </div>
      )}
      {opened &&
        (!still.length ? (
          <Dialog title={say("Not open any more")} onClose={() => setOpened(null)}>
            <p>{say("A pass has written the open items anew, and this is not one of them any more. It is not marked.")}</p>
          </Dialog>
        ) : onMark ? (
          <Marking items={still} onMark={onMark} hint={hint} onClose={() => setOpened(null)} />
        ) : (
          <Looking item={still[0]!} onClose={() => setOpened(null)} />
        ))}
    </>
  );
}

/** An order for somebody who does not mark it. */
const Looking = ({ item, onClose }: { item: OpenItem; onClose: () => void }) => (
  <Dialog title={say("Order {name}", { name: item.order_id })} onClose={onClose}>
    <div class="stack tight">
      <p>{item.flag_reason}</p>
      {item.state && <p>{stateName(item)}</p>}
      {item.note && <p>{item.note}</p>}
    </div>
  </Dialog>
);

interface RaisedProps {
  items: readonly OpenItem[];
  onMark: MarkItems;
  onClose: () => void;
}

/** Asks whether orders whose dispute pack was saved are to be marked. */
export function Raised({ items, onMark, onClose }: RaisedProps) {
  const form = useForm([]);
  const mark = async () => {
    await onMark(items, (item) => ({ ...markOf(item), state: "disputed", raised_on: item.raised_on || today(), promised_until: "" }));
    onClose();
  };
  return (
    <Notice title={say("The dispute pack of {n} order is saved.|The dispute pack of {n} orders is saved.", { n: items.length })}>
      {form.general && <p class="field-error">{form.general}</p>}
      <div class="actions">
        <Button busy={form.busy} onClick={form.submit(mark)}>
          {say("Mark as raised today")}
        </Button>
        <Button look="plain" onClick={onClose}>
          {say("Not now")}
        </Button>
      </div>
    </Notice>
  );
}

/** The form of a mark. Of several orders, each keeps the note that it has if the field is left blank. */
function Marking({ items, onMark, hint, onClose }: { items: readonly OpenItem[]; onMark: MarkItems; hint?: string; onClose: () => void }) {
  const one = items.length === 1 ? items[0]! : null;
  const [said, setSaid] = useState<Mark>(one ? markOf(one) : { state: "disputed", raised_on: today(), promised_until: "", note: "" });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const act = async (e: Event) => {
    e.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onMark(items, (item) => ({
        ...said,
        promised_until: said.state === "promised" ? said.promised_until : "",
        note: said.note.trim() || (one ? "" : (item.note ?? "")),
      }));
      onClose();
    } catch (e) {
      setFailure(e);
      setBusy(false);
    }
  };
  const changed = failure instanceof ApiError && failure.code === "open_item_changed";
  const set = (name: keyof Mark) => (value: string) => setSaid({ ...said, [name]: value });
  return (
    <Dialog
      title={one ? say("Mark order {name}", { name: one.order_id }) : say("Mark {n} order|Mark {n} orders", { n: items.length })}
      locked={busy}
      onClose={onClose}>
      <form class="stack" onSubmit={act}>
        {one && <p class="hint">{one.flag_reason}</p>}
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
        {hint && <p class="hint">{hint}</p>}
        {changed ? (
          <Notice kind="error" title={say("Somebody else has changed this meanwhile. Nothing of yours is stored.")}>
            {one && (
              <p>{say("It is now: {mark}", { mark: [stateName(one) || say("Without a state"), one.note].filter(Boolean).join(" · ") })}</p>
            )}
            <p>{say("Mark it again to put yours in its place, or cancel.")}</p>
          </Notice>
        ) : (
          failure !== null && <Notice kind="error">{messageOf(failure)}</Notice>
        )}
        <div class="actions">
          <Button type="submit" look="primary" busy={busy}>
            {say("Mark")}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            {say("Cancel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
