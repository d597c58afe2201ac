import { effect } from "@preact/signals";
import { render } from "preact";
import { fetchLater } from "./later";
import { navigate } from "./router";
import { underway } from "./screens/reconcile/run-state";
import { account, refresh, unfinished } from "./session";
import { App } from "./shell";
import "./sign-in-link";
import { firstLanguage, speak } from "./text";

// The words come first, so that no screen changes its language while it is read. Without
// them the page is in English.
await Promise.all([speak(firstLanguage()).catch(() => speak("en")), refresh()]);
// Whoever has just got an account begins with its setup.
if (unfinished.value && location.pathname === "/app" && account.value?.subscription === "incomplete")
  navigate("/app/setup", { replace: true });
const root = document.getElementById("app")!;
root.replaceChildren();
render(<App />, root);
setTimeout(() => void fetchLater(), 300); // when the first screen has been painted
effect(() => {
  if (underway.value) void fetchLater(); // a run leads to the screen of its results
});
