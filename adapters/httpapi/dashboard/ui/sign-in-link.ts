// The token of a sign-in link or an invitation that was opened. It is taken out of the address before anything
// is shown, so it is part of what is loaded first.
import { signal } from "@preact/signals";
import { navigate } from "./router";

/** The token. It is kept nowhere else; blank: there is none. */
export const linkToken = signal("");

/** The token of an invitation that was opened. */
export const invitationToken = signal("");

const pages = { "/app/sign-in": linkToken, "/app/invitation": invitationToken };

/** The token in a link; blank if there is none. */
export function tokenOf(link: string): string {
  const at = link.indexOf("#");
  return new URLSearchParams(at < 0 ? "" : link.slice(at + 1)).get("token")?.trim() ?? "";
}

/** Takes the token out of the address bar and the history. */
function take() {
  const token = pages[location.pathname as keyof typeof pages];
  const found = token ? tokenOf(location.hash) : "";
  if (!found) return;
  token.value = found;
  navigate(location.pathname + location.search, { replace: true });
}

take();
// A link that is opened in a tab which shows the screen already changes the fragment alone.
addEventListener("hashchange", take);
