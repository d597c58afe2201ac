import "./testing/browser";
import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import {
  clock,
  count,
  date,
  label,
  language,
  moment,
  plainRupees,
  rupees,
  say,
  shortDate,
  shortRupees,
  signedCount,
  signedRupees,
  size,
  speak,
} from "./text";

const hindi = {
  "{n} order|{n} orders": "{n} ऑर्डर|{n} ऑर्डर्स",
  Stop: "रोकें",
};

function answer(words: Record<string, string>, ok = true) {
  const asked: string[] = [];
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    return { ok, json: async () => words };
  }) as unknown as typeof fetch;
  return asked;
}

beforeEach(() => speak("en"));

test("one and many have their own forms", () => {
  assert.equal(say("{n} order|{n} orders", { n: 1 }), "1 order");
  assert.equal(say("{n} order|{n} orders", { n: 0 }), "0 orders");
  assert.equal(say("{n} order|{n} orders", { n: 123456 }), "1,23,456 orders");
});

test("in Hindi, nothing takes the form of one", async () => {
  answer(hindi);
  await speak("hi");
  assert.equal(say("{n} order|{n} orders", { n: 0 }), "0 ऑर्डर");
  assert.equal(say("{n} order|{n} orders", { n: 2 }), "2 ऑर्डर्स");
});

test("values stand in their places, and a missing one is blank", () => {
  assert.equal(say("{from} to {to}", { from: "1 Sept", to: "2 Sept" }), "1 Sept to 2 Sept");
  assert.equal(say("{a}{b}.", { a: 1000 }), "1,000.");
  assert.equal(say("{a}", { a: "{b}|", b: "no" }), "{b}|", "a value is never read as a text");
});

test("a text without a translation stays English, and so does a label", async () => {
  answer(hindi);
  await speak("hi");
  assert.equal(say("Stop"), "रोकें");
  assert.equal(say("Go on"), "Go on");
  assert.equal(label({ stop: "Stop" }, "stop"), "रोकें");
  assert.equal(label({ stop: "Stop" }, "halt"), "halt");
});

test("the language that was chosen last holds, whichever words come first", async () => {
  answer(hindi);
  await Promise.all([speak("hi"), speak("en")]);
  assert.deepEqual([language.value, say("Stop")], ["en", "Stop"]);
});

test("words that the service has not leave the page as it is", async () => {
  const asked = answer({}, false);
  await assert.rejects(speak("x/y"));
  assert.deepEqual(asked, ["/app/api/words/x%2Fy"]);
  assert.equal(language.value, "en");
});

test("money has lakhs, paise and a minus", () => {
  assert.equal(rupees(123456.7), "₹1,23,456.70");
  assert.equal(rupees(-0.5), "-₹0.50");
  assert.equal(plainRupees(1499), "₹1,499");
  assert.equal(plainRupees(4695.7), "₹4,695.70");
  assert.equal(shortRupees(123456), "₹1.2L");
  assert.equal(signedRupees(10), "+₹10.00");
  assert.equal(signedRupees(0), "₹0.00");
});

test("digits are Latin in every language", async () => {
  answer({});
  await speak("mr");
  assert.equal(count(1234567), "12,34,567");
  assert.equal(signedCount(-12), "-12");
});

test("a day has no clock, and a moment has that of India", () => {
  assert.equal(date("2026-09-01"), "1 Sept 2026");
  assert.equal(date("2026-09-01T18:29:59Z"), "1 Sept 2026");
  assert.equal(date("2026-09-01T20:00:00Z"), "2 Sept 2026", "it is tomorrow in India");
  assert.equal(shortDate("2026-12-31T20:00:00Z"), "1 Jan");
  assert.equal(shortDate("2026-12-31"), "31 Dec");
  assert.equal(moment("2026-09-01T20:00:00Z").replace(/\s/g, " "), "2 Sept 2026, 1:30 am");
  assert.equal(clock("2026-09-01T09:07:00Z").replace(/\s/g, " "), "2:37 pm");
  for (const written of [date, shortDate, moment, clock]) assert.equal(written(null), "");
});

test("a size is in KB or MB, and 0 only of nothing", () => {
  assert.equal(size(0), "0 KB");
  assert.equal(size(1), "1 KB");
  assert.equal(size((1 << 20) - 1), "1,024 KB");
  assert.equal(size(1 << 20), "1 MB");
  assert.equal(size(1.25 * (1 << 20)), "1.3 MB");
});
