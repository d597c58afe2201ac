// What an account has bought, and how it buys another plan.
import { useEffect, useState } from "preact/hooks";
import { announce } from "../../announce";
import { del, patch, post } from "../../api";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/choices";
import { ConfirmButton } from "../../parts/confirm";
import { FormFrame, useForm, Wrong } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Loaded, Loading } from "../../parts/states";
import { useResource, type Resource } from "../../resource";
import { account, me, refresh } from "../../session";
import { date, moment, plainRupees, say } from "../../text";
import type { BillingPlan, Subscription } from "../../views";

export function planName(plan: string): string {
  switch (plan) {
    case "solo":
      return say("Solo");
    case "pro":
      return say("Pro");
    case "enterprise":
      return say("Enterprise");
  }
  return plan;
}

function planInWords(plan: string): string {
  switch (plan) {
    case "solo":
      return say("You reconcile on these pages.");
    case "pro":
      return say("More runs in a month, and also the API, the autopilot and your own branding.");
    case "enterprise":
      return say("Any number of runs, and also webhooks and saved mappings.");
  }
  return "";
}

export function subscriptionName(subscription: string): string {
  switch (subscription) {
    case "active":
      return say("Active");
    case "ended":
      return say("Ended");
    case "incomplete":
      return say("Not set up");
  }
  return subscription;
}

/** What is bought, and the buttons to buy, to change and to end it. */
export function Billed() {
  if (me.value!.billing) return <AtProvider />;
  const active = account.value!.subscription === "active";
  return (
    <p class={active ? "hint" : undefined}>
      {active
        ? say("To change the plan, ask whoever runs this service.")
        : say("Plans are not sold on this page. Ask whoever runs this service to begin your subscription.")}
    </p>
  );
}

function AtProvider() {
  const billed = useResource<Subscription>("/app/api/account/subscription");
  return <Loaded from={billed}>{(now) => <Bought billed={billed} now={now} />}</Loaded>;
}

function Bought({ billed, now }: { billed: Resource<Subscription>; now: Subscription }) {
  const [choosing, setChoosing] = useState(false);
  const renew = async () => {
    await Promise.all([billed.reload(), refresh()]);
  };
  const end = async () => {
    await del("/app/api/account/subscription");
    await renew();
    announce(say("The subscription is cancelled."));
  };
  const open = now.status === "created" || now.status === "authenticated";
  const active = now.status === "active" || now.status === "pending";
  const ends = now.ends_at;
  const all = now.plans;
  const others = all.filter((p) => p.plan !== now.plan || all.filter((o) => o.plan === p.plan).length > 1);
  if (open) return <Waiting now={now} onLook={renew} />;
  if (!active) {
    return (
      <div class="stack">
        {now.status && (
          <Notice kind={ends ? "warn" : "info"} live={false}>
            <p>{endedInWords(now)}</p>
          </Notice>
        )}
        <Buy plans={now.plans} />
      </div>
    );
  }
  return (
    <div class="stack">
      {now.status === "pending" && (
        <Notice kind="warn" live={false}>
          <p>{say("The last payment has failed and is tried again. Check the card or the bank account at the billing provider.")}</p>
        </Notice>
      )}
      {ends ? (
        <Notice kind="warn" live={false}>
          <p>{say("The subscription is cancelled, and ends on {date}.", { date: moment(ends) })}</p>
        </Notice>
      ) : (
        now.period_end && (
          <p>
            {say("Paid from {from} on. The next payment is on {to}, by itself.", {
              from: date(now.period_start),
              to: date(now.period_end),
            })}
          </p>
        )
      )}
      {now.manage && (
        <p>
          <a href={now.manage} target="_blank" rel="noopener noreferrer">
            {say("Payments at the billing provider")}
          </a>
        </p>
      )}
      {choosing ? (
        <Buy
          plans={others}
          change
          onDone={async () => {
            setChoosing(false);
            await renew();
          }}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        <div class="actions">
          {!ends && others.length > 0 && <Button onClick={() => setChoosing(true)}>{say("Change the plan")}</Button>}
          {!ends && (
            <ConfirmButton
              label={say("Cancel the subscription…")}
              title={say("Cancel the subscription?")}
              action={say("Cancel the subscription")}
              keep={say("Keep the subscription")}
              onConfirm={end}>
              <p>
                {now.period_end
                  ? say(
                      "It stays active until {date}, which is paid for. After that, the account can make no runs until it has a subscription again. What is stored stays.",
                      { date: date(now.period_end) },
                    )
                  : say(
                      "It stays active for the time that is paid for. After that, the account can make no runs until it has a subscription again. What is stored stays.",
                    )}
              </p>
            </ConfirmButton>
          )}
        </div>
      )}
    </div>
  );
}

