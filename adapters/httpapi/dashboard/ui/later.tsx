import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Page } from "./page";
import { Failed, Loading } from "./parts/states";
import { say } from "./text";

export type Screen = FunctionComponent<{ params: Record<string, string> }>;

type Screens = typeof import("./screens/later");

const fetched = signal<Screens | null>(null);
const failed = signal(false);

/** Fetches the screens that nobody sees first. It may be repeated. */
export async function fetchLater(): Promise<void> {
  if (fetched.value) return;
  failed.value = false;
  try {
    fetched.value = await import("./screens/later");
  } catch {
    failed.value = true;
  }
}

/** A screen that is fetched when it is shown, unless it is there already. */
export function later(name: keyof Screens): Screen {
  return function Later({ params }) {
    const Found = fetched.value?.[name] as Screen | undefined;
    if (Found) return <Found params={params} />;
    if (!failed.value) void fetchLater();
    return (
      <Page title="Milaan" passing={!failed.value}>
        {failed.value ? <Failed message={say("This screen could not be loaded. Check the connection; after an update of Milaan, reload the page.")} onRetry={() => void fetchLater()} /> : <Loading />}
      </Page>
    );
  };
}
