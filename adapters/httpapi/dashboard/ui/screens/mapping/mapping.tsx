import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function MappingScreen() {
  return (
    <Page title={say("Columns of the report")}>
      <Empty title={say("Columns of the report")} />
    </Page>
  );
}
