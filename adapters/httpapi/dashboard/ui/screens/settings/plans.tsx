// What an account has bought, and how it buys another plan.
import { useEffect, useState } from "preact/hooks";
import { announce } from "../../announce";
import { ApiError, del, patch, post } from "../../api";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/choices";
import { Confirm, ConfirmButton } from "../../parts/confirm";
import { FormFrame, useForm, Wrong } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Failed, Loaded, Loading } from "../../parts/states";
import { useResource, type Resource } from "../../resource";
import { account, me, refresh } from "../../session";
import { date, moment, named, plainRupees, say } from "../../text";
import type { BillingPlan, BillingPreview, Subscription } from "../../views";

const path = "/app/api/account/subscription";

export const planName = (plan: string) =>
  named(plan, {
    solo: say("Solo"),
    pro: say("Pro"),
    enterprise: say("Enterprise"),
  });

const planInWords = (plan: string) =>
  named(
    plan,
    {
      solo: say("You reconcile on these pages."),
      pro: say("More runs in a month, and also the API, the autopilot and your own branding."),
      enterprise: say("Any number of runs, and also webhooks and saved mappings."),
    },
    "",
  );

export const subscriptionName = (subscription: string) =>
  named(subscription, {
    active: say("Active"),
    ended: say("Ended"),
    incomplete: say("Not set up"),
  });

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
  const billed = useResource<Subscription>(path);
  return <Loaded from={billed}>{(now) => <Bought billed={billed} now={now} />}</Loaded>;
}

