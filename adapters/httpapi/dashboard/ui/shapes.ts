// The JSON of the service's answers. Amounts are rupees, days are YYYY-MM-DD, moments are
// RFC 3339.
import type { Account, Guidance } from "./views";

export type * from "./views";

export interface Courier {
  id: string;
  name: string;
}

/** What a person may do for an account; owners may do most. */
export type Role = "owner" | "accountant" | "reader";

export interface Me {
  visitor: "account" | "local" | "none";
  sign_in: { link: boolean; oidc: boolean };
  account: Account | null;
  person: string | null; // the e-mail address of who is signed in
  role: Role | null; // in this account
  accounts: { id: string; email: string; role: Role }[]; // all of the person
  sign_up: boolean; // whoever signs in at the provider gets an account
  phone_codes: boolean; // the service can send codes to phones
  billing: boolean; // plans are bought here
  sandbox: boolean; // accounts may have sandbox keys
  quota: { used: number; cap: number | null; resets_on: string } | null;
  limits: { rows: number; reports: number; body_bytes: number };
  couriers: Courier[];
  languages: { code: string; name: string }[];
  defaults: { overdue_days: number; minor_gap: number };
  retention_days: number;
  base_url: string;
}

/** The answer to a sign-out, if the identity provider has a session too that ends. */
export type SignedOut = { continue_at: string } | undefined;

export interface Fault {
  field?: string;
  message: string;
  report?: number;
}

export interface Failure {
  error: string;
  code: string;
  field?: string;
  file?: "orders" | "report" | "bank";
  report?: number; // from 1
  faults?: Fault[];
}

export type Kind = "csv" | "xlsx" | "xls" | "ods" | "html" | "xml" | "";

/** What a file is; blank: that is not known. */
export type Is = "orders" | "report" | "bank" | "";

interface Inspected {
  is: Is; // by its content: it may be another one than it was sent as
  kind: Kind;
  sheet?: string;
  header_line: number;
  header: string[] | null;
  rows: number;
  from?: string;
  to?: string;
  fault: Failure | null;
}

export interface InspectedOrders extends Inspected {
  recognised: string;
  name: string;
  orders: number;
}

export interface RoleMapping {
  role: string;
  column: string; // blank: none
  source: "detected" | "saved" | "stated" | "none";
  required: boolean;
  candidates?: string[] | null;
  samples?: string[] | null;
}

export interface InspectedReport extends Inspected {
  courier: string; // blank: not recognised
  name: string;
  also?: string[] | null;
  saved: boolean;
  mapping: RoleMapping[] | null;
  charges?: string[] | null; // the columns of what was deducted
  missing: string[] | null; // one of these is needed
  columns: { name: string; samples: string[] | null }[] | null;
}

export type InspectedBank = Inspected;

export interface Inspection {
  orders?: InspectedOrders | null;
  reports?: InspectedReport[] | null;
  bank?: InspectedBank | null;
}

export interface CourierLine {
  report: number;
  line: number;
  awb?: string;
  order_id?: string;
  cod_amount: number;
  remitted: number;
  delivered_on?: string;
  remitted_on?: string;
  status?: string;
  utr?: string;
}

export interface OrderResult {
  awb: string;
  order_id: string;
  cod_amount: number;
  remitted: number;
  shortfall: number;
  days_overdue: number;
  flag: string;
  flag_reason: string;
  status: string;
  match_mode: string;
  order_date?: string;
  due_by?: string;
  remitted_on?: string;
  utr?: string;
  courier_status?: string;
  report?: number;
  lines?: CourierLine[];
  dispute?: string; // the sentence to send to the courier
}

export interface Warning {
  code: string;
  message: string;
  count?: number;
  amount?: number;
}

export interface LineTotals {
  lines: number;
  remitted: number;
}

export interface ReportTotals {
  report: number;
  courier?: string;
  rows: number;
  data_through: string | null;
  read: LineTotals;
  matched: LineTotals;
  unclaimed: LineTotals;
  repeated: LineTotals;
  unidentified: LineTotals;
}

export interface Payout {
  report: number;
  courier?: string;
  utr?: string;
  remitted_on?: string;
  lines: number;
  collected: number;
  deducted: number | null;
  paid: number;
}

export interface BankCredit {
  line: number;
  date?: string;
  amount: number;
  narration: string;
  courier?: string;
}

export interface CreditedPayout {
  report: number;
  courier?: string;
  utr?: string;
  remitted_on?: string;
  paid: number;
  state: "credited" | "credited_other_amount" | "reversed" | "not_in_statement";
  absence?: "outside_statement" | "undated" | "nothing_paid";
  received?: number;
  together?: number;
  credit?: BankCredit;
  debits?: BankCredit[];
}

export interface FlagSum {
  flag: string;
  orders: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
}

export interface Summary {
  orders: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
  flagged_count: number;
  flags: FlagSum[];
  ageing: { from: number; to?: number | null; orders: number; amount: number }[];
}

export interface Answer {
  run_id?: string;
  duplicate?: boolean;
  results: OrderResult[];
  cycle_guidance: Guidance;
  guidance_text?: string[];
  warnings?: Warning[];
  reports?: ReportTotals[];
  payouts?: Payout[];
  unclaimed?: CourierLine[];
  bank?: { from?: string; to?: string; payouts: CreditedPayout[]; other_credits: BankCredit[] };
  summary: Summary;
}

/** Role → header; of charges a list. */
export type Columns = Record<string, string | string[]>;

export interface SavedMapping {
  courier: string;
  name: string;
  columns: Columns;
  saved_at: string | null; // null: an earlier version has saved it
}

export interface Key {
  prefix: string;
  issued_at: string;
  last_used_at: string | null;
}

/** A key that was just made; its text is in this answer only. */
export interface NewKey {
  key: string;
  prefix: string;
}

export interface Webhook {
  endpoint: string; // blank: none, but there is a secret
  set_at: string | null;
  secret_rotated_at: string | null;
  former_until: string | null; // until then the former secret signs too
  secret?: string; // if it was just made, and is shown this once
  secret_unseen?: boolean; // it was made for a batch, and is to be shown once
}

export interface Attempt {
  number: number;
  at: string;
  took_ms: number;
  outcome: "delivered" | "refused" | "redirected" | "timeout" | "unreachable" | "forbidden" | ""; // blank: it is not known
  status: number | null; // null: no answer came
  failure: string; // blank: it succeeded
}

export interface Delivery {
  id: string;
  webhook_id: string; // the header of this name
  kind: "run" | "batch" | "test";
  run_id: string; // blank: it is of no run, or the run is deleted
  batch_id: string;
  created_at: string;
  state: "pending" | "delivered" | "failed" | "dropped";
  attempts: Attempt[] | null;
}

export interface Branding {
  name: string;
  colour: string; // #1A4F8B; blank: Milaan's
  footer: string;
  has_logo: boolean;
}

export interface SecurityEvent {
  at: string;
  kind: string;
  detail: string;
  via: string;
}
