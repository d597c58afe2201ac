// The account: what was bought and how much of it is used, and how the pages look.
import { useState } from "preact/hooks";
import { announce } from "../announce";
import { patch } from "../api";
import { Page } from "../page";
import { Bar } from "../parts/bar";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Field } from "../parts/field";
import { ForAccount } from "../parts/for_account";
import { FormFrame, useForm } from "../parts/form";
import { Link } from "../router";
import { account, me, quota, signOut } from "../session";
import type { Account } from "../shapes";
import { LanguageChoice, ThemeChoice } from "../shell";
import { count, date, say } from "../text";

export function AccountScreen() {
  return (
    <Page title={say("Account")} lead={account.value?.email}>
      <div class="halves">
        <ForAccount>
          <Plan of={account.value!} />
          <OverdueDays of={account.value!} />
        </ForAccount>
        <Look />
        {account.value && <Sessions />}
      </div>
    </Page>
  );
}

function Plan({ of: a }: { of: Account }) {
  const q = quota.value;
  return (
    <section class="card stack" aria-labelledby="plan-title">
      <div class="title-row">
        <h2 id="plan-title">{say("Plan")}</h2>
        <span class={a.subscription === "active" ? "badge good" : "badge bad"}>{subscriptionName(a.subscription)}</span>
      </div>
      <dl class="attributes">
        <div>
          <dt>{say("Plan")}</dt>
          <dd>{planName(a.plan)}</dd>
        </div>
        <div>
          <dt>{say("Phone number")}</dt>
          <dd>{a.phone_verified ? say("verified") : say("not verified: the API needs it")}</dd>
        </div>
        <div>
          <dt>{say("Account since")}</dt>
          <dd>{date(a.created_at)}</dd>
        </div>
      </dl>
      {q && (q.cap === null ? (
        <p>{say("{n} run in this month. Your plan has no limit.|{n} runs in this month. Your plan has no limit.", { n: q.used })}</p>
      ) : (
        <Bar label={say("{used} of {cap} runs are used. The count starts again on {date}.", { used: q.used, cap: q.cap, date: date(q.resets_on) })} value={q.used} max={q.cap} full={q.used >= q.cap} />
      ))}
      <p class="hint">{say("To change the plan, ask whoever runs this service.")}</p>
    </section>
  );
}

function planName(plan: string): string {
  switch (plan) {
    case "solo": return say("Solo");
    case "pro": return say("Pro");
    case "enterprise": return say("Enterprise");
  }
  return plan;
}

function subscriptionName(subscription: string): string {
  switch (subscription) {
    case "active": return say("Active");
    case "ended": return say("Ended");
    case "incomplete": return say("Not set up");
  }
  return subscription;
}

function OverdueDays({ of: a }: { of: Account }) {
  const form = useForm(["overdue_days"]);
  const usual = me.value!.defaults.overdue_days;
  const [days, setDays] = useState(a.overdue_days ? String(a.overdue_days) : "");
  const act = async () => {
    // What is no number is the service's to refuse, with its own words.
    const typed = days.trim();
    const kept = await patch<Account>("/app/api/account", { overdue_days: typed === "" ? 0 : /^-?\d+$/.test(typed) ? Number(typed) : typed });
    me.value = { ...me.value!, account: kept };
    setDays(kept.overdue_days ? String(kept.overdue_days) : "");
    announce(say("Saved."));
  };
  return (
    <section class="card stack" aria-labelledby="days-title">
      <h2 id="days-title">{say("When an order is overdue")}</h2>
      <FormFrame form={form} act={act} actions={<Button type="submit" look="primary" busy={form.busy}>{say("Save")}</Button>}>
        <Field
          label={say("Days after delivery")}
          hint={say("How many days your couriers have to pay you. If it is blank, {days}. A single run may have another number.", { days: count(usual) })}
          error={form.errors.overdue_days}
          inputMode="numeric"
          class="short"
          autocomplete="off"
          value={days}
          onValue={setDays}
        />
      </FormFrame>
    </section>
  );
}

/** The language and the theme are kept in the browser, for everybody. */
function Look() {
  return (
    <section class="card stack" aria-labelledby="look-title">
      <h2 id="look-title">{say("Language and theme")}</h2>
      <LanguageChoice />
      <ThemeChoice />
      <p class="hint">{say("Both are kept in this browser.")}</p>
    </section>
  );
}

function Sessions() {
  const out = useForm([]);
  const [asking, setAsking] = useState(false);
  return (
    <section class="card stack" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{say("Sessions")}</h2>
      <p>{say("A browser stays signed in until it is not used for 7 days, and for 30 days at most.")}</p>
      <p><Link to="/app/security">{say("Who has signed in")}</Link></p>
      {out.general && <p class="field-error" role="alert">{out.general}</p>}
      <div class="actions">
        <Button busy={out.busy} onClick={out.submit(() => signOut())}>{say("Sign out")}</Button>
        <Button onClick={() => setAsking(true)}>{say("Sign out everywhere…")}</Button>
      </div>
      {asking && (
        <Confirm title={say("Sign out everywhere?")} action={say("Sign out everywhere")} onConfirm={() => signOut(true)} onClose={() => setAsking(false)}>
          <p>{say("Every browser that is signed in to this account is signed out, this one too. Keys and webhooks keep working.")}</p>
        </Confirm>
      )}
    </section>
  );
}
