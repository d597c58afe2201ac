// The roles of people, and the choice of one.
import { memberRoleName, memberRoles } from "../../parts/member";
import type { Role } from "../../shapes";
import { say } from "../../text";

export function roleExplained(role: string): string {
  switch (role) {
    case "owner":
      return say("Everything: runs and reports, keys, webhooks, the plan, people, and closing the account.");
    case "accountant":
      return say("Runs, documents and reports, and the history. No keys, no plan, no people.");
    case "reader":
      return say("The history of runs: their counts and sums. Nothing can be changed.");
  }
  return "";
}

export function RoleChoice({ value, onValue, error }: { value: Role; onValue: (role: Role) => void; error?: string }) {
  return (
    <fieldset class="formats">
      <legend class="field-label">{say("Role")}</legend>
      {memberRoles.map((role) => (
        <label key={role} class="format">
          <input type="radio" name="role" value={role} checked={value === role} onChange={() => onValue(role)} />
          <span>
            <strong>{memberRoleName(role)}</strong>
            <span class="soft small">{roleExplained(role)}</span>
          </span>
        </label>
      ))}
      {error && <p class="field-error">{error}</p>}
    </fieldset>
  );
}
