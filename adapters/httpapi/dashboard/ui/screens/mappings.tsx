import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function MappingsScreen() {
  return (
    <Page title={say("Saved mappings")}>
      <Empty title={say("Saved mappings")} />
    </Page>
  );
}
