import { Page } from "../page";
import { account, may, person } from "../session";
import { say } from "../text";
import { PrimaryLink, SecondaryLink } from "./button";
import { Empty } from "./states";
import { roleInWords } from "./member";

/** What the screen of an address shows to somebody whose role does not include it. */
export function NotForRole() {
  return (
    <Page title={say("Your role does not include this")}>
      <Empty
        title={roleInWords()}
        action={
          <>
            {may("accountant") && <PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>}
            <SecondaryLink to="/app/history">{say("History")}</SecondaryLink>
          </>
        }>
        <p>{say("You are signed in as {email}, for the account {account}.", { email: person.value, account: account.value!.email })}</p>
        <p>{say("An owner of the account can change your role, or do this for you.")}</p>
      </Empty>
    </Page>
  );
}
