import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function HistoryScreen() {
  return (
    <Page title={say("History")}>
      <Empty title={say("History")} />
    </Page>
  );
}
