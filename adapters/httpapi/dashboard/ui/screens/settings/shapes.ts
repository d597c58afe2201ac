// The JSON of what an account manages itself. Days are YYYY-MM-DD, moments are RFC 3339.
import type { Role } from "../../shapes";

export interface Phone {
  verified: boolean;
  number: string | null; // the verified one, with most digits hidden
  code_open_until: string | null; // a code was sent, and has not been entered
  next_send_at: string | null; // before it, no other code is sent
}

export interface SentCode {
  until: string;
  next_send_at: string;
}

/** A plan that can be bought. What is null, the billing provider has not told. */
export interface BillingPlan {
  id: string;
  plan: string;
  name: string | null;
  period: string | null; // daily, weekly, monthly or yearly
  interval: number | null; // it is paid for every so many periods
  amount: number | null; // of one payment
}

export interface Subscription {
  plans: BillingPlan[];
  status: string | null; // as the billing provider names it; null: there is none
  plan: string | null;
  period_start: string | null;
  period_end: string | null; // the first day after what is paid for
  ends_at: string | null; // it was cancelled, and is active until then
  manage: string | null; // where it is paid for
}

export interface Member {
  id: string | null; // null: the account's own address
  email: string;
  role: Role;
  added_at: string | null;
  own: boolean; // the account's own address
  you: boolean;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  until: string;
}

export interface People {
  people: Member[];
  invitations: Invitation[];
}

/** An invitation that was just made; its link is in this answer only. */
export interface MadeInvitation {
  id: string;
  link: string;
  mailed: boolean; // the person gets it by e-mail too
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
