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
import { moment, named, say } from "../../text";

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
const nobodyNamed = (way: string) =>
  named(
    way,
    {
      command_line: say("The operator"),
      billing: "Razorpay",
      invitation: say("Somebody with the link of an invitation"),
    },
    say("not known"),
  );

/** What happened. A kind that is not known here is shown as it is. */
const kindName = (kind: string) =>
  named(kind, {
    sign_in_link_made: say("A sign-in link was made"),
    session_token_made: say("A session token was made"),
    signed_in: say("Somebody signed in"),
    sign_in_refused: say("A sign-in was refused"),
    refused_by_role: say("Somebody asked for what their role does not allow"),
    signed_out_everywhere: say("All sessions were ended"),
    key_issued: say("A key was made"),
    key_replaced: say("The key was replaced"),
    revoked_key_used: say("Somebody used a revoked key"),
    key_revoked: say("The key was revoked"),
    webhook_set: say("The webhook was set"),
    webhook_rotated: say("The signing secret was rotated"),
    webhook_removed: say("The webhook was removed"),
    branding_changed: say("The branding was changed"),
    mapping_saved: say("A mapping was saved under a name"),
    mapping_removed: say("A saved mapping was deleted"),
    connection_made: say("A connection of the autopilot was made"),
    connection_secrets_changed: say("Credentials of a connection were changed"),
    connection_paused: say("A connection was paused"),
    connection_resumed: say("A connection was resumed"),
    connection_removed: say("A connection of the autopilot was deleted"),
    connection_changed: say("A connection of the autopilot was changed"),
    items_kept: say("The open items of a connection are kept from now on"),
    items_deleted: say("The open items of a connection were deleted, and are kept no more"),
    file_ignored: say("A file of the autopilot was ignored"),
    file_taken_back: say("A file of the autopilot is compared again"),
    account_changed: say("The account was changed"),
    account_exported: say("All data of the account was exported"),
    signed_up: say("The account was made at the first sign-in"),
    phone_code_sent: say("A code was sent to a phone"),
    phone_verified: say("The phone number was verified"),
    invitation_made: say("Somebody was invited"),
    invitation_withdrawn: say("An invitation was withdrawn"),
    member_added: say("An invitation was accepted"),
    member_changed: say("The role of a person was changed"),
    member_removed: say("A person was removed, or has left"),
  });

const wayName = (way: string) =>
  named(way, {
    dashboard: say("Dashboard"),
    command_line: say("Command line"),
    api: say("API"),
    invitation: "",
  });

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
const signInName = (detail: string) =>
  named(detail, {
    link: say("with a link"),
    invitation: say("with an invitation"),
    switch: say("from another account"),
  });

/** What of the account was changed. */
const fieldName = (field: string) =>
  named(field, {
    plan: say("plan"),
    subscription: say("subscription"),
    subscribed_on: say("day of the subscription"),
    billed_period: say("period that is paid for"),
    billing_day: say("day of the month on which the count starts again"),
    phone_verified: say("phone number"),
    run_cap: say("number of runs in a month"),
    overdue_days: say("days until an order is overdue"),
    charges: say("whether charges are accepted"),
  });
