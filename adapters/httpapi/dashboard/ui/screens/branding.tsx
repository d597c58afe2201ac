import { Page } from "../page";
import { Empty } from "../parts/states";
import { say } from "../text";

export function BrandingScreen() {
  return (
    <Page title={say("Branding")}>
      <Empty title={say("Branding")} />
    </Page>
  );
}
