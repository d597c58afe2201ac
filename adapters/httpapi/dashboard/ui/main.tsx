import { render } from "preact";
import { fetchLater } from "./later";
import { App } from "./shell";
import { refresh } from "./session";
import "./sign_in_link";
import { firstLanguage, speak } from "./text";

// The words come first, so that no screen changes its language while it is read. Without
// them the page is in English.
await Promise.all([speak(firstLanguage()).catch(() => speak("en")), refresh()]);
const root = document.getElementById("app")!;
root.replaceChildren();
render(<App />, root);
setTimeout(() => void fetchLater(), 300); // when the first screen has been painted
