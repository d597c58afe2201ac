import type { ComponentChildren } from "preact";
import { answer, files } from "../files";
import { lost, me } from "../session";
import { say } from "../text";
import { Button } from "./button";
import { Notice } from "./notice";

/** Says that the tab's session has ended, and what is known of how. */
export const Lost = ({ children }: { children?: ComponentChildren }) =>
  lost.value ? (
    <Notice kind="warn" live title={lost.value === "ended" ? say("Your session has ended") : say("You were signed out in another tab")}>
      {lost.value === "ended" && (
        <p>{say("A session ends when it is not used for 7 days, after 30 days in all, or when it is ended elsewhere.")}</p>
      )}
      {(answer.value || files.value.length > 0) && <p>{say("The files and results of this tab are still here.")}</p>}
      {children}
    </Notice>
  ) : null;

/** Goes on as a visitor, where the service has them. */
export const GoOn = ({ then }: { then?: () => void }) =>
  me.value?.visitor === "local" ? (
    <Button
      onClick={() => {
        lost.value = "";
        then?.();
      }}>
      {say("Go on without signing in")}
    </Button>
  ) : null;
