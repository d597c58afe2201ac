// The roles of a report's columns, as the service names them.
import { say } from "../text";

export const roles = [
  "awb",
  "order_id",
  "cod_amount",
  "remitted_amount",
  "remittance_date",
  "delivered_date",
  "status",
  "remittance_status",
  "utr",
  "charges",
] as const;

/** What a role means, for people. One that is not known here is shown as it is. */
export function roleName(role: string): string {
  switch (role) {
    case "awb":
      return say("AWB (tracking number)");
    case "order_id":
      return say("Order");
    case "cod_amount":
      return say("Cash collected");
    case "remitted_amount":
      return say("Amount paid to you");
    case "remittance_date":
      return say("Day of the payment");
    case "delivered_date":
      return say("Day of the delivery");
    case "status":
      return say("Status of the parcel");
    case "remittance_status":
      return say("Status of the payment");
    case "utr":
      return say("Bank reference (UTR)");
    case "charges":
      return say("Charges (what was deducted)");
  }
  return role;
}
