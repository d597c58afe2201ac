// The security log: who has signed in, and what was changed for the account.
import { Page } from "../../page";
import { ForAccount } from "../../parts/for-account";
import { memberRoleName } from "../../parts/member";
import { Empty, Loaded } from "../../parts/states";
import { Table } from "../../parts/table";
import { useResource } from "../../resource";
import { courierName } from "../../session";
import type { SecurityEvent } from "../../views";
import { moment, say } from "../../text";

export function SecurityScreen() {
  return (
    <Page
      title={say("Security log")}
      lead={say(
        "Sign-ins, and changes of keys, webhook, branding and account. If you do not know one of them, sign out everywhere and replace the key.",
      )}>
      <ForAccount>
        <Log />
      </ForAccount>
    </Page>
  );
}

function Log() {
  const log = useResource<{ events: SecurityEvent[] }>("/app/api/security");
  return (
    <Loaded from={log}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty title={say("Nothing has happened yet")}>
            <p>{say("The next sign-in is listed here.")}</p>
          </Empty>
        ) : (
          <div class="stack">
            <Table
              caption={say("Security events, the latest first")}
              headings={[say("When"), say("What"), say("Detail"), say("Done through")]}>
              {events.map((e, i) => (
                <tr key={i}>
                  <th scope="row">{moment(e.at)}</th>
                  <td data-label={say("What")}>{kindName(e.kind)}</td>
                  <td data-label={say("Detail")} class="cell-text">
                    {detailOf(e)}
                  </td>
                  <td data-label={say("Done through")}>{wayName(e.via)}</td>
                </tr>
              ))}
            </Table>
            <p class="hint">{say("The latest 200 are listed. Events are kept for 400 days.")}</p>
          </div>
        )
      }
    </Loaded>
  );
}

/** What happened. A kind that is not known here is shown as it is. */
function kindName(kind: string): string {
  switch (kind) {
    case "sign_in_link_made":
      return say("A sign-in link was made");
    case "signed_in":
      return say("Somebody signed in");
    case "signed_out_everywhere":
      return say("All sessions were ended");
    case "key_issued":
      return say("A key was made");
    case "key_revoked":
      return say("The key was revoked");
    case "webhook_set":
      return say("The webhook was set");
    case "webhook_rotated":
      return say("The signing secret was rotated");
    case "webhook_removed":
      return say("The webhook was removed");
    case "branding_changed":
      return say("The branding was changed");
    case "mapping_removed":
      return say("A saved mapping was deleted");
    case "connection_changed":
      return say("A connection of the autopilot was changed");
    case "file_ignored":
      return say("A file of the autopilot was ignored");
    case "file_taken_back":
      return say("A file of the autopilot is compared again");
    case "account_changed":
      return say("The account was changed");
    case "account_exported":
      return say("All data of the account was exported");
    case "signed_up":
      return say("The account was made at the first sign-in");
    case "phone_code_sent":
      return say("A code was sent to a phone");
    case "phone_verified":
      return say("The phone number was verified");
    case "invitation_made":
      return say("Somebody was invited");
    case "invitation_withdrawn":
      return say("An invitation was withdrawn");
    case "member_added":
      return say("An invitation was accepted");
    case "member_changed":
      return say("The role of a person was changed");
    case "member_removed":
      return say("A person was removed, or has left");
  }
  return kind;
}

function wayName(way: string): string {
  switch (way) {
    case "dashboard":
      return say("Dashboard");
    case "command_line":
      return say("Command line");
    case "api":
      return say("API");
    case "billing":
      return say("Billing provider");
  }
  return way;
}

function detailOf({ kind, detail }: SecurityEvent): string {
  switch (kind) {
    case "signed_in":
      return detail === "link" ? say("with a link") : detail;
    case "mapping_removed":
      return courierName(detail);
    case "invitation_made":
    case "invitation_withdrawn":
    case "member_added":
    case "member_changed":
    case "member_removed":
      return memberRoleName(detail);
    case "account_changed":
      return detail.split(", ").map(fieldName).join(", ");
    case "signed_out_everywhere":
      return /^\d+$/.test(detail) ? say("{n} session|{n} sessions", { n: Number(detail) }) : detail;
  }
  return detail;
}

/** What of the account was changed. */
function fieldName(field: string): string {
  switch (field) {
    case "plan":
      return say("plan");
    case "subscription":
      return say("subscription");
    case "subscribed_on":
      return say("day of the subscription");
    case "billed_period":
      return say("period that is paid for");
    case "billing_day":
      return say("day of the month on which the count starts again");
    case "phone_verified":
      return say("phone number");
    case "run_cap":
      return say("number of runs in a month");
    case "overdue_days":
      return say("days until an order is overdue");
    case "charges":
      return say("whether charges are accepted");
  }
  return field;
}
