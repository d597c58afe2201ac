// Who may sign in for the account, and what they may do.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { del, patch, post } from "../../api";
import { Page } from "../../page";
import { Button } from "../../parts/button";
import { ConfirmButton } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { ForAccount } from "../../parts/for-account";
import { FormFrame, useForm } from "../../parts/form";
import { memberRoleName } from "../../parts/member";
import { Secret } from "../../parts/secret";
import { Section } from "../../parts/section";
import { Loaded } from "../../parts/states";
import { useResource } from "../../resource";
import { refresh } from "../../session";
import type { Invitation, MadeInvitation, Person, People, Role } from "../../views";
import { date, moment, say } from "../../text";
import { RoleChoice } from "./roles";

export function PeopleScreen() {
  return (
    <Page title={say("People")} lead={say("Who may sign in for this account, and what they may do. The account keeps its one API key.")}>
      <ForAccount>
        <Listed />
      </ForAccount>
    </Page>
  );
}

function Listed() {
  const listed = useResource<People>("/app/api/account/people");
  const [link, setLink] = useState<(MadeInvitation & { email: string }) | null>(null);
  const invited = async (email: string, made: MadeInvitation) => {
    setLink({ ...made, email });
    await listed.reload();
  };
  return (
    <>
      <Loaded from={listed}>
        {({ people, invitations }) => (
          <div class="stack roomy">
            <Section title={say("{n} person|{n} people", { n: people.length })} class="stack">
              <ul class="people">
                {people.map((m) => (
                  <One key={m.email} member={m} onChanged={listed.reload} />
                ))}
              </ul>
            </Section>
            {invitations.length > 0 && (
              <Section title={say("{n} open invitation|{n} open invitations", { n: invitations.length })} class="stack">
                <ul class="people">
                  {invitations.map((i) => (
                    <Invited key={i.id} invitation={i} onChanged={listed.reload} />
                  ))}
                </ul>
              </Section>
            )}
            <Invite onInvited={invited} />
          </div>
        )}
      </Loaded>
      {link && (
        <Secret
          title={say("The invitation of {email}", { email: link.email })}
          label={say("Invitation link")}
          secret={new URL(link.link, location.origin).href}
          note={say("Send this link to {email}, and to nobody else. It is shown this once.", { email: link.email })}
          done={say("I have copied it")}
          onClose={() => setLink(null)}>
          <p class="hint">
            {say("The link works once, and for 7 days.")} {link.mailed && say("The person gets it by e-mail too.")}
          </p>
        </Secret>
      )}
    </>
  );
}

function One({ member: m, onChanged }: { member: Person; onChanged: () => Promise<void> }) {
  const [changing, setChanging] = useState(false);
  const remove = async () => {
    await del("/app/api/account/people/" + encodeURIComponent(m.id));
    await onChanged();
    announce(say("{email} is removed, and is signed out.", { email: m.email }));
  };
  return (
    <li class="card person">
      <div>
        <p class="person-name">
          {m.email}
          {m.you && <span class="badge">{say("you")}</span>}
        </p>
        <p class="soft small">
          {m.own ? say("The account’s own address is always an owner.") : m.added_at ? say("Since {date}", { date: date(m.added_at) }) : ""}
        </p>
      </div>
      <span class={m.role === "owner" ? "badge accent" : "badge"}>{memberRoleName(m.role)}</span>
      {!m.own && (
        <div class="actions">
          <Button aria-label={say("Change the role of {email}", { email: m.email })} onClick={() => setChanging(true)}>
            {say("Change the role")}
          </Button>
          <ConfirmButton
            label={say("Remove…")}
            name={say("Remove {email}", { email: m.email })}
            title={say("Remove {email}?", { email: m.email })}
            action={say("Remove")}
            typed={m.email}
            onConfirm={remove}>
            <p>
              {say(
                "The person is signed out of this account at once, and can come back only by another invitation. What they have made stays.",
              )}
            </p>
          </ConfirmButton>
        </div>
      )}
      {changing && <ChangeRole member={m} onChanged={onChanged} onClose={() => setChanging(false)} />}
    </li>
  );
}

function ChangeRole({ member: m, onChanged, onClose }: { member: Person; onChanged: () => Promise<void>; onClose: () => void }) {
  const form = useForm(["role"]);
  const [role, setRole] = useState<Role>(m.role);
  const act = async () => {
    await patch("/app/api/account/people/" + encodeURIComponent(m.id), { role });
    if (m.you) await refresh();
    await onChanged();
    announce(say("Saved. It holds from now on."));
    onClose();
  };
  return (
    <Dialog title={say("The role of {email}", { email: m.email })} onClose={onClose} locked={form.busy}>
      <FormFrame
        form={form}
        act={act}
        submit={say("Save")}
        actions={
          <Button onClick={onClose} disabled={form.busy}>
            {say("Cancel")}
          </Button>
        }>
        <RoleChoice value={role} onValue={setRole} error={form.errors.role} />
      </FormFrame>
    </Dialog>
  );
}

function Invited({ invitation: i, onChanged }: { invitation: Invitation; onChanged: () => Promise<void> }) {
  const withdraw = async () => {
    await del("/app/api/account/people/" + encodeURIComponent(i.id));
    await onChanged();
    announce(say("The invitation is withdrawn."));
  };
  return (
    <li class="card person">
      <div>
        <p class="person-name">{i.email}</p>
        <p class="soft small">{say("Can be accepted until {time}", { time: moment(i.until) })}</p>
      </div>
      <span class="badge">{memberRoleName(i.role)}</span>
      <div class="actions">
        <ConfirmButton
          label={say("Withdraw…")}
          name={say("Withdraw the invitation of {email}", { email: i.email })}
          title={say("Withdraw the invitation of {email}?", { email: i.email })}
          action={say("Withdraw the invitation")}
          keep={say("Keep it")}
          onConfirm={withdraw}>
          <p>{say("Its link does not work any more.")}</p>
        </ConfirmButton>
      </div>
    </li>
  );
}

function Invite({ onInvited }: { onInvited: (email: string, made: MadeInvitation) => Promise<void> }) {
  const form = useForm(["email", "role"]);
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("accountant");
  const act = async () => {
    const made = await post<MadeInvitation>("/app/api/account/people", { email: email.trim(), role });
    setEmail(""); // before the list is read again, when the next one may be typed
    await onInvited(email.trim(), made);
  };
  return (
    <Section title={say("Invite somebody")} class="card stack narrow">
      <FormFrame form={form} act={act} label={say("Invite somebody")} submit={say("Make an invitation")}>
        <Field
          label={say("E-mail address")}
          error={form.errors.email}
          type="email"
          inputMode="email"
          autocomplete="off"
          spellcheck={false}
          placeholder="accounts@shop.example"
          value={email}
          onValue={setEmail}
        />
        <RoleChoice value={role} onValue={setRole} error={form.errors.role} />
      </FormFrame>
    </Section>
  );
}
