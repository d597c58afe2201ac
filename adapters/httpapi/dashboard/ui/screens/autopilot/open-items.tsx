// The open items that a connection keeps, and what is done about them.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { get, getFile, post, save } from "../../api";
import { itemKey } from "../../files";
import { Page } from "../../page";
import { Button, SecondaryLink } from "../../parts/button";
import { flagName } from "../../parts/flag";
import { ForAccount } from "../../parts/for-account";
import { useForm, Wrong } from "../../parts/form";
import { Icon } from "../../parts/icon";
import { Money } from "../../parts/money";
import { Empty, Failed, Loading } from "../../parts/states";
import { Figure, Table } from "../../parts/table";
import { useResource, type Resource } from "../../resource";
import { account, courierName, may } from "../../session";
import { count, moment, rupees, say } from "../../text";
import type { Connection, KeptItems, OpenItem } from "../../views";
import { csvOf, type CSVColumn } from "../results/item-csv";
import { ItemList, Raised, stateName, today, type MarkItems } from "../results/item-list";
import { ageOf } from "../results/items";
import { NoConnection } from "./connection";
import { isNotKept, isUnreadable, WhatIsKept } from "./items-card";
import { requestsOf, withMarks } from "./kept-items";

/** /app/autopilot/:id/open-items */
export function OpenItemsScreen({ params }: { params: Record<string, string> }) {
  const id = encodeURIComponent(params.id!);
  const path = "/app/api/connections/" + id;
  const works = may("accountant");
  const items = useResource<KeptItems>(account.value ? path + "/open-items" : null);
  const brand = useResource<Connection>(account.value && works ? path : null).value?.brand;
  const back = works ? (
    <SecondaryLink to={"/app/autopilot/" + id}>{say("The connection")}</SecondaryLink>
  ) : (
    <SecondaryLink to="/app/autopilot">{say("All connections")}</SecondaryLink>
  );
  return (
    <Page
      wide
      title={say("Open items")}
      heading={brand ? say("Open items of {name}", { name: brand }) : say("Open items")}
      lead={items.value?.written_at && say("Last written at {time}.", { time: moment(items.value.written_at) })}
      actions={back}>
      <ForAccount>
        {isNotKept(items.error) ? (
          <Empty title={say("The open items of this connection are not kept")} action={back}>
            <p>{say("An owner of the account can switch this on.")}</p>
            <WhatIsKept />
          </Empty>
        ) : items.error?.status === 404 && !isUnreadable(items.error) ? (
          <NoConnection />
        ) : items.error && !items.value ? (
          <Failed message={items.error.message} onRetry={items.reload} />
        ) : !items.value ? (
          <Loading />
        ) : !items.value.written_at ? (
          <Empty title={say("No pass has written open items yet")}>
            <p>{say("Open items are kept. The next pass writes them.")}</p>
          </Empty>
        ) : (
          <Items kept={items.value} resource={items} path={path + "/open-items"} works={works} />
        )}
      </ForAccount>
    </Page>
  );
}

interface ItemsProps {
  kept: KeptItems;
  resource: Resource<KeptItems>;
  path: string;
  works: boolean;
}

function Items({ kept, resource, path, works }: ItemsProps) {
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set()); // the orders of a dispute pack
  const { items, movements } = kept;
  const mark: MarkItems = async (chosen, as) => {
    try {
      for (const request of requestsOf(chosen, as)) await post(path + "/marks", request);
    } catch (e) {
      await resource.reload();
      throw e;
    }
    announce(say("{n} order is marked.|{n} orders are marked.", { n: chosen.length }));
    const sums = await get<KeptItems>(path + "?limit=1").catch(() => kept);
    if (sums.written_at !== kept.written_at) return resource.reload(); // a pass has written them anew
    resource.set({ ...kept, items: withMarks(items, chosen, as), movements: sums.movements });
  };
  const { now, awaited, promises } = movements.all;
  const raised = items.filter((item) => saved.has(itemKey(item)));
  return (
    <div class="stack roomy">
      {resource.error && <Failed message={resource.error.message} onRetry={resource.reload} />}
      <p>
        <b>{say("{n} order is claimed: {amount}|{n} orders are claimed: {amount}", { n: now.orders, amount: rupees(now.amount) })}</b>
        {awaited.orders > 0 &&
          " " +
            say("{n} more is not due yet: {amount}|{n} more are not due yet: {amount}", {
              n: awaited.orders,
              amount: rupees(awaited.amount),
            })}
        {promises.orders > 0 && " " + say("{n} promise has passed.|{n} promises have passed.", { n: promises.orders })}
      </p>
      {now.orders > 0 && <Couriers kept={kept} path={path} works={works} onSaved={(of) => setSaved(new Set(of.map(itemKey)))} />}
      {raised.length > 0 && <Raised items={raised} onMark={mark} onClose={() => setSaved(new Set())} />}
      <section class="open-items card stack" aria-label={say("Open items")}>
        <ItemList
          items={items}
          asOf={today()}
          kept
          onMark={works ? mark : undefined}
          actions={(_, listed) => (
            <Button onClick={() => saveCSV(listed)}>
              <Icon name="download" />
              {say("CSV file of {n} order|CSV file of {n} orders", { n: listed.length })}
            </Button>
          )}
        />
      </section>
    </div>
  );
}

