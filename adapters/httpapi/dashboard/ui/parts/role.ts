// The roles of a report's columns, as the service names them.
import { named, say } from "../text";

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
export const roleName = (role: string) =>
  named(role, {
    awb: say("AWB (tracking number)"),
    order_id: say("Order"),
    cod_amount: say("Cash collected"),
    remitted_amount: say("Amount paid to you"),
    remittance_date: say("Day of the payment"),
    delivered_date: say("Day of the delivery"),
    status: say("Status of the parcel"),
    remittance_status: say("Status of the payment"),
    utr: say("Bank reference (UTR)"),
    charges: say("Charges (what was deducted)"),
  });
