import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function RunScreen() {
  return (
    <Page title={say("Run")}>
      <Empty title={say("Run")} />
    </Page>
  );
}
