// The roles of people, and the choice of one.
import { Choices } from "../../parts/choices";
import { memberRoleName, memberRoles } from "../../parts/member";
import type { Role } from "../../views";
import { named, say } from "../../text";

export const roleExplained = (role: string) =>
  named(
    role,
    {
      owner: say("Everything: runs and reports, keys, webhooks, the plan, people, and closing the account."),
      accountant: say("Runs, documents and reports, and the history. No keys, no plan, no people."),
      reader: say("The history of runs: their counts and sums. Nothing can be changed."),
    },
    "",
  );

export const RoleChoice = ({ value, onValue, error }: { value: Role; onValue: (role: Role) => void; error?: string }) => (
  <Choices
    name="role"
    legend={say("Role")}
    error={error}
    value={value}
    onValue={onValue}
    choices={memberRoles.map((role) => ({
      value: role,
      title: memberRoleName(role),
      more: <span class="soft small">{roleExplained(role)}</span>,
    }))}
  />
);
