// Made of adapters/wording (english.json, labels.go) by go generate ./adapters/httpapi/dashboard/assets.

export const flags: Record<string, string> = {
  "AWAITING_NEXT_CYCLE": "Waiting for payout",
  "MINOR_DIFF": "Small difference",
  "MISSING": "Missing",
  "OVERDUE": "Overdue",
  "OVERPAID": "Overpaid",
  "RECONCILED": "Settled",
  "RTO_ANOMALY": "Returned, cash kept",
  "SHORT_PAID": "Short paid"
};
export const credits: Record<string, string> = {
  "credited": "Credited",
  "credited_other_amount": "Credited with another amount",
  "not_in_statement": "Not in the statement",
  "reversed": "Reversed"
};
export const parts: Record<string, string> = {
  "corrected": "Corrected",
  "matched": "Matched",
  "read": "Read",
  "repeated": "Listed twice",
  "unclaimed": "Unclaimed",
  "unidentified": "Unidentified"
};
export const connections: Record<string, string> = {
  "active": "Active",
  "failing": "Last pass failed",
  "needs_attention": "Needs attention",
  "paused": "Paused"
};
export const passes: Record<string, string> = {
  "": "Under way",
  "failed": "Failed",
  "skipped": "Skipped",
  "stored": "Run stored",
  "unchanged": "Nothing new",
  "waiting": "Waiting"
};
export const deliveries: Record<string, string> = {
  "delivered": "Delivered",
  "dropped": "Dropped",
  "failed": "Failed",
  "pending": "Under way"
};
