// Who uses the page, and what they may do.
import { computed, signal } from "@preact/signals";
import { announce } from "./announce";
import { get, messageOf, ofSession, post } from "./api";
import { answer, clear } from "./files";
import { navigate, place } from "./router";
import { say } from "./text";
import type { Me, Role } from "./views";

/** The answer to a sign-out, if the identity provider has a session too that ends. */
type SignedOut = { continue_at: string } | undefined;

/** What the service knows of the user; null until it has answered. */
export const me = signal<Me | null>(null);
/** Why the service did not answer. */
export const meFailure = signal("");
export const quota = computed(() => me.value?.quota ?? null);
export const account = computed(() => me.value?.account ?? null);
/** Whether files may be reconciled: by an account, or on the user's own machine. */
export const mayReconcile = computed(() => me.value !== null && me.value.visitor !== "none");

/** The e-mail address of who is signed in. Several people may work for one account. */
export const person = computed(() => me.value?.person || (account.value?.email ?? ""));

const roles: Role[] = ["owner", "accountant", "reader"];

/**
 * Whether what asks for a role is shown to the person. The service decides what each of its
 * routes asks for; without an account, nothing here does.
 */
export function may(least: Role): boolean {
  if (!account.value) return true;
  const own = roles.indexOf(me.value?.role || "owner");
  return own >= 0 && own <= roles.indexOf(least);
}

/** Whether an owner has something to do before the account can make its first runs. */
export const unfinished = computed(
  () => account.value !== null && may("owner") && (!account.value.phone_verified || account.value.subscription === "incomplete"),
);

/** Whether the autopilot makes passes for the account: else the time of the next one says nothing. */
export const makesPasses = () => account.value?.has_autopilot && account.value.subscription === "active";

/** The name of a courier by its id. */
export const courierName = (id: string) => me.value?.couriers.find((c) => c.id === id)?.name ?? id;

/**
 * How the tab's session has ended: in another tab, or as the service says. It stays until the
 * person signs in again or goes on as a visitor.
 */
export const lost = signal<"" | "elsewhere" | "ended">("");
let former = ""; // whose session that was

export async function refresh(): Promise<void> {
  const now = account.value && who();
  try {
    me.value = await get<Me>("/app/api/me");
    meFailure.value = "";
  } catch (e) {
    meFailure.value = messageOf(e);
  }
  if (!account.value) {
    if (!now) return;
    former = now;
    lost.value ||= "ended";
  } else if (lost.value) {
    lost.value = "";
    if (former !== who()) forget(say("You have signed in to another account. The results of the former one are removed from this tab."));
  }
}

/** Results are those of an account. The files are the user's, and stay. */
function forget(why: string) {
  answer.value = null;
  announce(why);
}

/** Ends this browser's session, all of the person, or all of the account. Nothing of the files stays. */
export async function signOut(which: "this" | "own" | "all" = "this"): Promise<void> {
  const path = which === "this" ? "/app/api/sign-out" : "/app/api/sign-out-everywhere";
  const done = await post<SignedOut>(path, which === "all" ? { everybody: true } : {});
  if (!done) return leave("/app/sign-in?signed-out");
  clear();
  tellOthers("signed-out");
  location.assign(done.continue_at); // which ends the provider's session, and leads back to the sign-in screen
}

/** Goes on without what was of the account, once the service has ended the session or changed its account. */
export async function leave(to: string): Promise<void> {
  clear();
  await refresh();
  lost.value = "";
  tellOthers(account.value ? "switched" : "signed-out");
  navigate(to);
}

/** Signs the person in for another of their accounts. */
export async function switchAccount(id: string): Promise<void> {
  await post("/app/api/account/switch", { account_id: id });
  await leave("/app");
}

// What other tabs show would act on the account that the browser is signed in to now.
const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("milaan");
const tellOthers = (what: "switched" | "signed-out") => otherTabs?.postMessage(what);
if (otherTabs) {
  otherTabs.onmessage = async ({ data }) => {
    const had = account.value && who();
    await refresh();
    const email = account.value?.email;
    if (!had) return;
    if (!email) {
      if (data === "signed-out" && lost.value) lost.value = "elsewhere";
    } else if (who() !== had) forget(say("In another tab, you have changed to the account {email}. This tab shows it too.", { email }));
  };
}

// Whoever comes back to the tab may have signed in in another one.
addEventListener("focus", () => {
  if (lost.value || (me.value && !account.value)) void refresh();
});

/** The address of the sign-in screen that leads back here. */
export const signInAddress = () => {
  const back = place.value.path + location.search;
  return back === "/app" ? "/app/sign-in" : "/app/sign-in?to=" + encodeURIComponent(back);
};

// The files stay: they are the user's, on the user's machine, and are sent again after
// signing in.
ofSession(
  () => account.value !== null || lost.value !== "",
  () => {
    if (place.value.path === "/app/sign-in") return;
    navigate(signInAddress());
    void refresh();
  },
);

// A browser may keep a whole page that is left, and show it again when the user goes back,
// after a sign-out. So it is hidden until the service has said who uses it now.
addEventListener("pagehide", (e) => {
  if (e.persisted) document.documentElement.style.visibility = "hidden";
});
addEventListener("pageshow", (e) => {
  if (e.persisted) void recheck();
});

async function recheck() {
  const former = who();
  await refresh();
  if (!meFailure.value && who() === former) {
    document.documentElement.style.visibility = "";
    return;
  }
  clear(); // so that the browser does not ask whether the page may be left
  location.reload();
}

const who = () => JSON.stringify([me.value?.account?.email, person.value, me.value?.role]);
