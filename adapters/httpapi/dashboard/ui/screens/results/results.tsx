import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function ResultsScreen() {
  return (
    <Page title={say("Results")}>
      <Empty title={say("Results")} />
    </Page>
  );
}
