// The frame of every page: navigation, the menu of the account, and the screen of the address.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Announcements, announce } from "./announce";
import { messageOf } from "./api";
import { answer } from "./files";
import { later, ofAutopilot, type Screen } from "./later";
import { Page } from "./page";
import { Button } from "./parts/button";
import { Select } from "./parts/field";
import { Icon } from "./parts/icon";
import { useLeaving } from "./parts/leaving";
import { Failed } from "./parts/states";
import { Link, match, place } from "./router";
import { account, me, meFailure, refresh, signInAddress, signOut } from "./session";
import { storedTheme, storeTheme, type Theme } from "./stored";
import { chooseLanguage, language, say } from "./text";
import { MappingScreen } from "./screens/mapping/mapping";
import { ReconcileScreen } from "./screens/reconcile/reconcile";
import { SignInScreen } from "./screens/sign_in";

// The routes of package assets, in the same words.
const screens: [pattern: string, screen: Screen][] = [
  ["/app", ReconcileScreen],
  ["/app/mapping", MappingScreen],
  ["/app/results", later("ResultsScreen")],
  ["/app/history", later("HistoryScreen")],
  ["/app/history/:id", later("RunScreen")],
  ["/app/compare", later("CompareScreen")],
  ["/app/autopilot", ofAutopilot("AutopilotScreen")],
  ["/app/autopilot/:id", ofAutopilot("ConnectionScreen")],
  ["/app/mappings", later("MappingsScreen")],
  ["/app/keys", later("KeysScreen")],
  ["/app/webhooks", later("WebhooksScreen")],
  ["/app/branding", later("BrandingScreen")],
  ["/app/account", later("AccountScreen")],
  ["/app/security", later("SecurityScreen")],
  ["/app/sign-in", SignInScreen],
];

function NotFound() {
  return (
    <Page title={say("This page does not exist")} lead={say("The address may be mistyped, or come from another version of Milaan.")}>
      <p><Link to="/app">{say("Reconcile files")}</Link></p>
    </Page>
  );
}

function Current() {
  const { path } = place.value;
  for (const [pattern, Screen] of screens) {
    const params = match(pattern, path);
    if (params) return <Screen key={path} params={params} />;
  }
  return <NotFound />;
}

export function App() {
  if (!me.value) {
    return (
      <main class="page">
        <h1>Milaan</h1>
        <Failed message={meFailure.value} onRetry={() => void refresh()} />
      </main>
    );
  }
  return (
    <>
      <a class="skip" href="#main">{say("Skip to the content")}</a>
      <Top />
      {isSetting() && <Settings />}
      <Current />
      <Announcements />
    </>
  );
}

function Top() {
  return (
    <header class="top">
      <Link to="/app" class="brand">
        <img src="/app/assets/logo.svg" alt="" width="28" height="28" />
        Milaan
      </Link>
      <nav aria-label={say("Main")}>
        <ul>
          <NavLink to="/app" also={["/app/mapping"]}>{say("Reconcile")}</NavLink>
          {answer.value && <NavLink to="/app/results">{say("Results")}</NavLink>}
          {account.value && <NavLink to="/app/history" also={["/app/compare"]}>{say("History")}</NavLink>}
          {account.value && <NavLink to="/app/autopilot">{say("Autopilot")}</NavLink>}
          {account.value && <NavLink to="/app/account" also={settings.map(([to]) => to)}>{say("Settings")}</NavLink>}
        </ul>
      </nav>
      <Menu />
    </header>
  );
}

const isWithin = (to: string) => place.value.path === to || (to !== "/app" && place.value.path.startsWith(to + "/"));

function NavLink({ to, also = [], children }: { to: string; also?: string[]; children: ComponentChildren }) {
  const current = place.value.path === to ? "page" : [to, ...also].some(isWithin) ? "true" : undefined;
  return <li><Link to={to} aria-current={current}>{children}</Link></li>;
}

const settings: [to: string, name: () => string][] = [
  ["/app/account", () => say("Account")],
  ["/app/mappings", () => say("Saved mappings")],
  ["/app/branding", () => say("Branding")],
  ["/app/keys", () => say("API keys")],
  ["/app/webhooks", () => say("Webhooks")],
  ["/app/security", () => say("Security log")],
];

const isSetting = () => account.value !== null && settings.some(([to]) => isWithin(to));

function Settings() {
  const self = useRef<HTMLElement>(null);
  const { path } = place.value;
  // On a narrow screen the current one may be out of sight.
  useEffect(() => {
    const bar = self.current!;
    const current = bar.querySelector<HTMLElement>("[aria-current]");
    if (current) bar.scrollLeft = current.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
  }, [path]);
  return (
    <nav ref={self} class="subnav" aria-label={say("Settings")}>
      <ul>
        {settings.map(([to, name]) => <NavLink key={to} to={to}>{name()}</NavLink>)}
      </ul>
    </nav>
  );
}

/** Language, theme and the session. */
function Menu() {
  const [open, setOpen] = useState(false);
  const self = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [place.value]);
  useLeaving(open, self, () => setOpen(false));
  const user = account.value;
  return (
    <div
      class="menu"
      ref={self}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open) return;
        setOpen(false);
        opener.current!.focus();
      }}
    >
      <button ref={opener} type="button" class="button plain" aria-expanded={open} aria-controls="menu" onClick={() => setOpen(!open)}>
        <Icon name="person" />
        <span class="menu-name">{user ? user.email : say("Menu")}</span>
        <Icon name="down" />
      </button>
      <div id="menu" class="menu-box stack" hidden={!open}>
        {user && <p class="menu-who">{user.email}</p>}
        <LanguageChoice />
        <ThemeChoice />
        {user ? <Button onClick={() => void signOut().catch((e) => announce(messageOf(e)))}>{say("Sign out")}</Button> : <Link class="button secondary" to={signInAddress()}>{say("Sign in")}</Link>}
      </div>
    </div>
  );
}

export function LanguageChoice() {
  const languages = me.value!.languages;
  if (languages.length < 2) return null;
  const choose = (code: string) => chooseLanguage(code).catch(() => announce(say("The words of this language could not be loaded. Try again.")));
  return <Select label={say("Language")} value={language.value} onValue={(code) => void choose(code)} choices={languages.map((l) => ({ value: l.code, label: l.name }))} />;
}

export function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string) => {
    setTheme(value as Theme);
    storeTheme(value as Theme);
    if (value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  };
  return (
    <Select label={say("Theme")} value={theme} onValue={choose} choices={[
      { value: "auto", label: say("As the system") },
      { value: "light", label: say("Light") },
      { value: "dark", label: say("Dark") },
    ]} />
  );
}
