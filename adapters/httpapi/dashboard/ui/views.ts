// Made of adapters/view, which says what the members are, by go generate ./adapters/httpapi/dashboard/assets.

export interface Accepted {
  accepted: boolean;
  sign_in: string | null;
}

export interface AcceptedSetting {
  setting: string;
  value: string;
}

export interface Account {
  email: string;
  plan: string;
  subscription: string;
  phone_verified: boolean;
  overdue_days: number;
  charges: string;
  created_at: string;
  may_use_api: boolean;
  has_webhooks: boolean;
  has_branding: boolean;
  saves_mappings: boolean;
  has_autopilot: boolean;
}

export interface AgeingBand {
  from: number;
  to: number | null;
  orders: number;
  amount: number;
}

export interface Answer {
  summary: Summary;
  guidance_text?: string[];
  duplicate?: boolean;
  run_id?: string;
  accepted_charges?: number;
  cycle_guidance: Guidance;
  warnings?: AnswerWarning[];
  results: OrderResult[];
  reports?: ReportTotals[];
  payouts?: Payout[];
  unclaimed?: CourierLine[];
  open_items?: OpenItems;
  bank?: Bank;
}

export interface AnswerWarning {
  code: string;
  message: string;
  count?: number;
  amount?: number;
}

export interface Attempt {
  number: number;
  at: string;
  took_ms: number;
  outcome: string;
  status: number | null;
  failure: string;
}

export interface Bank {
  from?: string;
  to?: string;
  payouts: CreditedPayout[];
  other_credits: BankCredit[];
  earlier_payouts?: CreditedPayout[];
}

export interface BankCredit {
  line: number;
  date?: string;
  amount: number;
  narration: string;
  courier?: string;
}

export interface BillingPlan {
  id: string;
  plan: string;
  name: string | null;
  period: string | null;
  interval: number | null;
  amount: number | null;
}

export interface BillingPreview {
  plan: BillingPlan;
  anew: boolean;
  begins_at: string | null;
  ends_now: boolean;
  from: string | null;
  downgrade: boolean;
  loses: string[];
  gains: string[];
  cap_before: number | null;
  cap_after: number | null;
}

export interface BookLedger {
  key: string;
  name: string;
  usual: string;
}

export interface Books {
  ledgers: BookLedger[];
  by_order: boolean;
}

export interface Branding {
  name: string;
  colour: string;
  footer: string;
  has_logo: boolean;
}

export type Columns = Record<string, string | string[]>;

export interface Comparison {
  a: Run;
  b: Run;
  change: Sums;
}

export interface Connection {
  id: string;
  brand: string;
  shop: Part;
  sources: Source[];
  window_days: number;
  overdue_threshold_days: number | null;
  minor_gap_threshold: number | null;
  charges: string;
  alert_above: number;
  state: ConnectionState;
  next_pass_at: string;
  checked_at: string | null;
  failing_since: string | null;
  failure: ConnectorFailure | null;
  last_run_id: string;
  last_run_at: string | null;
  amount_risk: number;
  left: OrderSum;
  created_at: string;
  revision: number;
}

export interface ConnectionLimits {
  sources: number;
  min_window_days: number;
  max_window_days: number;
  default_window_days: number;
  kept_file_bytes: number;
  kept_days: number;
}

export interface ConnectionName {
  id: string;
  name: string;
}

export type ConnectionState = "active" | "needs_attention" | "paused";

export interface Connector {
  id: string;
  name: string;
  files: boolean;
  kept: boolean;
  settings: Setting[];
}

export interface ConnectorFailure {
  rule: string;
  connector: string;
  source: number;
  setting: string;
  file: string;
  message: string;
  accept: AcceptedSetting | null;
}

export interface Connectors {
  shops: Connector[];
  sources: Connector[];
  limits: ConnectionLimits;
  roles: string[];
}

