import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function KeysScreen() {
  return (
    <Page title={say("API keys")}>
      <Empty title={say("API keys")} />
    </Page>
  );
}
