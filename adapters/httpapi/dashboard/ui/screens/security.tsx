import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function SecurityScreen() {
  return (
    <Page title={say("Security log")}>
      <Empty title={say("Security log")} />
    </Page>
  );
}
