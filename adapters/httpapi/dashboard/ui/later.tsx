import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Page } from "./page";
import { Failed, Loading } from "./parts/states";
import { say } from "./text";

export type Screen = FunctionComponent<{ params: Record<string, string> }>;

const NotLoaded = ({ retry }: { retry: () => Promise<unknown> }) => (
  <Failed
    message={say("This screen could not be loaded. Check the connection; after an update of Milaan, reload the page.")}
    onRetry={() => void retry()}
  />
);

/**
 * Screens that are a file of their own, which is fetched later. A browser does not ask again for
 * a script that it could not load: further tries have it, and what it shares, in another folder.
 */
function inFile<Screens extends object>(name: string, load: () => Promise<Screens>) {
  const fetched = signal<Screens | null>(null);
  const failed = signal(false);
  let failures = 0;

  async function fetch(): Promise<Screens | null> {
    if (fetched.value) return fetched.value;
    failed.value = false;
    try {
      fetched.value = await (failures ? import(`/app/assets/again/${failures}/${name}.js`) : load());
    } catch {
      failures++;
      failed.value = true;
    }
    return fetched.value;
  }

  const screen = (name: keyof Screens): Screen =>
    function Later({ params }) {
      const Found = fetched.value?.[name] as Screen | undefined;
      if (Found) return <Found params={params} />;
      if (!failed.value) void fetch();
      return (
        <Page title="Milaan" passing={!failed.value}>
          {failed.value ? <NotLoaded retry={fetch} /> : <Loading />}
        </Page>
      );
    };
  /** A part of a screen that is shown once it is there. */
  const part = <Props extends object>(name: keyof Screens): FunctionComponent<Props> =>
    function LaterPart(props: Props) {
      const Found = fetched.value?.[name] as FunctionComponent<Props> | undefined;
      if (Found) return <Found {...props} />;
      return failed.value ? <NotLoaded retry={fetch} /> : null;
    };
  return { fetch, screen, part };
}

/**
 * fetchLater fetches the screens that nobody sees first; null: it failed. It may be repeated. later is such a
 * screen; it is fetched when it is shown, unless it is there already. partLater is a part of another.
 */
export const { fetch: fetchLater, screen: later, part: partLater } = inFile("later", () => import("./screens/later"));

/** A screen of the autopilot, which few look at. */
export const { screen: ofAutopilot } = inFile("autopilot", () => import("./screens/autopilot/screens"));

/** A screen of the account, its people or its keys. */
export const { screen: ofSettings } = inFile("settings", () => import("./screens/settings/screens"));
