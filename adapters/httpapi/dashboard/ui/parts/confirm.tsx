import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { messageOf } from "../api";
import { say } from "../text";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { Notice } from "./notice";

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** The button that does it, as a verb. */
  action: string;
  /** The button that leaves all as it is, where Cancel could mean the opposite. */
  keep?: string;
  /** What must be typed before it can be done; without it the button is enough. */
  typed?: string;
  danger?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. It closes when it is done, and says why it is not. */
export function Confirm({ title, children, action, keep, typed, danger = true, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const mayAct = typed === undefined || text.trim() === typed;
  const act = async (e: Event) => {
    e.preventDefault();
    if (!mayAct || busy) return;
    setBusy(true);
    setError("");
    try {
      await onConfirm();
      onClose();
    } catch (e) {
      setError(messageOf(e));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} locked={busy}>
      <form class="stack" onSubmit={act}>
        {children}
        {typed !== undefined && (
          <Field
            label={say("To confirm, type {text}", { text: typed })}
            value={text}
            onValue={setText}
            autocomplete="off"
            spellcheck={false}
          />
        )}
        {error && <Notice kind="error">{error}</Notice>}
        <div class="actions">
          <Button type="submit" look={danger ? "danger" : "primary"} busy={busy} disabled={!mayAct}>
            {action}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            {keep ?? say("Cancel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmProps, "onClose"> {
  label: string;
  /** What the button is called where its label does not say enough. */
  name?: string;
  look?: "plain";
}

/** A button that asks before it acts. It stands in no form, because what it asks is one. */
export function ConfirmButton({ label, name, look, ...asked }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look={look} aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && <Confirm {...asked} onClose={() => setAsking(false)} />}
    </>
  );
}
