import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function WebhooksScreen() {
  return (
    <Page title={say("Webhooks")}>
      <Empty title={say("Webhooks")} />
    </Page>
  );
}
