// Which mails of the autopilot the account wants.
import { announce } from "../../announce";
import { put } from "../../api";
import { Switch } from "../../parts/choices";
import { useForm, Wrong } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Loaded } from "../../parts/states";
import { useResource } from "../../resource";
import { account } from "../../session";
import { say } from "../../text";
import type { MailChoice } from "../../views";

export function Mails() {
  const choice = useResource<MailChoice>("/app/api/mails");
  const form = useForm([]);
  const choose = (change: Partial<MailChoice>) =>
    form.submit(async () => {
      choice.set(await put<MailChoice>("/app/api/mails", change));
      announce(say("Saved."));
    });
  return (
    <Section title={say("E-mails")} class="card stack tight">
      <Loaded from={choice}>
        {(now) => (
          <>
            {now.enabled ? (
              <p class="soft">{say("They go to {email}.", { email: account.value!.email })}</p>
            ) : (
              <Notice>{say("This service sends no e-mails: its operator has set no mail server. Your choice is kept.")}</Notice>
            )}
            <Switch
              on={now.digest}
              busy={form.busy}
              label={say("Weekly digest")}
              hint={say(
                "On Mondays at 9:00: what the runs of the week have found, worst first. Nothing is sent of a week with nothing to say.",
              )}
              onValue={(digest, e) => choose({ digest })(e)}
            />
            <Switch
              on={now.alerts}
              busy={form.busy}
              label={say("Alerts")}
              hint={say(
                "When passes have failed for a day, when a source has brought nothing new for too long, and when more money is at risk than the limit of a connection.",
              )}
              onValue={(alerts, e) => choose({ alerts })(e)}
            />
            <Wrong form={form} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
