// Taking everything of an account away, leaving it, and closing it.
import { announce } from "../../announce";
import { del, getFile, save } from "../../api";
import { Button } from "../../parts/button";
import { ConfirmButton } from "../../parts/confirm";
import { useForm, Wrong } from "../../parts/form";
import { Section } from "../../parts/section";
import { account, leave, may, me, person } from "../../session";
import { say } from "../../text";

/** Hands out everything that is stored of the account. */
export function Export() {
  const form = useForm([]);
  const act = async () => {
    const file = await getFile("/app/api/account/export");
    save(file);
    announce(say("{name} is in your downloads.", { name: file.name }));
  };
  return (
    <Section title={say("Your data")}>
      <p>
        {say(
          "Everything that is stored of this account, as one JSON file: runs, people, settings and the security log. Keys and other secrets are not in it.",
        )}
      </p>
      <Wrong form={form} />
      <div class="actions">
        <Button busy={form.busy} onClick={form.submit(act)}>
          {form.busy ? say("Collecting…") : say("Download your data")}
        </Button>
      </div>
    </Section>
  );
}

/** Ends the account (an owner), or the person's own part in it (everybody but the account's own address). */
export function Ending() {
  const a = account.value!;
  const own = a.email === person.value;
  const mayClose = may("owner");
  if (own && !mayClose) return null;
  const goAway = async () => {
    await del("/app/api/account/membership");
    await leave("/app/sign-in?left");
  };
  const close = async () => {
    await del("/app/api/account", { confirm: a.email });
    await leave("/app/sign-in?closed");
  };
  return (
    <Section title={mayClose ? say("Close the account") : say("Leave the account")}>
      {mayClose && (
        <p>
          {say(
            "Everything of the account is deleted at once and for good: its runs, people, keys, webhook and connections. A subscription is cancelled. Download your data before.",
          )}
        </p>
      )}
      {!own && <p>{say("If you leave, you cannot sign in for {account} any more. The account itself stays.", { account: a.email })}</p>}
      <div class="actions">
        {!own && (
          <ConfirmButton
            label={say("Leave the account…")}
            title={say("Leave the account {account}?", { account: a.email })}
            action={say("Leave the account")}
            onConfirm={goAway}>
            <p>{say("You are signed out, and can come back only by another invitation.")}</p>
          </ConfirmButton>
        )}
        {mayClose && (
          <ConfirmButton
            label={say("Close the account…")}
            title={say("Close the account {account}?", { account: a.email })}
            action={say("Close the account for good")}
            typed={a.email}
            onConfirm={close}>
            <p>
              {say(
                "Everything of it is deleted now, and nobody can bring it back. All people of the account are signed out, and its key stops working.",
              )}
            </p>
            {me.value!.billing && (
              <p>{say("If it has a subscription, that is cancelled at the billing provider first. If that fails, nothing is deleted.")}</p>
            )}
          </ConfirmButton>
        )}
      </div>
    </Section>
  );
}
