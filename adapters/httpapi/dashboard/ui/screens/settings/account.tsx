// The account: what was bought and how much of it is used, its phone number, how the pages
// look, and how it ends.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { patch } from "../../api";
import { Page } from "../../page";
import { Bar } from "../../parts/bar";
import { Button } from "../../parts/button";
import { Switch } from "../../parts/choices";
import { ConfirmButton } from "../../parts/confirm";
import { Fact } from "../../parts/fact";
import { Field } from "../../parts/field";
import { ForAccount } from "../../parts/for-account";
import { FormFrame, onceSaved, useForm, Wrong } from "../../parts/form";
import { LanguageChoice, ThemeChoice } from "../../parts/look";
import { memberRoleName } from "../../parts/member";
import { Section } from "../../parts/section";
import { Link } from "../../router";
import { account, may, me, person, quota, signOut } from "../../session";
import type { Account } from "../../views";
import { count, date, say } from "../../text";
import { Ending, Export } from "./closing";
import { PhoneNumber } from "./phone";
import { Billed, planName, subscriptionName } from "./plans";

export function AccountScreen() {
  const owns = account.value !== null && may("owner");
  return (
    <Page title={say("Account")} lead={account.value?.email}>
      <div class="halves">
        <ForAccount>
          <Plan of={account.value!} />
          {owns && <Phone />}
          {owns && <OverdueDays of={account.value!} />}
          {owns && <Charges of={account.value!} />}
        </ForAccount>
        <Look />
        {account.value && <Sessions />}
        {owns && <Export />}
        {account.value && <Ending />}
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
        <Fact term={say("Plan")}>{planName(a.plan)}</Fact>
        <Fact term={say("Phone number")}>{a.phone_verified ? say("verified") : say("not verified: the API needs it")}</Fact>
        <Fact term={say("Account since")}>{date(a.created_at)}</Fact>
      </dl>
      {q &&
        (q.cap === null ? (
          <p>{say("{n} run in this month. Your plan has no limit.|{n} runs in this month. Your plan has no limit.", { n: q.used })}</p>
        ) : (
          <Bar
            label={say(
              "{used} of {n} run is used. The count starts again on {date}.|{used} of {n} runs are used. The count starts again on {date}.",
              { used: q.used, n: q.cap, date: date(q.resets_on) },
            )}
            value={q.used}
            max={q.cap}
            full={q.used >= q.cap}
          />
        ))}
      {may("owner") ? <Billed /> : <p class="hint">{say("An owner of the account can change the plan.")}</p>}
    </section>
  );
}

function Phone() {
  return (
    <Section title={say("Phone number")}>
      <PhoneNumber />
    </Section>
  );
}

function OverdueDays({ of: a }: { of: Account }) {
  const form = useForm(["overdue_days"]);
  const usual = me.value!.defaults.overdue_days;
  const [days, setDays] = useState(a.overdue_days ? String(a.overdue_days) : "");
  const act = async () => {
    // What is no number is the service's to refuse, with its own words.
    const typed = days.trim();
    const kept = await patch<Account>("/app/api/account", {
      overdue_days: typed === "" ? 0 : /^-?\d+$/.test(typed) ? Number(typed) : typed,
    });
    me.value = { ...me.value!, account: kept };
    setDays(onceSaved(days, kept.overdue_days ? String(kept.overdue_days) : ""));
    announce(say("Saved."));
  };
  return (
    <Section title={say("When an order is overdue")}>
      <FormFrame form={form} act={act} submit={say("Save")}>
        <Field
          label={say("Days after delivery")}
          hint={say("How many days your couriers have to pay you. If it is blank, {days}. A single run may have another number.", {
            days: count(usual),
          })}
          error={form.errors.overdue_days}
          inputMode="numeric"
          class="short"
          autocomplete="off"
          value={days}
          onValue={setDays}
        />
      </FormFrame>
    </Section>
  );
}

function Charges({ of: a }: { of: Account }) {
  const form = useForm([]);
  const choose = (on: boolean) =>
    form.submit(async () => {
      const kept = await patch<Account>("/app/api/account", { charges: on ? "accept" : "flag" });
      me.value = { ...me.value!, account: kept };
      announce(say("Saved."));
    });
  return (
    <Section title={say("Charges of couriers")}>
      <Switch
        label={say("Accept charges")}
        hint={say(
          "What a courier has deducted counts as paid where the charges that its report states explain it. A single run or connection may say otherwise.",
        )}
        on={a.charges === "accept"}
        busy={form.busy}
        onValue={(on, e) => choose(on)(e)}
      />
      <Wrong form={form} />
    </Section>
  );
}

/** The language and the theme are kept in the browser, for everybody. */
function Look() {
  return (
    <Section title={say("Language and theme")}>
      <LanguageChoice />
      <ThemeChoice />
      <p class="hint">{say("Both are kept in this browser.")}</p>
    </Section>
  );
}

function Sessions() {
  const out = useForm([]);
  const owns = may("owner");
  return (
    <Section title={say("Sessions")}>
      <p>
        {say("You are signed in as {email}.", { email: person.value })}{" "}
        {me.value!.role && say("Your role: {role}.", { role: memberRoleName(me.value!.role) })}
      </p>
      <p>{say("A browser stays signed in until it is not used for 7 days, and for 30 days at most.")}</p>
      {owns && (
        <p>
          <Link to="/app/security">{say("Who has signed in")}</Link>
        </p>
      )}
      <Wrong form={out} />
      <div class="actions">
        <Button busy={out.busy} onClick={out.submit(() => signOut())}>
          {say("Sign out")}
        </Button>
        <ConfirmButton
          label={say("Sign out everywhere…")}
          title={say("Sign out everywhere?")}
          action={say("Sign out everywhere")}
          onConfirm={() => signOut("own")}>
          <p>
            {say("Every browser in which you are signed in to this account is signed out, this one too. Keys and webhooks keep working.")}
          </p>
        </ConfirmButton>
        {owns && (
          <ConfirmButton
            label={say("Sign everybody out…")}
            title={say("Sign everybody out?")}
            action={say("Sign everybody out")}
            onConfirm={() => signOut("all")}>
            <p>{say("Everybody who works for this account is signed out in every browser, you too. Keys and webhooks keep working.")}</p>
          </ConfirmButton>
        )}
      </div>
    </Section>
  );
}
