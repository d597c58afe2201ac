// What is still owed of this run and the ones before, by the ledger that was given; without one, of this run alone.
import { useMemo, useState } from "preact/hooks";
import { announce } from "../../announce";
import { itemKey, marks, unsavedMarks } from "../../files";
import { afterPaint } from "../../page";
import { Button } from "../../parts/button";
import { Money } from "../../parts/money";
import { Notice } from "../../parts/notice";
import { Headings } from "../../parts/table";
import { TakeAwayDialog } from "../../parts/take-away";
import { courierName } from "../../session";
import { rupees, say } from "../../text";
import type { ItemSum, Movement, Movements as Sums, OpenItem } from "../../views";
import type { Findings } from "./findings";
import { ItemList, Raised, type MarkItems } from "./item-list";
import { marked, openItemsOf } from "./items";

/** The marks are in this tab until a document takes them. */
const mark: MarkItems = async (items, as) => {
  const next = new Map(marks.value);
  for (const item of items) next.set(itemKey(item), as(item));
  marks.value = next;
  unsavedMarks.value = true;
  announce(say("{n} order is marked.|{n} orders are marked.", { n: items.length }));
};

/** The open items of a run without a ledger, once somebody asks for them. */
export function FirstItems({ findings }: { findings: Findings }) {
  const [wanted, setWanted] = useState(marks.value.size > 0);
  const { flags } = findings.summary;
  if (flags.every((f) => f.flag === "RECONCILED" || f.orders === 0)) return null;
  const show = () => {
    setWanted(true);
    afterPaint(() => document.getElementById("open-items-title")!.focus());
  };
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
        <Button onClick={show}>{say("Mark orders")}</Button>
      </div>
    </section>
  );
}

export function OpenItems({ findings, sample }: { findings: Findings; sample: boolean }) {
  const found = openItemsOf(findings);
  const { movements } = found;
  const noted = marks.value;
  const items = useMemo(() => found.items.map((item) => marked(item, noted)), [found.items, noted]);
  const [disputing, setDisputing] = useState<readonly OpenItem[] | null>(null);
  const [disputed, setDisputed] = useState<readonly OpenItem[]>([]);
  const all = movements.all;
  return (
    <section class="open-items card stack" aria-labelledby="open-items-title">
      <div class="result-head">
        <h2 id="open-items-title" tabIndex={-1}>
          {say("Open items")}
        </h2>
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
      <ItemList
        items={items}
        asOf={findings.cycle_guidance.batch_as_of}
        onMark={sample ? undefined : mark}
        hint={say("The sums above count what is marked when the files are reconciled with the ledger that you download.")}
        actions={
          sample
            ? undefined
            : (claims) =>
                claims.length > 0 && (
                  <Button onClick={() => setDisputing(claims)}>
                    {say("Dispute pack of {n} order|Dispute pack of {n} orders", { n: claims.length })}
                  </Button>
                )
        }
      />
      <div class="stack no-print">
        {disputed.length > 0 && <Raised items={disputed} onMark={mark} onClose={() => setDisputed([])} />}
        {unsavedMarks.value && (
          <Notice kind="warn">
            <p>
              {say("Marks are in this tab alone until you download the workbook or the CSV files, which are the ledger of the next run.")}
            </p>
          </Notice>
        )}
      </div>
      {disputing && <TakeAwayDialog only={disputing} onDisputed={() => setDisputed(disputing)} onClose={() => setDisputing(null)} />}
    </section>
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
          <Headings of={[say("Courier"), ...parts.map(([name]) => ({ name, num: true }))]} />
          <tbody>
            {rows.map((m) => (
              <tr key={m.courier ?? (m === all ? "all" : "none")}>
                <th scope="row">{name(m)}</th>
                {parts.map(([title, sum, sign]) => (
                  <td class="num" key={title}>
                    <Money amount={sign * sum(m).amount || 0} />
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
