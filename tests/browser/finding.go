package browser

// finding finds things in a page as a person does: by the words that they bear. It runs before
// the page's own script, and what it defines is for tests alone.
const finding = `globalThis.milaanTest = (() => {
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const visible = (e) => e !== null && e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const name = (e) => {
    if (!e) return "";
    const by = e.getAttribute("aria-labelledby");
    if (by) return tidy(by.split(" ").map((id) => document.getElementById(id)?.textContent).join(" "));
    return tidy(e.getAttribute("aria-label") || (e.labels?.length ? e.labels[0].querySelector(".drop-label")?.textContent || e.labels[0].innerText : e.innerText) || e.title);
  };
  // What lies under an open dialog cannot be reached.
  const root = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const all = (selector) => [...root().querySelectorAll(selector)];
  const first = (list, words) => list.find((e) => name(e) === words) ?? list.find((e) => name(e).startsWith(words)) ?? null;
  // A page may still grow above a button: a click comes when it has rested for a moment, and for longer while it
  // waits for an answer.
  let rests = { of: null, at: [], since: 0 }, asked = 0, missed = false;
  const ask = globalThis.fetch;
  globalThis.fetch = (...question) => {
    asked++;
    return ask(...question).finally(() => asked--);
  };
  const middle = (e) => {
    // A button may still wait for an answer: a click on it would be lost.
    if (!visible(e) || e.ariaDisabled === "true") return null;
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = e.getBoundingClientRect(), now = performance.now();
    const at = [box.x + box.width / 2, box.y + box.height / 2];
    if (e !== rests.of || at.join() !== rests.at.join()) rests = { of: e, at, since: now };
    return now - rests.since < (asked > 0 ? 500 : 45) ? null : at;
  };
  return {
    name,
    sees: (text) => tidy(document.body?.innerText).includes(tidy(text)),
    target: (words) => first(all("a[href],button,summary,label.button,[role=button],[role=option],[role=menuitem],[role=tab],input[type=checkbox],input[type=radio]").filter(visible), words),
    field: (words) => first(all("input,select,textarea"), words),
    middle,
    // aim returns where to click on what find returns, and missed whether that click was on something else.
    aim: (find) => {
      const at = middle(find());
      if (at === null) return null;
      missed = true; // the page may take away what the mouse went down on, and then there is no click
      addEventListener("click", ({ target }) => {
        const e = find();
        missed = e !== null && !e.contains(target) && target.closest?.("label")?.control !== e;
      }, { capture: true, once: true });
      return at;
    },
    missed: () => missed,
    select: (e) => {
      if (!e) return null;
      e.focus();
      e.select?.();
      return document.activeElement === e;
    },
    choose: (e, words) => {
      const option = first([...(e?.options ?? [])].map((o) => o), words) ?? [...(e?.options ?? [])].find((o) => tidy(o.textContent).startsWith(words));
      if (!option) return null;
      e.focus();
      e.value = option.value;
      e.dispatchEvent(new Event("input", { bubbles: true }));
      e.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    },
    await: (find, waitLimit) => new Promise((done, fail) => {
      const end = performance.now() + waitLimit;
      const look = () => {
        let found = null;
        try { found = find(); } catch (e) { return fail(e); }
        if (found !== null && found !== false) return done(found);
        if (performance.now() > end) return fail(new Error("waited in vain"));
        setTimeout(look, 15);
      };
      look();
    }),
  };
})();`
