// The address decides which screen is shown.
import { signal } from "@preact/signals";
import type { ComponentChildren, PartialAnchorHTMLAttributes } from "preact";

export interface Place {
  path: string;
  search: URLSearchParams;
  hash: string;
}

const here = (): Place => ({ path: location.pathname, search: new URLSearchParams(location.search), hash: location.hash });

/** Where the page is. */
export const place = signal<Place>(here());

/** Goes to an address below /app. A replaced one is not gone back to. */
export function navigate(to: string, { replace = false } = {}) {
  const target = new URL(to, location.href);
  const moves = target.pathname !== location.pathname;
  history[replace ? "replaceState" : "pushState"](null, "", target);
  place.value = here();
  if (moves) {
    scrollTo(0, 0);
    entered = true;
  }
}

addEventListener("popstate", () => {
  entered = place.value.path !== location.pathname;
  place.value = here();
});

// Whether a screen has been entered by a link and its title not yet been focused. The first
// screen of a visit leaves the focus where the browser puts it.
let entered = false;
export function takeEntered(): boolean {
  const was = entered;
  entered = false;
  return was;
}

interface LinkProps extends Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, "role"> {
  to: string;
  class?: string;
  children: ComponentChildren;
}

/** A link to another screen, without loading the page anew. */
export function Link({ to, ...rest }: LinkProps) {
  const follow = (e: MouseEvent) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={to} onClick={follow} />;
}

/** The values of a pattern such as /app/history/:id in a path; null if it is another one. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const want = pattern.split("/");
  const have = path.split("/");
  if (want.length !== have.length) return null;
  const found: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = have[i]!;
    if (part.startsWith(":")) {
      if (!value) return null;
      try {
        found[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return found;
}
