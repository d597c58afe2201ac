import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function AccountScreen() {
  return (
    <Page title={say("Account")}>
      <Empty title={say("Account")} />
    </Page>
  );
}
