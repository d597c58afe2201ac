// Made of adapters/wording/labels.go by go generate ./adapters/httpapi/dashboard/assets.

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
  "matched": "Matched",
  "read": "Read",
  "repeated": "Listed twice",
  "unclaimed": "Unclaimed",
  "unidentified": "Unidentified"
};
