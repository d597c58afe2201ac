// The roles of members, in words.
import { me } from "../session";
import type { Role } from "../views";
import { say } from "../text";

export const memberRoles: Role[] = ["owner", "accountant", "reader"];

export function memberRoleName(role: string): string {
  switch (role) {
    case "owner":
      return say("Owner");
    case "accountant":
      return say("Accountant");
    case "reader":
      return say("Read-only");
  }
  return role;
}

/** What the person who is signed in may do. */
export function roleInWords(): string {
  switch (me.value?.role) {
    case "owner":
      return say("You are an owner of this account");
    case "accountant":
      return say("You are an accountant of this account");
  }
  return say("You may read the history of this account");
}
