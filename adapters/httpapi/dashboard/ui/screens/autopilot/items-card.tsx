// Whether a connection keeps its open items, and how many there are.
import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../announce";
import { put } from "../../api";
import { SecondaryLink } from "../../parts/button";
import { ConfirmButton } from "../../parts/confirm";
import { Section } from "../../parts/section";
import { Failed, Loading } from "../../parts/states";
import { useResource } from "../../resource";
import { may } from "../../session";
import { moment, rupees, say } from "../../text";
import type { KeptItems } from "../../views";

/** What is kept, and where. */
export const WhatIsKept = () => (
  <p class="soft prose">
    {say(
      "Kept are the orders, AWBs and payments of orders, and what people note on them, sealed in the service's database: at most 50,000 orders, each deleted 180 days after it was last seen. All of it is deleted when this is switched off, the connection is deleted or the account is closed. No name, address or e-mail of a buyer is kept.",
    )}
  </p>
);

export const isNotKept = (error: { code: string } | null) => error?.code === "open_items_not_kept";
export const isUnreadable = (error: { code: string } | null) => error?.code === "open_items_unreadable";

/** written names the pass that may have written them last. */
export function ItemsCard({ path, here, written }: { path: string; here: string; written?: string }) {
  const items = useResource<KeptItems>(path + "/open-items?limit=1");
  const known = useRef(written);
  useEffect(() => {
    if (known.current !== written && !items.error) void items.reload();
    known.current = written;
  }, [written]);
  const keep = async (keeps: boolean) => {
    await put(path + "/open-items", { keep: keeps });
    announce(
      keeps ? say("Open items are kept from the next pass on.") : say("Open items are kept no more, and those that were kept are deleted."),
    );
    void items.reload();
  };
  return (
    <Section title={say("Open items")} class="card stack tight">
      {isNotKept(items.error) ? (
        <>
          <p>{say("Open items are not kept: of each pass, only counts and sums stay.")}</p>
          <WhatIsKept />
          {may("owner") ? (
            <div class="actions">
              <ConfirmButton
                label={say("Keep open items…")}
                title={say("Keep the open items of this connection?")}
                action={say("Keep them")}
                danger={false}
                onConfirm={() => keep(true)}>
                <WhatIsKept />
              </ConfirmButton>
            </div>
          ) : (
            <p class="hint">{say("An owner of the account can switch this on.")}</p>
          )}
        </>
      ) : items.error ? (
        <>
          <Failed message={items.error.message} onRetry={items.reload} />
          {isUnreadable(items.error) && may("owner") && (
            <div class="actions">
              <StopKeeping onStop={() => keep(false)} />
            </div>
          )}
        </>
      ) : !items.value ? (
        <Loading />
      ) : (
        <Are items={items.value} here={here} onStop={() => keep(false)} />
      )}
    </Section>
  );
}

function Are({
  items: { written_at, kept_since, movements },
  here,
  onStop,
}: {
  items: KeptItems;
  here: string;
  onStop: () => Promise<void>;
}) {
  const { now } = movements.all;
  return (
    <>
      {written_at ? (
        <p>
          <b>{say("{n} order is claimed: {amount}|{n} orders are claimed: {amount}", { n: now.orders, amount: rupees(now.amount) })}</b>
        </p>
      ) : (
        <p>{say("Open items are kept. The next pass writes them.")}</p>
      )}
      <p class="soft small">
        {say("Kept since {time}.", { time: moment(kept_since) })}{" "}
        {written_at && say("Last written at {time}.", { time: moment(written_at) })}
      </p>
      <div class="actions">
        {written_at && <SecondaryLink to={here + "/open-items"}>{say("Show the open items")}</SecondaryLink>}
        {may("owner") && <StopKeeping onStop={onStop} />}
      </div>
    </>
  );
}

const StopKeeping = ({ onStop }: { onStop: () => Promise<void> }) => (
  <ConfirmButton
    look="plain"
    label={say("Stop keeping them…")}
    title={say("Stop keeping open items?")}
    action={say("Stop, and delete them")}
    onConfirm={onStop}>
    <p>{say("Everything that is kept is deleted at once: the orders, and what people have noted on them. This cannot be undone.")}</p>
  </ConfirmButton>
);
