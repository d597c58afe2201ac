import type { ComponentChildren } from "preact";
import { say } from "../text";
import { Button } from "./button";
import { Notice } from "./notice";

/** What a screen shows when it has nothing: why, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {action && <div class="actions">{action}</div>}
    </div>
  );
}

/** What a screen shows until an answer is here. */
export const Loading = ({ what }: { what?: string }) => (
  <div class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what ?? say("Loading…")}
  </div>
);

/** What a screen shows instead of what could not be loaded. */
export const Failed = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <Notice kind="error">
    <p>{message}</p>
    <div class="actions">
      <Button onClick={onRetry}>{say("Try again")}</Button>
    </div>
  </Notice>
);
