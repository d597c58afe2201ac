// What the address asks of the results. Words of a search and names of orders are in the
// fragment, which browsers send to no server: no log has them.
import { navigate, place, type Place } from "../../router";
import type { Sort } from "./views";

export interface Asked {
  sample: boolean;
  flags: ReadonlySet<string>;
  sort: Sort | null;
  search: string;
  order: string; // its name; blank: none is open
  nth: number; // of the orders with this name, from 1
}

export function askedOf({ search, hash }: Place): Asked {
  const secret = new URLSearchParams(hash.slice(1));
  const sort = search.get("sort") ?? "";
  return {
    sample: search.has("sample"),
    flags: new Set((search.get("flag") ?? "").split(",").filter(Boolean)),
    sort: sort === "" ? null : { by: sort.replace(/^-/, ""), down: sort.startsWith("-") },
    search: secret.get("q") ?? search.get("q") ?? "",
    order: secret.get("order") ?? search.get("order") ?? "",
    nth: Number(secret.get("nth")) || 1,
  };
}

function addressOf(asked: Asked): string {
  const open = new URLSearchParams();
  if (asked.sample) open.set("sample", "");
  if (asked.flags.size) open.set("flag", [...asked.flags].join(","));
  if (asked.sort) open.set("sort", (asked.sort.down ? "-" : "") + asked.sort.by);
  const secret = new URLSearchParams();
  if (asked.search) secret.set("q", asked.search);
  if (asked.order) secret.set("order", asked.order);
  if (asked.order && asked.nth > 1) secret.set("nth", String(asked.nth));
  const query = open.toString(), fragment = secret.toString();
  return "/app/results" + (query && "?" + query) + (fragment && "#" + fragment);
}

// Whether the open order was opened by a step forward, so that closing it is a step back.
let stepped = false;

/** Changes what is asked. A step is gone back by the browser's button; other changes replace the address. */
export function ask(change: Partial<Asked>, { step = true } = {}) {
  const now = askedOf(place.value);
  if (change.order && !now.order) stepped = step;
  if (change.order === "" && now.order && stepped) {
    stepped = false;
    history.back();
    return;
  }
  navigate(addressOf({ ...now, ...change }), { replace: !step || change.order === "" });
}
