import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function SignInScreen() {
  return (
    <Page title={say("Sign in")}>
      <Empty title={say("Sign in")} />
    </Page>
  );
}