export interface Courier {
  id: string;
  name: string;
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

export interface CourierSum {
  courier: string;
  orders: number;
  amount: number;
}

export interface CreditedPayout {
  report: number;
  courier?: string;
  utr?: string;
  remitted_on?: string;
  paid: number;
  state: string;
  absence?: 'outside_statement' | 'undated' | 'nothing_paid';
  received?: number;
  together?: number;
  credit?: BankCredit;
  more_credits?: BankCredit[];
  debits?: BankCredit[];
}

export interface Defaults {
  overdue_days: number;
  minor_gap: number;
}

export interface Delivery {
  id: string;
  webhook_id: string;
  kind: string;
  run_id: string;
  batch_id: string;
  created_at: string;
  state: DeliveryState;
  attempts: Attempt[];
}

export type DeliveryState = "delivered" | "dropped" | "failed" | "pending";

export interface Failure {
  error: string;
  code: string;
  field?: string;
  file?: 'orders' | 'report' | 'bank' | 'previous';
  report?: number;
  faults?: Fault[];
}

export interface Fault {
  field: string;
  message: string;
  report?: number;
}

export interface FlagSum {
  flag: string;
  orders: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
}

export interface Guidance {
  offset_days: number;
  offset_source: string;
  batch_as_of: string;
  courier_coverage_complete: boolean;
  courier_data_through: string | null;
  guaranteed_coverage_days: number;
  awaiting_next_cycle_count: number;
}

export interface IgnoredFile {
  id: string;
  source_id: string;
  name: string;
  at: string;
}

export interface InspectedColumn {
  name: string;
  samples: string[];
}

export interface InspectedFile {
  is: Is;
  kind: Kind;
  sheet: string;
  header_line: number;
  header: string[];
  columns: InspectedColumn[];
  rows: number;
  from: string | null;
  to: string | null;
  fault: Failure | null;
}

export interface InspectedLedger {
  is: Is;
  kind: Kind;
  sheet: string;
  header_line: number;
  header: string[];
  columns: InspectedColumn[];
  rows: number;
  from: string | null;
  to: string | null;
  fault: Failure | null;
  orders: number;
  lines: number;
  open: number;
  brand: string;
  as_of: string;
}

export interface InspectedOrders {
  is: Is;
  kind: Kind;
  sheet: string;
  header_line: number;
  header: string[];
  columns: InspectedColumn[];
  rows: number;
  from: string | null;
  to: string | null;
  fault: Failure | null;
  recognised: string;
  name: string;
  orders: number;
}

export interface InspectedReport {
  is: Is;
  kind: Kind;
  sheet: string;
  header_line: number;
  header: string[];
  columns: InspectedColumn[];
  rows: number;
  from: string | null;
  to: string | null;
  fault: Failure | null;
  courier: string;
  name: string;
  also: string[];
  saved: boolean;
  saved_name: string;
  saved_names: string[];
  header_hash: string;
  mapping: RoleMapping[];
  charges: string[];
  missing: string[];
}

export interface Inspection {
  orders: InspectedOrders | null;
  reports: InspectedReport[];
  bank: InspectedFile | null;
  previous: InspectedLedger | null;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  made_at: string;
  until: string;
}

export interface InvitedTo {
  account: string;
  email: string;
  role: Role;
  until: string;
}

export type Is = "orders" | "report" | "bank" | "previous" | "";

export interface ItemSum {
  orders: number;
  amount: number;
}

export interface KeptFile {
  id: string;
  source_id: string;
  name: string;
  bytes: number;
  at: string;
  deleted_at: string;
}

export interface KeptItems {
  as_of: string;
  kept_since: string;
  written_at: string | null;
  items: OpenItem[];
  movements: Movements;
  next: number | null;
}

export interface Key {
  prefix: string;
  issued_at: string;
  last_used_at: string | null;
}

export type Kind = "csv" | "xlsx" | "xls" | "ods" | "html" | "xml" | "";

export interface Language {
  code: string;
  name: string;
}

export interface LeftOut {
  at: string;
  from: string;
  rule: string;
  message: string;
}

export interface Limits {
  rows: number;
  reports: number;
  body_bytes: number;
}

export interface LineTotals {
  lines: number;
  remitted: number;
}

export interface MadeInvitation {
  id: string;
  link: string;
  until: string;
  mailed: boolean;
}

export interface MailChoice {
  digest: boolean;
  alerts: boolean;
  enabled: boolean;
}

export interface Me {
  visitor: 'account' | 'local' | 'none';
  sign_in: SignIn;
  billing: boolean;
  sign_up: boolean;
  person: string | null;
  role: Role | null;
  accounts: WorksFor[];
  setup: Setup | null;
  account: Account | null;
  quota: Quota | null;
  limits: Limits;
  couriers: Courier[];
  languages: Language[];
  defaults: Defaults;
  retention_days: number;
  base_url: string;
  sandbox: boolean;
  held: boolean;
  phone_codes: boolean;
}

export interface Movement {
  courier?: string;
  before: ItemSum;
  new: ItemSum;
  changed: ItemSum;
  partly_paid: ItemSum;
  cleared: ItemSum;
  written_off: ItemSum;
  reopened: ItemSum;
  now: ItemSum;
  recovered: ItemSum;
  awaited: ItemSum;
  overpaid: ItemSum;
  promises: ItemSum;
}

export interface Movements {
  all: Movement;
  couriers: Movement[];
}

export interface NamedMapping {
  name: string;
  columns: Columns;
  saved_at: string;
}

export interface NewKey {
  key: string;
  prefix: string;
}

export interface NextSubscription {
  plan: string;
  status: string;
  begins_at: string | null;
  manage: string | null;
}

export interface OpenItem {
  order_id: string;
  awb: string;
  courier?: string;
  in_export: boolean;
  flag: string;
  flag_reason: string;
  order_date?: string;
  due_by?: string;
  cod_amount: number;
  remitted: number;
  accepted_charges?: number;
  shortfall: number;
  since?: string;
  state?: 'disputed' | 'promised' | 'refused' | 'written off';
  raised_on?: string;
  promised_until?: string;
  promise_passed?: boolean;
  note?: string;
  change?: 'new' | 'reopened' | 'changed' | 'partly_paid' | 'cleared' | 'ceased' | 'written_off' | 'recovered';
  cleared_on?: string;
  utr?: string;
  dispute?: string;
}

export interface OpenItems {
  items: OpenItem[];
  movements: Movements;
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
  accepted_charges?: number;
  report?: number;
  lines?: CourierLine[];
  courier?: string;
  dispute?: string;
}

export interface OrderSum {
  orders: number;
  amount: number;
}

export interface Part {
  connector: string;
  settings: Record<string, string>;
  secrets: string[];
}

export interface Pass {
  id: string;
  slot: string | null;
  asked: boolean;
  due_at: string;
  started_at: string | null;
  ended_at: string | null;
  outcome: PassOutcome;
  failure: ConnectorFailure | null;
  run_id: string;
  orders: number;
  sources: SourceResult[];
  left: OrderSum;
  open_items?: CourierSum[];
  leaving: OrderSum;
  warnings: Warning[];
}

export type PassOutcome = "" | "failed" | "skipped" | "stored" | "unchanged";

export interface Payout {
  report: number;
  courier?: string;
  utr?: string;
  remitted_on?: string;
  lines: number;
  collected: number;
  deducted: number | null;
  paid: number;
  charges?: number;
}

export interface People {
  people: Person[];
  invitations: Invitation[];
  most: number;
}

export interface Person {
  id: string;
  email: string;
  role: Role;
  own: boolean;
  you: boolean;
  added_at: string | null;
}

export interface Phone {
  verified: boolean;
  number: string | null;
  can_send: boolean;
  code_open_until: string | null;
  next_send_at: string | null;
}

export interface Quota {
  used: number;
  cap: number | null;
  resets_on: string;
}

export interface ReportTotals {
  report: number;
  remembered?: boolean;
  courier?: string;
  rows: number;
  data_through: string | null;
  read: LineTotals;
  matched: LineTotals;
  unclaimed: LineTotals;
  repeated: LineTotals;
  unidentified: LineTotals;
  charges?: number;
  corrected?: LineTotals;
}

export type Role = "accountant" | "owner" | "reader";

export interface RoleMapping {
  role: string;
  column: string;
  source: 'detected' | 'saved' | 'stated' | 'none';
  required: boolean;
  candidates: string[];
  samples: string[];
}

export interface Run {
  run_id: string;
  run_at: string;
  brand: string;
  couriers: string[];
  source: string;
  took_ms: number;
  storefront_rows: number;
  courier_rows: number;
  unclaimed_lines: number;
  unclaimed_remitted: number;
  overdue_threshold_days: number;
  minor_gap_threshold: number;
  cycle_guidance: Guidance;
  orders: number;
  flags: Record<string, number>;
  flagged_count: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
}

export interface RunsPage {
  runs: Run[];
  next: string | null;
  brands: string[];
  couriers: string[];
  sources: string[];
}

export interface SavedMapping {
  courier: string;
  name: string;
  columns: Columns;
  saved_at: string | null;
}

export interface SecurityEvent {
  at: string;
  kind: string;
  detail: string;
  via: string;
  actor: string | null;
  whom: string | null;
  address: string | null;
}

export interface SeenFile {
  id: string;
  source_id: string;
  name: string;
  at: string | null;
  rule: string;
  reason: string;
  left_out: boolean;
}

export interface SeenFiles {
  files: SeenFile[];
  more: number;
  ignored: IgnoredFile[];
}

export interface SentCode {
  until: string;
  next_send_at: string;
}

export interface Setting {
  name: string;
  label: string;
  hint: string;
  secret: boolean;
  required: boolean;
  default: string;
  lines: boolean;
  options: string[];
  option_labels: string[];
  example: string;
}

export interface Setup {
  phone: boolean;
  subscription: boolean;
}

export interface SignIn {
  link: boolean;
  oidc: boolean;
}

export interface SkippedFile {
  name: string;
  rule: string;
  reason: string;
}

export interface Source {
  id: string;
  connector: string;
  settings: Record<string, string>;
  secrets: string[];
  pattern: string;
  courier: string;
  columns: Columns;
}

export interface SourceResult {
  source_id: string;
  couriers: string[];
  files: number;
  lines: number;
  through: string | null;
  behind: boolean;
  skipped: SkippedFile[];
  left_out: LeftOut[];
  refused_from: string | null;
}

export interface Subscription {
  configured: boolean;
  plans: BillingPlan[];
  subscription: string;
  status: string | null;
  plan: string | null;
  period_start: string | null;
  period_end: string | null;
  ends_at: string | null;
  ends_now: boolean;
  manage: string | null;
  next: NextSubscription | null;
  twice: boolean;
}

export interface Summary {
  orders: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
  flagged_count: number;
  flags: FlagSum[];
  ageing: AgeingBand[];
}

export interface Sums {
  orders: number;
  flags: Record<string, number>;
  flagged_count: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
}

export interface Tested {
  shop: TestedPart;
  sources: TestedPart[];
}

export interface TestedFile {
  name: string;
  courier: string;
  rows: number;
  through: string | null;
  left_out: string;
  failure: ConnectorFailure | null;
}

export interface TestedPart {
  connector: string;
  failure: ConnectorFailure | null;
  matching: number;
  files: TestedFile[];
  left_out: LeftOut[];
  folders: string[];
}

export interface TrendPoint {
  run_id: string;
  run_at: string;
  brand: string;
  couriers: string[];
  amount_risk: number;
  shortfall: number;
}

export interface Warning {
  code: string;
  message: string;
  count: number;
  amount: number | null;
}

export interface Webhook {
  endpoint: string;
  set_at: string | null;
  secret_rotated_at: string | null;
  former_until: string | null;
  secret_unseen: boolean;
  secret?: string;
}

export interface WorksFor {
  id: string;
  email: string;
  role: Role;
}
