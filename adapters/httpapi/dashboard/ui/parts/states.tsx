import type { ComponentChildren } from "preact";
import type { Resource } from "../resource";
import { say } from "../text";
import { Button, SecondaryLink } from "./button";
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

/** What a screen shows to an account whose plan does not include it. */
export const NotInPlan = ({ title, children }: { title: string; children: string }) => (
  <Empty title={title} action={<SecondaryLink to="/app/account">{say("Your plan")}</SecondaryLink>}>
    <p>{children}</p>
  </Empty>
);

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

interface LoadedProps<T> {
  from: Resource<T>;
  /** What is said until it is here. */
  what?: string;
  children: (value: T) => ComponentChildren;
}

/** What a screen shows of what it reads from the service. */
export function Loaded<T>({ from, what, children }: LoadedProps<T>) {
  if (from.error) return <Failed message={from.error.message} onRetry={from.reload} />;
  return from.value === undefined ? <Loading what={what} /> : children(from.value);
}
