// The JSON of the autopilot. Amounts are rupees, days are YYYY-MM-DD, moments are RFC 3339.
import type { Columns, Warning } from "../../shapes";

export interface Setting {
  name: string;
  label: string;
  hint: string;
  secret: boolean;
  required: boolean;
  default: string;
  lines: boolean; // it may have several
  options: string[]; // of which it must be one; none: any text
  option_labels: string[]; // what they mean, in their order
  example: string;
}

export interface Connector {
  id: string;
  name: string;
  files: boolean; // it has files with names, which a pattern can choose
  kept: boolean; // people upload its files here
  settings: Setting[];
}

export interface Connectors {
  shops: Connector[];
  sources: Connector[];
  limits: {
    sources: number;
    min_window_days: number;
    max_window_days: number;
    default_window_days: number;
    kept_file_bytes: number;
    kept_days: number;
  };
  roles: string[];
}

export interface Part {
  connector: string;
  settings: Record<string, string>; // without the secrets
  secrets: string[]; // the names of those that are stored
}

export interface Source extends Part {
  id: string;
  pattern: string;
  courier: string;
  columns: Columns;
}

export interface Problem {
  rule: string;
  connector: string;
  source: number; // from 1; 0: the shop, or the pass as a whole
  setting: string;
  file: string;
  message: string;
  accept: { setting: string; value: string } | null; // what would end it
}

export interface OrderSum {
  orders: number;
  amount: number;
}

export interface Connection {
  id: string;
  brand: string;
  shop: Part;
  sources: Source[];
  window_days: number;
  overdue_threshold_days: number | null; // null: the account's or Milaan's
  minor_gap_threshold: number | null;
  alert_above: number; // 0: no mail
  state: "active" | "paused" | "needs_attention";
  next_pass_at: string;
  checked_at: string | null;
  failing_since: string | null;
  failure: Problem | null;
  last_run_id: string;
  last_run_at: string | null;
  amount_risk: number;
  left: OrderSum;
  created_at: string;
}

export interface Contribution {
  source_id: string;
  couriers: string[];
  files: number;
  lines: number;
  through: string | null;
  behind: boolean;
  left_out: LeftOut[];
  refused_from: string | null; // the day, because its settings are of an earlier version
}

export interface LeftOut {
  at: string;
  from: string; // blank: not known, or of a pass
  rule: string;
  message: string;
}

export interface Pass {
  id: string;
  asked: boolean;
  due_at: string;
  started_at: string | null;
  ended_at: string | null;
  outcome: "" | "stored" | "unchanged" | "failed" | "skipped";
  failure: Problem | null;
  run_id: string;
  orders: number;
  sources: Contribution[];
  left: OrderSum;
  leaving: OrderSum;
  warnings: Warning[];
}

export interface TestedFile {
  name: string;
  courier: string;
  rows: number;
  through: string | null;
  failure: Problem | null;
}

export interface TestedPart {
  connector: string;
  failure: Problem | null; // null: it works
  matching: number;
  files: TestedFile[];
  left_out: LeftOut[];
}

export interface Tested {
  shop: TestedPart;
  sources: TestedPart[];
}

export interface KeptFile {
  id: string;
  source_id: string;
  name: string;
  bytes: number;
  at: string;
  deleted_at: string;
}

export interface MailChoice {
  digest: boolean;
  alerts: boolean;
  enabled: boolean; // the service sends mails
}
