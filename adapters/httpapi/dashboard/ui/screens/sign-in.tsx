// Signing in: by the one-time link of the command line, or at the identity provider.
import { useState } from "preact/hooks";
import { ApiError, messageOf, post } from "../api";
import { answer, files } from "../files";
import { Page } from "../page";
import { Button, PrimaryLink } from "../parts/button";
import { Code } from "../parts/code";
import { Field } from "../parts/field";
import { FormFrame, useForm } from "../parts/form";
import { GoOn, Lost } from "../parts/lost";
import { Notice } from "../parts/notice";
import { Link, navigate, place } from "../router";
import { lost, me, person, refresh, signOut } from "../session";
import { linkToken, tokenOf } from "../sign-in-link";
import { say } from "../text";

/** Where to go after signing in: a page of ours, or the first page. */
function pageOf(to: string | null): string {
  if (!to) return "/app";
  let target: URL;
  try {
    target = new URL(to, location.origin);
  } catch {
    return "/app";
  }
  const ours = target.origin === location.origin && /^\/app(\/|$)/.test(target.pathname);
  if (!ours || /^\/app\/(api|assets|sign-in)(\/|$)/.test(target.pathname)) return "/app";
  return target.pathname + target.search + target.hash;
}

export function SignInScreen() {
  const { search } = place.value;
  const to = pageOf(search.get("to"));
  const signedIn = me.value?.visitor === "account";
  return (
    <Page title={say("Sign in")}>
      <div class="stack narrow">
        <Lost />
        <WhatHappened search={search} />
        {linkToken.value ? <Redeem key={linkToken.value} to={to} /> : signedIn ? <SignedIn to={to} /> : <Ways to={to} />}
        {!signedIn && <Otherwise to={to} />}
      </div>
    </Page>
  );
}

/** A sign-out, the end of an account, or a sign-in that failed at the provider. */
function WhatHappened({ search }: { search: URLSearchParams }) {
  const failed = search.get("failed");
  if (failed !== null) return <Notice kind="error">{failureText(failed)}</Notice>;
  if (me.value?.visitor === "account") return null;
  const text = search.has("closed")
    ? say("The account is closed, and everything of it is deleted.")
    : search.has("left")
      ? say("You have left the account, and are signed out.")
      : search.has("signed-out")
        ? say("You are signed out. The files and results of this tab are forgotten.")
        : "";
  return text ? (
    <Notice kind="good" live>
      {text}
    </Notice>
  ) : null;
}

function failureText(code: string): string {
  switch (code) {
    case "setup_incomplete":
      if (me.value!.sign_up) return say("The identity provider has not verified your e-mail address. Verify it there, and sign in again.");
      return say(
        "The identity provider knows you, but there is no account for your e-mail address here, or the provider has not verified the address. Ask whoever runs this service for an account.",
      );
    case "identity_provider_unavailable":
      return say("The identity provider does not answer. Try again in a minute.");
    case "invitation_invalid":
      return say("The invitation was accepted before, was withdrawn or has expired. Ask who has invited you for another one.");
    case "invitation_of_another":
      return say(
        "The invitation is for another e-mail address than the one with which you have signed in at the identity provider. Open its link again, and sign in there with the address that was invited.",
      );
    case "too_many_sign_ups":
      return say("Too many accounts were made in a short time. Try again in some hours, or ask whoever runs this service for an account.");
    case "rate_limited":
      return say("There were too many sign-ins in a short time. Try again in a minute.");
    default:
      return say("Signing in at the identity provider did not work, or took too long. Try again.");
  }
}

function SignedIn({ to }: { to: string }) {
  return (
    <section class="card stack">
      <p>{say("You are signed in as {email}.", { email: person.value })}</p>
      <div class="actions">
        <PrimaryLink to={to}>{say("Continue")}</PrimaryLink>
        <SignOut />
      </div>
    </section>
  );
}

function SignOut() {
  const form = useForm([]);
  return (
    <Button busy={form.busy} onClick={form.submit(() => signOut())}>
      {say("Sign out")}
    </Button>
  );
}

/** Signs in with a token, and goes where the person wanted to go. */
async function redeem(value: string, to: string) {
  await post("/app/api/sign-in", { token: value });
  await refresh();
  linkToken.value = "";
  navigate(to, { replace: true });
}