interface CouriersProps {
  kept: KeptItems;
  path: string;
  works: boolean;
  onSaved: (items: OpenItem[]) => void;
}

/** What each courier owes, and its dispute pack. */
function Couriers({ kept: { items, movements }, path, works, onSaved }: CouriersProps) {
  const form = useForm([]);
  const pack = (courier: string, claims: OpenItem[]) =>
    form.submit(async () => {
      const file = await getFile(`${path}/dispute?courier=${encodeURIComponent(courier)}`);
      save(file);
      announce(say("{name} is in your downloads.", { name: file.name }));
      onSaved(claims);
    });
  return (
    <div class="stack tight no-print">
      <Wrong form={form} />
      <Table
        caption={say("What each courier owes")}
        headings={[
          say("Courier"),
          { name: say("Orders"), num: true },
          { name: say("Claimed"), num: true },
          ...(works ? [{ name: say("Dispute pack"), unseen: true }] : []),
        ]}>
        {movements.couriers
          .filter(({ now }) => now.orders > 0)
          .map(({ courier = "", now }) => {
            const name = courier ? courierName(courier) : say("Not known");
            const claims = items.filter((item) => (item.courier ?? "") === courier && item.dispute && item.state !== "written off");
            return (
              <tr key={courier}>
                <th scope="row">{name}</th>
                <Figure name={say("Orders")}>{count(now.orders)}</Figure>
                <Figure name={say("Claimed")}>
                  <Money amount={now.amount} />
                </Figure>
                {works && (
                  <td>
                    {claims.length > 0 && (
                      <Button busy={form.busy} aria-label={say("Dispute pack: {name}", { name })} onClick={pack(courier, claims)}>
                        <Icon name="download" />
                        {say("Dispute pack")}
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
      </Table>
    </div>
  );
}

/** Hands items to the browser's downloads. */
function saveCSV(items: readonly OpenItem[]) {
  const columns: CSVColumn[] = [
    { title: say("Order"), cell: (item) => item.order_id, id: true },
    { title: say("AWB"), cell: (item) => item.awb, id: true },
    { title: say("Courier"), cell: (item) => (item.courier ? courierName(item.courier) : "") },
    { title: say("Flag"), cell: (item) => flagName(item.flag) },
    { title: say("Reason"), cell: (item) => item.flag_reason },
    { title: say("Ordered"), cell: (item) => item.order_date ?? "" },
    { title: say("Due by"), cell: (item) => item.due_by ?? "" },
    { title: say("Days overdue"), cell: (item) => Math.max(0, ageOf(item, today())) },
    { title: say("Due"), cell: (item) => item.cod_amount },
    { title: say("Remitted"), cell: (item) => item.remitted },
    { title: say("Shortfall"), cell: (item) => item.shortfall },
    { title: say("Since"), cell: (item) => item.since ?? "" },
    { title: say("State"), cell: stateName },
    { title: say("Raised on"), cell: (item) => item.raised_on ?? "" },
    { title: say("Promised until"), cell: (item) => item.promised_until ?? "" },
    { title: say("Note"), cell: (item) => item.note ?? "" },
  ];
  const file = { blob: new Blob([csvOf(items, columns)], { type: "text/csv" }), name: `open-items-${today()}.csv` };
  save(file);
  announce(say("{name} is in your downloads.", { name: file.name }));
}
