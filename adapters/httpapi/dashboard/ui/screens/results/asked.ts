// What the address asks of the results. Browsers keep addresses after a tab is closed, so words
// of a search and names of orders are not in them: the fragment has a number, and this tab
// knows what it stands for. In an address that somebody has written they may be themselves;
// the fragment is sent to no server.
import { effect } from "@preact/signals";
import { answer } from "../../files";
import { navigate, place, type Place } from "../../router";
import type { Sort } from "./views";

interface Asked {
  sample: boolean;
  flags: ReadonlySet<string>;
  sort: Sort | null;
  search: string;
  order: string; // its name; blank: none is open
  nth: number; // of the orders with this name, from 1
}

type Words = Pick<Asked, "search" | "order" | "nth">;

const known = new Map<number, Words>();
let numbers = 0;
effect(() => {
  if (!answer.value) known.clear();
});

const numberOf = (hash: string) => Number(new URLSearchParams(hash.slice(1)).get("asked"));

export function askedOf({ search, hash }: Place): Asked {
  const secret = new URLSearchParams(hash.slice(1));
  const words = known.get(numberOf(hash));
  const sort = search.get("sort") ?? "";
  return {
    sample: search.has("sample"),
    flags: new Set((search.get("flag") ?? "").split(",").filter(Boolean)),
    sort: sort === "" ? null : { by: sort.replace(/^-/, ""), down: sort.startsWith("-") },
    search: words?.search ?? secret.get("q") ?? search.get("q") ?? "",
    order: words?.order ?? secret.get("order") ?? search.get("order") ?? "",
    nth: words?.nth ?? (Number(secret.get("nth")) || 1),
  };
}

function addressOf(asked: Asked, number: number): string {
  const open = new URLSearchParams();
  if (asked.sample) open.set("sample", "");
  if (asked.flags.size) open.set("flag", [...asked.flags].join(","));
  if (asked.sort) open.set("sort", (asked.sort.down ? "-" : "") + asked.sort.by);
  const { search, order, nth } = asked;
  const any = search !== "" || order !== "";
  if (any) known.set(number, { search, order, nth });
  const query = open.toString();
  return "/app/results" + (query && "?" + query) + (any ? "#asked=" + number : "");
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
  const replace = !step || change.order === "";
  const number = (replace && numberOf(place.value.hash)) || ++numbers;
  navigate(addressOf({ ...now, ...change }, number), { replace });
}
