import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Page } from "./page";
import { Failed, Loading } from "./parts/states";
import { say } from "./text";

export type Screen = FunctionComponent<{ params: Record<string, string> }>;

const NotLoaded = ({ retry }: { retry: () => Promise<void> }) => (
  <Failed
    message={say("This screen could not be loaded. Check the connection; after an update of Milaan, reload the page.")}
    onRetry={() => void retry()}
  />
);

/** Screens that are a file of their own, which is fetched later. */
function inFile<Screens extends object>(load: () => Promise<Screens>) {
  const fetched = signal<Screens | null>(null);
  const failed = signal(false);

  async function fetch(): Promise<void> {
    if (fetched.value) return;
    failed.value = false;
    try {
      fetched.value = await load();
    } catch {
      failed.value = true;
    }
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
 * fetchLater fetches the screens that nobody sees first. It may be repeated. later is such a
 * screen; it is fetched when it is shown, unless it is there already. partLater is a part of another.
 */
export const { fetch: fetchLater, screen: later, part: partLater } = inFile(() => import("./screens/later"));

/** A screen of the autopilot, which few look at. */
export const { screen: ofAutopilot } = inFile(() => import("./screens/autopilot/screens"));

/** A screen of the account, its people or its keys. */
export const { screen: ofSettings } = inFile(() => import("./screens/settings/screens"));
