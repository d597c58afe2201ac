// The way out of an incomplete setup: what is still to be done before the account can make
// runs, one step after the other.
import type { ComponentChildren } from "preact";
import { Page } from "../../page";
import { PrimaryLink, SecondaryLink } from "../../parts/button";
import { ForAccount } from "../../parts/for-account";
import { Icon } from "../../parts/icon";
import { Section } from "../../parts/section";
import { Link } from "../../router";
import { account, me } from "../../session";
import { say } from "../../text";
import { PhoneNumber } from "./phone";
import { Billed } from "./plans";

export function SetupScreen() {
  return (
    <Page
      title={say("Set up your account")}
      lead={say("Two steps, and then the account can make runs. You can stop here, and go on later.")}>
      <ForAccount>
        <Steps />
      </ForAccount>
    </Page>
  );
}

function Steps() {
  // One thing at a time; but who cannot verify the number here need not wait with the plan.
  const later = me.value!.phone_codes;
  const { phone_verified: phone } = account.value!;
  const subscription = account.value!.subscription === "active";
  return (
    <div class="stack narrow">
      <ol class="steps">
        <Step title={say("The account")} done state={say("done")}>
          <p class="soft">{account.value!.email}</p>
        </Step>
        <Step title={say("Phone number")} done={phone} state={phone ? say("done") : say("next")}>
          {phone ? <p class="soft">{say("The phone number is verified.")}</p> : <PhoneNumber />}
        </Step>
        <Step title={say("Plan")} done={subscription} state={subscription ? say("done") : phone ? say("next") : say("after that")}>
          {subscription ? (
            <p class="soft">{say("The subscription is active.")}</p>
          ) : !phone && later ? (
            <p class="soft">{say("First the phone number, and then you choose a plan.")}</p>
          ) : (
            <Billed />
          )}
        </Step>
      </ol>
      {phone && subscription ? (
        <Section title={say("Everything is ready")}>
          <div class="actions">
            <PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>
            <SecondaryLink to="/app/people">{say("Invite people")}</SecondaryLink>
          </div>
        </Section>
      ) : (
        me.value!.sandbox &&
        phone && (
          <p>
            {say("While you wait, you can try the API with a sandbox key.")} <Link to="/app/keys">{say("API keys")}</Link>
          </p>
        )
      )}
    </div>
  );
}

function Step({ title, done, state, children }: { title: string; done: boolean; state: string; children: ComponentChildren }) {
  return (
    <li class={done ? "step done card" : "step card"}>
      <div class="title-row">
        <h2>{title}</h2>
        <span class={done ? "badge good" : "badge"}>
          {done && <Icon name="check" />}
          {state}
        </span>
      </div>
      {children}
    </li>
  );
}
