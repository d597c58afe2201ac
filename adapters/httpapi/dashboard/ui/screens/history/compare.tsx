import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function CompareScreen() {
  return (
    <Page title={say("Compare runs")}>
      <Empty title={say("Compare runs")} />
    </Page>
  );
}
