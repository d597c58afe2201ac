// The security log: who has signed in, and who has changed what for the account.
import { announce } from "../../announce";
import { getFile, save } from "../../api";
import { Page } from "../../page";
import { ForAccount } from "../../parts/for-account";
import { Button } from "../../parts/button";
import { useForm, Wrong } from "../../parts/form";
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
        "Who has signed in, who has changed what, and from which address. If you do not know one of them, sign out everywhere and replace the key.",
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
              headings={[say("When"), say("What"), say("About"), say("By whom"), say("Address")]}>
              {events.map((e, i) => (
                <tr key={i}>
                  <th scope="row">{moment(e.at)}</th>
                  <td data-label={say("What")}>{kindName(e.kind)}</td>
                  <td data-label={say("About")} class="cell-text">
                    {[e.whom, detailOf(e)].filter(Boolean).join(", ")}
                  </td>
                  <td data-label={say("By whom")} class="cell-text">
                    {e.actor && e.via === "invitation"
                      ? say("Somebody with the invitation of {email}", { email: e.actor })
                      : (e.actor ?? nobodyNamed(e.via))}
                  </td>
                  <td data-label={say("Address")}>{[e.address, wayName(e.via)].filter(Boolean).join(", ")}</td>
                </tr>
              ))}
            </Table>
            <p class="hint">
              {say(
                "The latest 200 are listed; a download has all. Lines are kept for 400 days. The e-mail and IP addresses in them are encrypted in the database, only owners see them, and they are deleted with the account.",
              )}
            </p>
            <Download />
          </div>
        )
      }
    </Loaded>
  );
}

/** Hands out the whole log. */
function Download() {
  const form = useForm([]);
  const fetched = (format: string) => async () => {
    const file = await getFile("/app/api/security/download?format=" + format);
    save(file);
    announce(say("{name} is in your downloads.", { name: file.name }));
  };
  return (
    <>
      <Wrong form={form} />
      <div class="actions">
        <Button busy={form.busy} onClick={form.submit(fetched("csv"))}>
          {say("Download as CSV")}
        </Button>
        <Button busy={form.busy} onClick={form.submit(fetched("json"))}>
          {say("Download as JSON")}
        </Button>
      </div>
    </>
  );
}

/** Who did something of which no person is known. */
function nobodyNamed(way: string): string {
  switch (way) {
    case "command_line":
      return say("The operator");
    case "billing":
      return "Razorpay";
    case "invitation":
      return say("Somebody with the link of an invitation");
  }
  return say("not known");
}

/** What happened. A kind that is not known here is shown as it is. */
function kindName(kind: string): string {
  switch (kind) {
    case "sign_in_link_made":
      return say("A sign-in link was made");
    case "session_token_made":
      return say("A session token was made");
    case "signed_in":
      return say("Somebody signed in");
    case "sign_in_refused":
      return say("A sign-in was refused");
    case "refused_by_role":
      return say("Somebody asked for what their role does not allow");
    case "signed_out_everywhere":
      return say("All sessions were ended");
    case "key_issued":
      return say("A key was made");
    case "key_replaced":
      return say("The key was replaced");
    case "revoked_key_used":
      return say("Somebody used a revoked key");
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
    case "mapping_saved":
      return say("A mapping was saved under a name");
    case "mapping_removed":
      return say("A saved mapping was deleted");
    case "connection_made":
      return say("A connection of the autopilot was made");
    case "connection_secrets_changed":
      return say("Credentials of a connection were changed");
    case "connection_paused":
      return say("A connection was paused");
    case "connection_resumed":
      return say("A connection was resumed");
    case "connection_removed":
      return say("A connection of the autopilot was deleted");
    case "connection_changed":
      return say("A connection of the autopilot was changed");
    case "items_kept":
      return say("The open items of a connection are kept from now on");
    case "items_deleted":
      return say("The open items of a connection were deleted, and are kept no more");
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
    case "invitation":
      return "";
  }
  return way;
}

function detailOf({ kind, detail }: SecurityEvent): string {
  switch (kind) {
    case "signed_in":
    case "sign_in_refused":
      return signInName(detail);
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

/** How somebody signed in, or wanted to. */
function signInName(detail: string): string {
  switch (detail) {
    case "link":
      return say("with a link");
    case "invitation":
      return say("with an invitation");
    case "switch":
      return say("from another account");
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
