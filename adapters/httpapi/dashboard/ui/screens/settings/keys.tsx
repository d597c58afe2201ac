// The account's key for programs: it has one, which is shown once.
import { Page } from "../../page";
import { Button, PrimaryLink, SecondaryLink } from "../../parts/button";
import { Code } from "../../parts/code";
import { ForAccount } from "../../parts/for-account";
import { useForm, Wrong } from "../../parts/form";
import { Secret } from "../../parts/secret";
import { Section } from "../../parts/section";
import { Empty, Loaded } from "../../parts/states";
import { account, me, unfinished } from "../../session";
import type { Account } from "../../views";
import { say } from "../../text";
import { command, KeyAttributes, KeyButtons, useKey } from "./key-parts";
import { Sandbox } from "./sandbox";

export function KeysScreen() {
  return (
    <Page title={say("API keys")} lead={say("With a key, programs reconcile files for your account. An account has one key at a time.")}>
      <ForAccount>
        <div class="stack roomy">
          {account.value?.may_use_api ? <Keys /> : <NotAllowed />}
          {me.value!.sandbox && <Sandbox />}
        </div>
      </ForAccount>
    </Page>
  );
}

/** Why an account may not use the API. The service has the rule; these are its words. */
function NotAllowed() {
  return (
    <Empty
      title={say("Your account cannot use the API")}
      action={
        unfinished.value ? (
          <PrimaryLink to="/app/setup">{say("Finish the setup")}</PrimaryLink>
        ) : (
          <SecondaryLink to="/app/account">{say("Your account")}</SecondaryLink>
        )
      }>
      <p>{reasonOf(account.value!)}</p>
      {account.value!.phone_verified && account.value!.subscription === "active" && (
        <p>{say("You can reconcile files on these pages all the same.")}</p>
      )}
    </Empty>
  );
}

function reasonOf(a: Account): string {
  if (!a.phone_verified) return say("The phone number of the account is not verified.");
  if (a.subscription === "incomplete") return say("The account is not set up completely.");
  if (a.subscription !== "active") return say("The subscription has ended.");
  return say("The API is part of the Pro and Enterprise plans.");
}

function Keys() {
  const { active, replace, revoke, secret } = useKey("/app/api/key");
  return (
    <>
      <Loaded from={active}>
        {({ key }) => (
          <div class="stack roomy">
            {key ? (
              <Section title={say("Active key")}>
                <KeyAttributes of={key} />
                <KeyButtons of={key} onReplace={replace} onRevoke={() => revoke(say("The key is revoked."))} />
              </Section>
            ) : (
              <NoKey onCreate={replace} />
            )}
            <Quickstart prefix={key?.prefix ?? ""} />
          </div>
        )}
      </Loaded>
      {secret && (
        <Secret title={say("Your new key")} label={say("API key")} {...secret}>
          <p class="hint">{say("Give it to nobody but the programs that need it. Whoever has it can make runs for your account.")}</p>
        </Secret>
      )}
    </>
  );
}

function NoKey({ onCreate }: { onCreate: () => Promise<void> }) {
  const form = useForm([]);
  return (
    <Empty
      title={say("No key yet")}
      action={
        <Button look="primary" busy={form.busy} onClick={form.submit(onCreate)}>
          {say("Create a key")}
        </Button>
      }>
      <p>{say("The key is shown once, right after it is made.")}</p>
      <Wrong form={form} />
    </Empty>
  );
}

function Quickstart({ prefix }: { prefix: string }) {
  return (
    <Section title={say("Reconcile from the command line")} class="stack">
      <p class="prose">
        {say(
          "Replace the shortened key in this command by your whole key. The two files are the orders export and the courier’s report, as they are.",
        )}
      </p>
      <Code label={say("Command that reconciles two files")} text={command(prefix || "milaan_live_", "curl")} />
      <p class="prose soft">
        {say("A key may make 10 requests in 60 seconds. If it makes more, it is refused for 5 minutes, and the answer says for how long.")}
      </p>
      <p>
        <a href="/docs">{say("All fields, limits and errors of the API")}</a>
      </p>
    </Section>
  );
}
