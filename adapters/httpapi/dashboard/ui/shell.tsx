// The frame of every page: navigation, the menu of the account, and the screen of the address.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Announcements, announce } from "./announce";
import { messageOf } from "./api";
import { answer } from "./files";
import { later, ofAutopilot, ofSettings, type Screen } from "./later";
import { Page } from "./page";
import { Button, SecondaryLink } from "./parts/button";
import { Confirm } from "./parts/confirm";
import { Icon } from "./parts/icon";
import { LanguageChoice, ThemeChoice } from "./parts/look";
import { NotForRole } from "./parts/for-role";
import { GoOn, Lost } from "./parts/lost";
import { memberRoleName } from "./parts/member";
import { Notice } from "./parts/notice";
import { Popup } from "./parts/popup";
import { Failed } from "./parts/states";
import { Link, match, navigate, place } from "./router";
import { account, lost, may, me, meFailure, person, refresh, signInAddress, signOut, switchAccount, unfinished } from "./session";
import type { Role } from "./views";
import { language, say } from "./text";
import { ReconcileScreen } from "./screens/reconcile/reconcile";
import { SignInScreen } from "./screens/sign-in";

// The routes of package assets, in the same words, and the least role that each is for. What
// a role may not do, the service refuses; here it is not offered.
const screens: [pattern: string, screen: Screen, least?: Role][] = [
  ["/app", ReconcileScreen, "accountant"],
  ["/app/mapping", later("MappingScreen"), "accountant"],
  ["/app/results", later("ResultsScreen")],
  ["/app/history", later("HistoryScreen")],
  ["/app/history/:id", later("RunScreen")],
  ["/app/compare", later("CompareScreen")],
  ["/app/autopilot", ofAutopilot("AutopilotScreen")],
  ["/app/autopilot/:id", ofAutopilot("ConnectionScreen"), "accountant"],
  ["/app/autopilot/:id/open-items", ofAutopilot("OpenItemsScreen")],
  ["/app/mappings", later("MappingsScreen"), "accountant"],
  ["/app/keys", ofSettings("KeysScreen"), "owner"],
  ["/app/webhooks", later("WebhooksScreen"), "owner"],
  ["/app/branding", later("BrandingScreen"), "owner"],
  ["/app/books", ofSettings("BooksScreen"), "owner"],
  ["/app/account", ofSettings("AccountScreen")],
  ["/app/people", ofSettings("PeopleScreen"), "owner"],
  ["/app/security", ofSettings("SecurityScreen"), "owner"],
  ["/app/setup", ofSettings("SetupScreen"), "owner"],
  ["/app/invitation", ofSettings("InvitationScreen")],
  ["/app/sign-in", SignInScreen],
];

function NotFound() {
  return (
    <Page title={say("This page does not exist")} lead={say("The address may be mistyped, or come from another version of Milaan.")}>
      <p>
        <Link to="/app">{say("Reconcile files")}</Link>
      </p>
    </Page>
  );
}

function Current() {
  const { path } = place.value;
  // Who may not make runs begins with the history of those that others have made.
  const elsewhere = path === "/app" && !may("accountant");
  useEffect(() => {
    if (elsewhere) navigate("/app/history", { replace: true });
  }, [elsewhere]);
  if (elsewhere) return null;
  for (const [pattern, Screen, least] of screens) {
    const params = match(pattern, path);
    if (!params) continue;
    const key = path + " " + (account.value?.email ?? "");
    return least && !may(least) ? <NotForRole key={key} /> : <Screen key={key} params={params} />;
  }
  return <NotFound />;
}

/** Nobody goes on as a visitor without knowing. */
const SignedOut = () =>
  lost.value && place.value.path !== "/app/sign-in" ? (
    <aside class="banner" aria-label={say("Sign in")}>
      <Lost>
        <div class="actions">
          <SecondaryLink to={signInAddress()}>{say("Sign in")}</SecondaryLink>
          <GoOn />
        </div>
      </Lost>
    </aside>
  ) : null;

/** Leads an owner to what is still to be done before the account can make runs. */
function Unfinished() {
  const ended = account.value?.subscription === "ended" && may("owner");
  if (!(unfinished.value || ended) || ["/app/setup", "/app/account", "/app/sign-in", "/app/invitation"].includes(place.value.path))
    return null;
  return (
    <aside class="banner" aria-label={say("What is still to be done")}>
      <Notice kind="warn" live={false}>
        {unfinished.value ? (
          <p>
            {say("The account is not set up yet, so it cannot make runs.")} <Link to="/app/setup">{say("Finish the setup")}</Link>
          </p>
        ) : (
          <p>
            {say("The subscription has ended, so the account cannot make runs.")} <Link to="/app/account">{say("Your plan")}</Link>
          </p>
        )}
      </Notice>
    </aside>
  );
}

/** A restored service sends nothing at first, which people would else take for a fault. */
const Held = () =>
  me.value!.held && account.value ? (
    <aside class="banner" aria-label={say("What waits")}>
      <Notice kind="warn" live={false}>
        <p>
          {say(
            "Milaan is held, as a restored copy is. Until its operator resumes it, it sends no webhooks and no mails, and the autopilot waits.",
          )}
        </p>
      </Notice>
    </aside>
  ) : null;

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
      <a class="skip" href="#main">
        {say("Skip to the content")}
      </a>
      <Top />
      {isSetting() && <Settings />}
      <Held />
      <Unfinished />
      <SignedOut />
      <Current />
      <Announcements />
    </>
  );
}

