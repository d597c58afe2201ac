import { rupees } from "../text";

/** An amount in rupees, in figures of one width. */
export const Money = ({ amount, class: extra }: { amount: number; class?: string }) => (
  <span class={`money ${extra ?? ""}`}>{rupees(amount)}</span>
);
