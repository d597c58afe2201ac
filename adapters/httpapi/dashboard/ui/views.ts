// Made of adapters/view, which says what the members are, by go generate ./adapters/httpapi/dashboard/assets.

export interface Account {
  email: string;
  plan: string;
  subscription: string;
  phone_verified: boolean;
  overdue_days: number;
  created_at: string;
  may_use_api: boolean;
  has_webhooks: boolean;
  has_branding: boolean;
  saves_mappings: boolean;
  has_autopilot: boolean;
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

export interface Sums {
  orders: number;
  flags: Record<string, number>;
  flagged_count: number;
  due: number;
  remitted: number;
  shortfall: number;
  amount_risk: number;
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

export interface TrendPoint {
  run_id: string;
  run_at: string;
  brand: string;
  couriers: string[];
  amount_risk: number;
  shortfall: number;
}

export interface Comparison {
  a: Run;
  b: Run;
  change: Sums;
}
