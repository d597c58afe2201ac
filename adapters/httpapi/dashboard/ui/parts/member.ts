// The roles of members, in words.
import { me } from "../session";
import type { Role } from "../views";
import { named, say } from "../text";

export const memberRoles: Role[] = ["owner", "accountant", "reader"];

export const memberRoleName = (role: string) =>
  named(role, {
    owner: say("Owner"),
    accountant: say("Accountant"),
    reader: say("Read-only"),
  });

/** What the person who is signed in may do. */
export const roleInWords = () =>
  named(
    me.value?.role ?? "",
    {
      owner: say("You are an owner of this account"),
      accountant: say("You are an accountant of this account"),
    },
    say("You may read the history of this account"),
  );
