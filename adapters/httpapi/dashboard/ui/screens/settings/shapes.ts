// The JSON of what an account manages itself. Days are YYYY-MM-DD, moments are RFC 3339.
import type { Role } from "../../shapes";

export interface Phone {
  verified: boolean;
  number: string | null; // the verified one, with most digits hidden
  code_open_until: string | null; // a code was sent, and has not been entered
  next_send_at?: string | null; // before it, no other code is sent
}

export interface SentCode {
  until: string;
  next_send_at: string;
}

export interface Subscription {
  plans: string[] | null; // that can be bought
  status: string; // as the billing provider names it; blank: there is none
  plan: string;
  period_start: string | null;
  period_end: string | null;
  ends_at: string | null; // it was cancelled, and is active until then
  manage: string; // where it is paid for; blank: nowhere
}

export interface Member {
  id: string; // blank: the account's own address
  email: string;
  role: Role;
  added_at: string | null;
  own: boolean; // the account's own address
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  until: string;
}

export interface People {
  people: Member[];
  invitations: Invitation[] | null;
  most: number;
}

export interface InvitedTo {
  account: string; // its e-mail address
  email: string; // who is invited
  role: Role;
  until: string;
}

export interface Accepted {
  accepted: boolean;
  sign_in: string | null; // where the identity provider vouches for the address first
}

export interface SandboxKey {
  key: { prefix: string; issued_at: string; last_used_at: string | null } | null;
  runs: { used: number; most: number };
  rows: number; // of a file, at most
}
