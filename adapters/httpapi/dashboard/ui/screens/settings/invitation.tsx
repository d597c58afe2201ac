// An invitation that somebody has been sent: what it is to, and accepting it.
import { useEffect, useState } from "preact/hooks";
import { announce } from "../../announce";
import { ApiError, messageOf, post } from "../../api";
import { clear } from "../../files";
import { Page } from "../../page";
import { Button, SecondaryLink } from "../../parts/button";
import { Fact } from "../../parts/fact";
import { useForm, Wrong } from "../../parts/form";
import { memberRoleName } from "../../parts/member";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Empty, Failed, Loading } from "../../parts/states";
import { navigate } from "../../router";
import { account, person, refresh } from "../../session";
import { invitationToken } from "../../sign-in-link";
import { moment, say } from "../../text";
import { roleExplained } from "./roles";
import type { Accepted, InvitedTo } from "../../views";

export function InvitationScreen() {
  const token = invitationToken.value;
  return (
    <Page title={say("Invitation")}>
      <div class="narrow">{token ? <Opened key={token} token={token} /> : <NoLink />}</div>
    </Page>
  );
}

/** The link was not opened here, or the page was loaded again. */
function NoLink() {
  return (
    <Empty
      title={say("Open the link of your invitation")}
      action={
        <SecondaryLink to={account.value ? "/app" : "/app/sign-in"}>{account.value ? say("Continue") : say("Sign in")}</SecondaryLink>
      }>
      <p>{say("The link is in the message that you were sent. Open the whole link, from http to its end.")}</p>
    </Empty>
  );
}

function Opened({ token }: { token: string }) {
  const [found, setFound] = useState<InvitedTo | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const look = async () => {
    setFailure(null);
    try {
      setFound(await post<InvitedTo>("/app/api/invitation", { token }));
    } catch (e) {
      setFailure(e);
    }
  };
  useEffect(() => void look(), []);
  if (failure) {
    const passing = failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 500);
    if (passing) return <Failed message={messageOf(failure)} onRetry={() => void look()} />;
    return (
      <Notice kind="error" title={say("This invitation cannot be accepted")}>
        <p>{messageOf(failure)}</p>
      </Notice>
    );
  }
  return found ? <Accept token={token} to={found} /> : <Loading />;
}

function Accept({ token, to }: { token: string; to: InvitedTo }) {
  const form = useForm([]);
  const act = async () => {
    const { accepted, sign_in } = await post<Accepted>("/app/api/invitation/accept", { token });
    if (!accepted && sign_in) return location.assign(sign_in);
    invitationToken.value = "";
    clear();
    await refresh();
    announce(say("You work for {account} now.", { account: to.account }));
    navigate("/app", { replace: true });
  };
  const other = account.value && person.value !== to.email;
  return (
    <Section title={say("{account} invites you", { account: to.account })}>
      <dl class="attributes">
        <Fact term={say("For")}>{to.email}</Fact>
        <Fact term={say("Role")}>{memberRoleName(to.role)}</Fact>
        <Fact term={say("Can be accepted until")}>{moment(to.until)}</Fact>
      </dl>
      <p>{roleExplained(to.role)}</p>
      {other && (
        <Notice live={false}>
          <p>
            {say("You are signed in as {email}. The invitation is for {other}: accepting it signs you in as that person.", {
              email: person.value,
              other: to.email,
            })}
          </p>
        </Notice>
      )}
      <Wrong form={form} />
      <div class="actions">
        <Button look="primary" busy={form.busy} onClick={form.submit(act)}>
          {say("Accept")}
        </Button>
      </div>
      <p class="hint">{say("If you do not know who has sent this, close the page: nothing happens.")}</p>
    </Section>
  );
}