function endedInWords(now: Subscription): string {
  switch (now.status) {
    case "halted":
      return say("The payments have failed several times, so the subscription has ended. Choose a plan to begin again.");
    case "paused":
      return say("The subscription is paused at the billing provider. Resume it there, or choose a plan to begin again.");
    case "completed":
    case "expired":
      return say("The subscription has run out. Choose a plan to begin again.");
    case "cancelled":
      return now.ends_at && Date.parse(now.ends_at) > Date.now()
        ? say("The subscription is cancelled, and ends on {date}.", { date: moment(now.ends_at) })
        : say("The subscription was cancelled. Choose a plan to begin again.");
  }
  return now.status ?? "";
}

/** What is paid, and how often. */
function price({ amount, period, interval }: BillingPlan): string {
  const sum = plainRupees(amount ?? 0);
  const n = interval ?? 1;
  switch (period) {
    case "daily":
      return say("{sum} every day|{sum} every {n} days", { sum, n });
    case "weekly":
      return say("{sum} every week|{sum} every {n} weeks", { sum, n });
    case "monthly":
      return say("{sum} every month|{sum} every {n} months", { sum, n });
    case "yearly":
      return say("{sum} every year|{sum} every {n} years", { sum, n });
  }
  return sum;
}

interface BuyProps {
  plans: BillingPlan[];
  change?: boolean; // of a subscription that is active
  onDone?: () => Promise<void>;
  onCancel?: () => void;
}

/** Chooses a plan, and goes to where it is paid for. */
function Buy({ plans, change = false, onDone, onCancel }: BuyProps) {
  const form = useForm(["plan"]);
  const [id, setID] = useState((plans.find((p) => p.plan === "pro") ?? plans[0])?.id ?? "");
  const act = async () => {
    if (!change) return location.assign((await post<{ url: string }>("/app/api/account/subscription", { plan: id })).url);
    await patch("/app/api/account/subscription", { plan: id });
    await onDone?.();
    announce(say("The plan is changed."));
  };
  return (
    <FormFrame
      form={form}
      act={act}
      label={say("Plan")}
      submit={change ? say("Change to this plan") : say("Continue to payment")}
      actions={onCancel && <Button onClick={onCancel}>{say("Cancel")}</Button>}>
      <Choices
        name="plan"
        legend={say("Choose a plan")}
        error={form.errors.plan}
        value={id}
        onValue={setID}
        choices={plans.map((p) => ({
          value: p.id,
          title: planName(p.plan),
          more: (
            <>
              {p.amount !== null && <span>{price(p)}</span>}
              <span class="soft small">{planInWords(p.plan)}</span>
            </>
          ),
        }))}
      />
      {!change && <p class="hint">{say("You pay at the billing provider, and come back to this page.")}</p>}
    </FormFrame>
  );
}

// How often the page looks whether a payment has arrived, and for how long.
const lookEvery = 4_000;
const mostLooks = 75;

/** A subscription that was begun and is not paid for yet. */
function Waiting({ now, onLook }: { now: Subscription; onLook: () => Promise<void> }) {
  const [looks, setLooks] = useState(0);
  const [other, setOther] = useState(false);
  const form = useForm([]);
  useEffect(() => {
    if (looks >= mostLooks) return;
    const timer = setTimeout(() => void onLook().finally(() => setLooks(looks + 1)), lookEvery);
    return () => clearTimeout(timer);
  }, [looks]);
  if (other) return <Buy plans={now.plans} onCancel={() => setOther(false)} />;
  return (
    <div class="stack">
      <Loading
        what={
          now.status === "authenticated"
            ? say("The payment of the plan {plan} is being confirmed…", { plan: planName(now.plan ?? "") })
            : say("The payment of the plan {plan} has not arrived yet…", { plan: planName(now.plan ?? "") })
        }
      />
      <p>{say("Once it has, this page goes on by itself. That takes up to a few minutes after you have paid.")}</p>
      <Wrong form={form} />
      <div class="actions">
        {now.manage && (
          <a class="button primary" href={now.manage}>
            {say("Continue to payment")}
          </a>
        )}
        <Button busy={form.busy} onClick={form.submit(onLook)}>
          {say("Look again")}
        </Button>
        {now.plans.length > 1 && (
          <Button look="plain" onClick={() => setOther(true)}>
            {say("Choose another plan")}
          </Button>
        )}
      </div>
    </div>
  );
}
