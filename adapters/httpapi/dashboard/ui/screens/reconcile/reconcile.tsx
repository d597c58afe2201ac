import { Page } from "../../page";
import { Empty } from "../../parts/states";
import { say } from "../../text";

export function ReconcileScreen() {
  return (
    <Page title={say("Reconcile")}>
      <Empty title={say("Reconcile")} />
    </Page>
  );
}