function Bought({ billed, now }: { billed: Resource<Subscription>; now: Subscription }) {
  const [choosing, setChoosing] = useState(false);
  const renew = async () => {
    await Promise.all([billed.reload(), refresh()]);
  };
  const end = async () => {
    try {
      await del(path, { ends_now: now.ends_now });
    } catch (e) {
      if (isOtherwise(e)) void billed.reload(); // it says what is done now
      throw e;
    }
    await renew();
    announce(say("The subscription is cancelled."));
  };
  const open = now.status === "created" || now.status === "authenticated";
  const active = now.status === "active" || now.status === "pending" || (now.status === "cancelled" && Boolean(now.next));
  const ends = now.ends_at;
  const all = now.plans;
  const others = all.filter((p) => p.plan !== now.plan || all.filter((o) => o.plan === p.plan).length > 1);
  const next = now.next;
  const agreed = next?.status === "authenticated";
  useLooks(!open && next?.status === "created", renew);
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
      {now.twice && (
        <Notice kind="error" live={false}>
          <p>
            {say(
              "The account has several subscriptions that go on side by side, and each of them is charged. Ask whoever runs this service to cancel the others.",
            )}
          </p>
        </Notice>
      )}
      {now.status === "pending" && (
        <Notice kind="warn" live={false}>
          <p>{say("The last payment has failed and is tried again. Check the card or the bank account at the billing provider.")}</p>
        </Notice>
      )}
      {ends ? (
        <Notice kind={agreed ? "info" : "warn"} live={false}>
          {next ? (
            <p>{say("The plan {plan} is paid for until {date}.", { plan: planName(now.plan ?? ""), date: moment(ends) })}</p>
          ) : (
            <p>{say("The subscription is cancelled, and ends on {date}.", { date: moment(ends) })}</p>
          )}
          {next && agreed && <p>{say("Then the plan {plan} begins by itself.", { plan: planName(next.plan) })}</p>}
          {next && !agreed && (
            <p>
              {say("Then the plan {plan} begins, if you agree to it at the billing provider before. Until you do, nothing follows.", {
                plan: planName(next.plan),
              })}
            </p>
          )}
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
          plans={ends ? all : others}
          change={!ends || agreed}
          onDone={async () => {
            setChoosing(false);
            await renew();
          }}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        <div class="actions">
          {next && !agreed && next.manage && (
            <a class="button primary" href={next.manage}>
              {say("Agree at the billing provider")}
            </a>
          )}
          {next && !agreed && <Button onClick={renew}>{say("Look again")}</Button>}
          {ends && <Button onClick={() => setChoosing(true)}>{next ? say("Choose another plan") : say("Choose what follows")}</Button>}
          {!ends && others.length > 0 && <Button onClick={() => setChoosing(true)}>{say("Change the plan")}</Button>}
          {ends && next && (
            <ConfirmButton
              label={say("Cancel the next plan…")}
              title={say("Cancel the next plan?")}
              action={say("Cancel the next plan")}
              onConfirm={end}>
              <p>
                {say("The plan {plan} does not begin, and is not charged. What is paid for stays until {date}.", {
                  plan: planName(next.plan),
                  date: moment(ends),
                })}
              </p>
            </ConfirmButton>
          )}
          {!ends && (
            <ConfirmButton
              label={say("Cancel the subscription…")}
              title={say("Cancel the subscription?")}
              action={say("Cancel the subscription")}
              keep={say("Keep the subscription")}
              onConfirm={end}>
              <p>
                {now.ends_now
                  ? say(
                      "It ends at once, because nothing is paid for now. After that, the account can make no runs until it has a subscription again. What is stored stays.",
                    )
                  : now.period_end
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

/** Whether a change was refused because it would do something else than what was shown. */
const isOtherwise = (e: unknown) => e instanceof ApiError && (e.code === "subscription_fixed" || e.code === "subscription_otherwise");

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
  if (amount === null) return say("what the billing provider shows");
  const sum = plainRupees(amount);
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
  change?: boolean; // of a subscription that goes on
  onDone?: () => Promise<void>;
  onCancel?: () => void;
}

/** Chooses a plan, says what that does, and goes to where it is paid for. Less than now is asked about once more. */
function Buy({ plans, change = false, onDone, onCancel }: BuyProps) {
  const form = useForm(["plan"]);
  const [id, setID] = useState((plans.find((p) => p.plan === "pro") ?? plans[0])?.id ?? "");
  const [asking, setAsking] = useState(false);
  const preview = useResource<BillingPreview>(id ? path + "/preview?plan=" + encodeURIComponent(id) : null);
  const would = preview.value;
  const buy = async () => {
    if (!change) return location.assign((await post<{ url: string }>(path, { plan: id })).url);
    try {
      const done = await patch<Subscription>(path, { plan: id, anew: would?.anew, ends_now: would?.ends_now });
      const agree = would?.anew ? (done.next?.manage ?? done.manage) : null;
      if (agree) return location.assign(agree);
    } catch (e) {
      if (isOtherwise(e)) void preview.reload(); // it says what is done instead
      throw e;
    }
    await onDone?.();
    announce(say("The plan is changed."));
  };
  const act = async () => (would?.downgrade ? setAsking(true) : buy());
  const name = planName(would?.plan.plan ?? "");
  return (
    <>
      <FormFrame
        form={form}
        act={act}
        label={say("Plan")}
        submit={change && !would?.anew ? say("Change to this plan") : say("Continue to payment")}
        disabled={!would}
        actions={onCancel && <Button onClick={onCancel}>{say("Back")}</Button>}>
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
        {preview.error ? (
          <Failed message={preview.error.message} onRetry={preview.reload} />
        ) : would ? (
          <Would would={would} change={change} />
        ) : (
          <Loading />
        )}
      </FormFrame>
      {asking && would && (
        <Confirm
          title={say("Change to {plan}?", { plan: name })}
          action={would.anew ? say("Continue to payment") : say("Change to this plan")}
          onConfirm={buy}
          onClose={() => setAsking(false)}>
          <Would would={would} change={change} />
        </Confirm>
      )}
    </>
  );
}

/** What choosing a plan does: money, day and consequences. */
function Would({ would, change }: { would: BillingPreview; change: boolean }) {
  const sum = price(would.plan);
  const on = moment(would.begins_at);
  return (
    <div class="stack" aria-live="polite">
      {!would.anew && !on && (
        <p>
          {say(
            "The plan changes at once. The billing provider charges or refunds the difference for the rest of the period, and then charges {sum}.",
            {
              sum,
            },
          )}
        </p>
      )}
      {on && (
        <p>
          {would.from
            ? say("You pay {sum}, from {date} on. Until then, what is paid for stays, and nothing is charged.", { sum, date: on })
            : say("You pay {sum}, from {date} on. Nothing is charged before.", { sum, date: on })}
        </p>
      )}
      {would.anew && !on && <p>{say("You pay {sum}. It begins as soon as you have paid.", { sum })}</p>}
      {would.anew && change && on && (
        <p>
          {say(
            "The billing provider does not change the subscription that you have. So it is cancelled to that day, and another one follows: agree to it at the billing provider, else the account has none from then on.",
          )}
        </p>
      )}
      {would.ends_now && (
        <Notice kind="warn" live={false}>
          <p>
            {say(
              "The subscription that you have is cancelled at once, because nothing is paid for now. Until you have paid for the new one, the account can make no runs.",
            )}
          </p>
        </Notice>
      )}
      {would.from && (would.loses.length > 0 || would.cap_before !== would.cap_after) && (
        <ul class="consequences">
          {would.cap_before !== would.cap_after && (
            <li>
              {would.cap_after === null
                ? say("Any number of runs in a month.")
                : say("{n} run in a month.|{n} runs in a month.", { n: would.cap_after })}
              {would.cap_before !== null && " " + say("Now: {n}.", { n: would.cap_before })}
              {would.cap_before === null && " " + say("Now: any number.")}
            </li>
          )}
          {would.loses.map((what) => (
            <li key={what}>{lossInWords(what)}</li>
          ))}
        </ul>
      )}
      <p class="hint">
        {would.from && say("What is stored stays, such as the history of runs.") + " "}
        {would.anew && say("You pay at the billing provider, and come back to this page.")}
      </p>
    </div>
  );
}

const lossInWords = (what: string) =>
  named(what, {
    api: say("The API key stops working: programs that use it are refused."),
    autopilot: say("The autopilot makes no runs any more."),
    branding: say("Documents have Milaan's logo, and not your own."),
    webhooks: say("The webhook is told of no run any more."),
    mappings: say("Mappings of columns are not saved any more."),
  });

// How often the page looks whether a payment has arrived: often at first, as long as somebody
// waits for it, and then every half a minute, which is how often the service asks.
const lookEvery = 4_000;
const oftenLooks = 75;
const thenEvery = 30_000;

/** Looks again and again, while something is waited for. */
function useLooks(waits: boolean, onLook: () => Promise<void>) {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => void onLook().finally(() => setLooks(looks + 1)), looks < oftenLooks ? lookEvery : thenEvery);
    return () => clearTimeout(timer);
  }, [waits, looks]);
}

/** A subscription that was begun and is not paid for yet. */
function Waiting({ now, onLook }: { now: Subscription; onLook: () => Promise<void> }) {
  const [other, setOther] = useState(false);
  const form = useForm([]);
  useLooks(true, onLook);
  if (other) return <Buy plans={now.plans} change={now.status === "authenticated"} onDone={onLook} onCancel={() => setOther(false)} />;
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
