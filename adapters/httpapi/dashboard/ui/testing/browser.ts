// What the sources use of a browser and Node has not. A test that needs it imports this first.
import { File } from "node:buffer";

const page = { url: new URL("https://milaan.example/app"), scrolls: 0, entries: [] as string[] };

/** The address, and how often the page was scrolled to its top. */
export const browser = {
  /** Where the page is, without its origin. */
  get address() {
    return page.url.pathname + page.url.search + page.url.hash;
  },
  /** The addresses that Back leads to, the last one first. */
  get back() {
    return page.entries;
  },
  get scrolls() {
    return page.scrolls;
  },
  /** Is at another address, which nobody has gone to. */
  visit(to: string) {
    page.url = new URL(to, page.url);
    dispatchEvent(new Event("popstate"));
  },
  /** Goes back, as the button of the browser does. */
  goBack() {
    page.url = new URL(page.entries.shift()!, page.url);
    dispatchEvent(new Event("popstate"));
  },
};

const events = new EventTarget();
const go = (to: URL | string, keeps: boolean) => {
  if (keeps) page.entries.unshift(browser.address);
  page.url = new URL(to, page.url);
};

const later = globalThis.setTimeout as unknown as (act: () => void, ms: number) => { unref(): unknown }; // Node's

Object.assign(globalThis, {
  File,
  // One of seconds, such as that of a message, does not keep Node running.
  setTimeout: (act: () => void, ms = 0) => {
    const timer = later(act, ms);
    return ms < 1000 ? timer : timer.unref();
  },
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  scrollTo: () => page.scrolls++,
  requestAnimationFrame: (act: () => void) => setTimeout(act),
  cancelAnimationFrame: clearTimeout,
  location: {
    get href() {
      return page.url.href;
    },
    get pathname() {
      return page.url.pathname;
    },
    get search() {
      return page.url.search;
    },
    get hash() {
      return page.url.hash;
    },
  },
  history: {
    pushState: (_state: unknown, _title: string, to: URL | string) => go(to, true),
    replaceState: (_state: unknown, _title: string, to: URL | string) => go(to, false),
  },
  document: { documentElement: { lang: "en", style: {} } },
  BroadcastChannel: undefined, // an open one keeps Node running
  fetch: () => Promise.reject(new Error("a test asks for an answer that it has not prepared")),
});
