import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { navigate } from "../router";
import { account, me, signInAddress } from "../session";
import { say } from "../text";
import { PrimaryLink, SecondaryLink } from "./button";
import { Empty } from "./states";

/** What only an account has. Everybody else is led to where one signs in. */
export function ForAccount({ children }: { children: ComponentChildren }) {
  const signedIn = account.value !== null;
  const local = me.value?.visitor === "local";
  useEffect(() => {
    if (!signedIn && !local) navigate(signInAddress(), { replace: true });
  }, [signedIn, local]);
  if (signedIn) return <>{children}</>;
  if (!local) return null;
  return (
    <Empty
      title={say("You need an account for this")}
      action={
        <>
          <PrimaryLink to={signInAddress()}>{say("Sign in")}</PrimaryLink>
          <SecondaryLink to="/app">{say("Reconcile files")}</SecondaryLink>
        </>
      }>
      <p>
        {say(
          "You work on this machine without an account, so nothing is stored. With an account, Milaan keeps the counts and sums of your runs, and offers keys, webhooks and your own branding.",
        )}
      </p>
    </Empty>
  );
}