/** Nothing signs in by itself: a program that only opens links must not use one up. */
function Redeem({ to }: { to: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const other = person.value;
  const act = async () => {
    setBusy(true);
    try {
      await redeem(linkToken.value, to);
    } catch (e) {
      setFailure(e);
      setBusy(false);
    }
  };
  const spent = failure instanceof ApiError && (failure.status === 401 || failure.status === 403);
  return (
    <section class="card stack">
      {failure ? (
        <Notice kind="error" title={say("The link did not sign you in")}>
          <p>{messageOf(failure)}</p>
        </Notice>
      ) : (
        <>
          <p>{say("You have opened a sign-in link. It works once.")}</p>
          <p>{say("This browser stays signed in until it is not used for 7 days, and for 30 days at most.")}</p>
        </>
      )}
      {other && !failure && (
        <p>{say("You are signed in as {email}. If you continue, you are signed in to the link’s account instead.", { email: other })}</p>
      )}
      <div class="actions">
        {spent ? (
          <Button look="primary" onClick={() => (linkToken.value = "")}>
            {say("Sign in in another way")}
          </Button>
        ) : (
          <Button look="primary" busy={busy} onClick={act}>
            {failure ? say("Try again") : say("Sign in")}
          </Button>
        )}
      </div>
    </section>
  );
}

function Ways({ to }: { to: string }) {
  const ways = me.value!.sign_in;
  const apart = answer.value !== null || files.value.length > 0; // which leaving the page would lose
  return (
    <>
      {ways.oidc && (
        <section class="card stack">
          <h2>{say("With your organisation’s account")}</h2>
          <p>
            {apart
              ? say("Your identity provider opens in another tab, because this one has your files. Come back to it when you are signed in.")
              : say("You are sent to your identity provider and come back here.")}
          </p>
          {me.value!.sign_up && <p>{say("If you have no account yet, one is made for your e-mail address.")}</p>}
          <div class="actions">
            <a
              class="button primary"
              target={apart ? "_blank" : undefined}
              href={"/app/api/sign-in/oidc?to=" + encodeURIComponent(apart ? "/app" : to)}>
              {say("Continue to sign in")}
            </a>
          </div>
        </section>
      )}
      {ways.link && <ByLink to={to} />}
      {!ways.oidc && !ways.link && (
        <Notice>{say("Signing in is not set up on this service. Whoever runs it has to set MILAAN_OIDC_CLIENT_ID.")}</Notice>
      )}
    </>
  );
}

function ByLink({ to }: { to: string }) {
  const form = useForm(["token"]);
  const [text, setText] = useState("");
  const act = async () => {
    const value = tokenOf(text) || text.trim();
    if (!value || /[\s#/]/.test(value)) throw new ApiError(0, "", say("Paste the whole link, from http to its end."), "token");
    try {
      await redeem(value, to);
    } catch (e) {
      if (!(e instanceof ApiError)) throw e;
      throw new ApiError(e.status, e.code, e.message, "token");
    }
  };
  return (
    <section class="card stack">
      <h2>{say("With a sign-in link")}</h2>
      <p>{say("Whoever runs this service makes a link for you on the command line, with the e-mail address of your account:")}</p>
      <Code label={say("Command that makes a sign-in link")} text="milaan session --email you@shop.example --link" />
      <p>{say("Open the link that is printed, or paste it here. It works once, and for 10 minutes.")}</p>
      <FormFrame form={form} act={act} submit={say("Sign in")}>
        <Field label={say("Sign-in link")} error={form.errors.token} value={text} onValue={setText} autocomplete="off" spellcheck={false} />
      </FormFrame>
      <details class="folded">
        <summary>{say("No account yet?")}</summary>
        <div class="stack tight">
          <p>{say("Whoever runs this service makes one on the command line:")}</p>
          <Code label={say("Command that makes an account")} text="milaan account create --email you@shop.example --plan pro" />
        </div>
      </details>
    </section>
  );
}

function Otherwise({ to }: { to: string }) {
  return (
    <section class="stack tight">
      <h2>{say("Without signing in")}</h2>
      {me.value?.visitor === "local" && (
        <p>
          {lost.value ? <GoOn then={() => navigate(to)} /> : <Link to="/app">{say("Reconcile files on this machine")}</Link>}{" "}
          <span class="soft">{say("Nothing is stored.")}</span>
        </p>
      )}
      <p>
        <Link to="/app/results?sample">{say("Look at a sample run")}</Link>{" "}
        <span class="soft">{say("The files are those of an invented shop.")}</span>
      </p>
    </section>
  );
}