/** A bar of links, in which the current one is in sight: a narrow screen shows some of them. */
function useBar() {
  const self = useRef<HTMLElement>(null);
  const { path } = place.value;
  useEffect(() => {
    const bar = self.current!;
    const current = bar.querySelector<HTMLElement>("[aria-current]");
    if (current) bar.scrollLeft = current.offsetLeft - bar.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
  }, [path, language.value]);
  return self;
}

function Top() {
  const nav = useBar();
  return (
    <header class="top">
      <Link to="/app" class="brand">
        <img src="/app/assets/logo.svg" alt="" width="28" height="28" />
        <span>Milaan</span>
      </Link>
      <nav ref={nav} aria-label={say("Main")}>
        <ul>
          {may("accountant") && (
            <NavLink to="/app" also={["/app/mapping"]}>
              {say("Reconcile")}
            </NavLink>
          )}
          {answer.value && <NavLink to="/app/results">{say("Results")}</NavLink>}
          {account.value && (
            <NavLink to="/app/history" also={["/app/compare"]}>
              {say("History")}
            </NavLink>
          )}
          {account.value && <NavLink to="/app/autopilot">{say("Autopilot")}</NavLink>}
          {account.value && (
            <NavLink to="/app/account" also={settings.map(([to]) => to)}>
              {say("Settings")}
            </NavLink>
          )}
        </ul>
      </nav>
      <Menu />
    </header>
  );
}

const isWithin = (to: string) => place.value.path === to || (to !== "/app" && place.value.path.startsWith(to + "/"));

function NavLink({ to, also = [], children }: { to: string; also?: string[]; children: ComponentChildren }) {
  const current = place.value.path === to ? "page" : [to, ...also].some(isWithin) ? "true" : undefined;
  return (
    <li>
      <Link to={to} aria-current={current}>
        {children}
      </Link>
    </li>
  );
}

const settings: [to: string, name: () => string][] = [
  ["/app/account", () => say("Account")],
  ["/app/people", () => say("People")],
  ["/app/mappings", () => say("Saved mappings")],
  ["/app/branding", () => say("Branding")],
  ["/app/books", () => say("Books")],
  ["/app/keys", () => say("API keys")],
  ["/app/webhooks", () => say("Webhooks")],
  ["/app/security", () => say("Security log")],
];

const leastOf = (path: string) => screens.find(([pattern]) => pattern === path)?.[2] ?? "reader";

const isSetting = () => account.value !== null && settings.some(([to]) => isWithin(to));

function Settings() {
  const self = useBar();
  return (
    <nav ref={self} class="subnav" aria-label={say("Settings")}>
      <ul>
        {settings
          .filter(([to]) => may(leastOf(to)))
          .map(([to, name]) => (
            <NavLink key={to} to={to}>
              {name()}
            </NavLink>
          ))}
      </ul>
    </nav>
  );
}

/** Language, theme and the session. */
function Menu() {
  const user = account.value;
  return (
    <Popup class="menu" look="plain" icon="person" label={<span class="menu-name">{user ? person.value : say("Menu")}</span>}>
      {() => (
        <div class="stack">
          {user && <p class="menu-who">{person.value}</p>}
          {user && <Accounts />}
          <LanguageChoice />
          <ThemeChoice />
          {user ? (
            <Button onClick={() => void signOut().catch((e) => announce(messageOf(e)))}>{say("Sign out")}</Button>
          ) : (
            <SecondaryLink to={signInAddress()}>{say("Sign in")}</SecondaryLink>
          )}
        </div>
      )}
    </Popup>
  );
}

/** The accounts of the person, who may work for several. */
function Accounts() {
  const { account: now, accounts, role } = me.value!;
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState("");
  if (!(accounts?.length > 1))
    return now!.email === person.value ? null : (
      <p class="small">{say("{role} of {account}", { role: memberRoleName(role ?? ""), account: now!.email })}</p>
    );
  const change = async (id: string) => {
    await switchAccount(id);
    announce(say("You work for {account} now.", { account: account.value?.email ?? "" }));
  };
  const choose = async ({ id, email }: { id: string; email: string }) => {
    if (busy || email === now!.email) return;
    if (answer.value) return setAsked(id);
    setBusy(true);
    try {
      await change(id);
    } catch (e) {
      announce(messageOf(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div role="group" aria-labelledby="accounts-title" class="stack tight">
      <p id="accounts-title" class="hint">
        {say("Accounts")}
      </p>
      <ul class="accounts">
        {accounts.map((a) => (
          <li key={a.id}>
            <button
              type="button"
              class="account"
              aria-current={a.email === now!.email ? "true" : undefined}
              aria-disabled={busy || undefined}
              onClick={() => void choose(a)}>
              <span>
                {a.email}
                <span class="hint">{memberRoleName(a.role)}</span>
              </span>
              {a.email === now!.email && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <Confirm
          title={say("Change the account?")}
          action={say("Change the account")}
          danger={false}
          onConfirm={() => change(asked)}
          onClose={() => setAsked("")}>
          <p>{say("The files and the results are removed from this tab. They are kept nowhere else.")}</p>
        </Confirm>
      )}
    </div>
  );
}
