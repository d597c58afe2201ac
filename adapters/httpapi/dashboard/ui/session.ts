// Who uses the page, and what they may do.
import { computed, signal } from "@preact/signals";
import { get, messageOf, post, whenSignedOut } from "./api";
import { clear } from "./files";
import { navigate, place } from "./router";
import type { Me } from "./shapes";

/** What the service knows of the user; null until it has answered. */
export const me = signal<Me | null>(null);
/** Why the service did not answer. */
export const meFailure = signal("");
export const quota = computed(() => me.value?.quota ?? null);
export const account = computed(() => me.value?.account ?? null);
/** Whether files may be reconciled: by an account, or on the user's own machine. */
export const mayReconcile = computed(() => me.value !== null && me.value.visitor !== "none");

/** The name of a courier by its id. */
export const courierName = (id: string) => me.value?.couriers.find((c) => c.id === id)?.name ?? id;

export async function refresh(): Promise<void> {
  try {
    me.value = await get<Me>("/app/api/me");
    meFailure.value = "";
  } catch (e) {
    meFailure.value = messageOf(e);
  }
}

/** Ends this browser's session, or all of the account. Nothing of the files stays. */
export async function signOut(everywhere = false): Promise<void> {
  await post(everywhere ? "/app/api/sign-out-everywhere" : "/app/api/sign-out");
  clear();
  await refresh();
  navigate("/app/sign-in?signed-out");
}

/** The address of the sign-in screen that leads back here. */
export const signInAddress = () => {
  const back = place.value.path + location.search;
  return back === "/app" ? "/app/sign-in" : "/app/sign-in?to=" + encodeURIComponent(back);
};

// The files stay: they are the user's, on the user's machine, and are sent again after
// signing in.
whenSignedOut(() => {
  if (place.value.path === "/app/sign-in") return;
  navigate(signInAddress());
  void refresh();
});

// A browser may keep a whole page that is left, and show it again when the user goes back,
// after a sign-out. So it is hidden until the service has said who uses it now.
addEventListener("pagehide", (e) => {
  if (e.persisted) document.documentElement.style.visibility = "hidden";
});
addEventListener("pageshow", (e) => {
  if (e.persisted) void recheck();
});

async function recheck() {
  const former = me.value?.account?.email;
  await refresh();
  if (!meFailure.value && me.value?.account?.email === former) {
    document.documentElement.style.visibility = "";
    return;
  }
  clear(); // so that the browser does not ask whether the page may be left
  location.reload();
}
