import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, RefObject } from "preact";
import { announce } from "../announce";
import { ApiError, messageOf } from "../api";
import { Button } from "./button";
import { Notice } from "./notice";
import { WayOut } from "./way-out";

/** A form of which one submission is under way at a time. */
interface Form {
  self: RefObject<HTMLFormElement | null>;
  busy: boolean;
  /** What is wrong with each field, by its name. */
  errors: Record<string, string>;
  /** What is wrong, and is about no field of the form. */
  general: string;
  /** The code of the error. */
  code: string;
  /** Handles the submission. What was typed stays if act fails; whoever has left the form by then is told. */
  submit: (act: () => Promise<void>) => (e: Event) => Promise<void>;
}

interface Failure {
  errors: Record<string, string>;
  general: string;
  code: string;
}

const none: Failure = { errors: {}, general: "", code: "" };

/** fields are the names of the form's fields, as the service calls them. */
export function useForm(fields: string[]): Form {
  const self = useRef<HTMLFormElement>(null);
  const running = useRef(false);
  const left = useRef(false);
  useEffect(() => () => void (left.current = true), []);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(none);

  // Whoever submits a wrong form is taken to its first wrong field.
  useEffect(() => {
    if (failure !== none) self.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [failure]);

  const submit = (act: () => Promise<void>) => async (e: Event) => {
    e.preventDefault();
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await act();
      setFailure(none);
    } catch (error) {
      if (left.current) announce(messageOf(error));
      setFailure(sorted(error, fields));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { self, busy, ...failure, submit };
}

/** Puts what the service says in the places that it is about. */
function sorted(error: unknown, fields: string[]): Failure {
  if (!(error instanceof ApiError)) return { errors: {}, general: messageOf(error), code: "" };
  const errors: Record<string, string> = {};
  const rest: string[] = [];
  const faults = error.faults.length ? error.faults : [{ field: error.field, message: error.message }];
  for (const f of faults) {
    if (f.field && fields.includes(f.field)) errors[f.field] ??= f.message;
    else rest.push(f.message);
  }
  return { errors, general: rest.join(" "), code: error.code };
}

/** What a field has once it is saved: what was typed meanwhile stays. */
export const onceSaved =
  <T,>(sent: T, saved: T) =>
  (now: T) =>
    now === sent ? saved : now;

/** What is wrong with a form as a whole. */
export const Wrong = ({ form: { general, code } }: { form: Form }) =>
  general ? (
    <Notice kind="error">
      <p>{general}</p>
      <WayOut code={code} />
    </Notice>
  ) : null;

interface FormFrameProps {
  form: Form;
  act: () => Promise<void>;
  /** The button that submits; without it, actions has that too. */
  submit?: string;
  /** Until then, it cannot be submitted. */
  disabled?: boolean;
  /** Buttons after it. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  label?: string;
}

/** The frame of a form: its fields, then what is wrong with it as a whole, then its buttons. */
export const FormFrame = ({ form, act, submit, disabled, actions, children, label }: FormFrameProps) => (
  <form ref={form.self} class="stack" onSubmit={form.submit(act)} noValidate aria-label={label}>
    {children}
    <Wrong form={form} />
    <div class="actions">
      {submit && (
        <Button type="submit" look="primary" busy={form.busy} disabled={disabled}>
          {submit}
        </Button>
      )}
      {actions}
    </div>
  </form>
);
