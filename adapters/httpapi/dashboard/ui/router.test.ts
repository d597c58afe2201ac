import { browser } from "./testing/browser";
import { test } from "node:test";
import assert from "node:assert/strict";
import { Link, match, navigate, place, takeEntered } from "./router";

test("a pattern takes the values of its parts", () => {
  assert.deepEqual(match("/app", "/app"), {});
  assert.deepEqual(match("/app/history/:id", "/app/history/r%201"), { id: "r 1" });
  assert.deepEqual(match("/:a/:b", "/x/y"), { a: "x", b: "y" });
});

test("another address matches no pattern", () => {
  for (const path of ["/app", "/app/history", "/app/history/", "/app/history/a/b", "/app/other/a", "/app/history/%E0%A4%A"]) {
    assert.equal(match("/app/history/:id", path), null, path);
  }
});

test("an address is gone to, with its search, and Back leads back", () => {
  navigate("/app/results?q=late#top");
  assert.equal(browser.address, "/app/results?q=late#top");
  assert.equal(place.value.path, "/app/results");
  assert.equal(place.value.search.get("q"), "late");
  assert.equal(place.value.hash, "#top");
  assert.deepEqual(browser.back, ["/app"]);
  assert.equal(browser.scrolls, 1);
  assert.equal(takeEntered(), true, "the title of the new screen takes the focus");
  assert.equal(takeEntered(), false, "once");

  navigate("/app/results?q=lost", { replace: true });
  assert.deepEqual(browser.back, ["/app"], "a replaced address is not gone back to");
  assert.equal(browser.scrolls, 1, "the same screen stays where it is");
  assert.equal(takeEntered(), false);

  browser.goBack();
  assert.equal(place.value.path, "/app");
  assert.equal(takeEntered(), true);
});

test("a link is followed by a plain click alone", () => {
  const click = (how: Partial<MouseEvent>) => {
    let prevented = false;
    const event = { defaultPrevented: false, button: 0, preventDefault: () => (prevented = true), ...how };
    const { props } = Link({ to: "/app/keys", children: "" });
    assert.equal(props.href, "/app/keys");
    (props.onClick as unknown as (e: unknown) => void)(event);
    return prevented;
  };
  for (const how of [
    { button: 1 },
    { metaKey: true },
    { ctrlKey: true },
    { shiftKey: true },
    { altKey: true },
    { defaultPrevented: true },
  ]) {
    assert.equal(click(how), false, JSON.stringify(how));
    assert.equal(place.value.path, "/app");
  }
  assert.equal(click({}), true);
  assert.equal(place.value.path, "/app/keys");
});
