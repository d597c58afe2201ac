import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { say } from "../text";
import { Button } from "./button";
import { Copy } from "./copy";
import { Dialog } from "./dialog";
import { Notice } from "./notice";

interface SecretProps {
  title: string;
  /** What the secret is called in its field. */
  label: string;
  secret: string;
  /** What to do with it, if it is not to be kept where passwords are. */
  note?: string;
  /** The button that closes. */
  done?: string;
  children?: ComponentChildren;
  onClose: () => void;
}

/** Shows a secret that nobody can be shown again. Escape does not close it by mistake. */
export function Secret({ title, label, secret, note, done, children, onClose }: SecretProps) {
  // Closing the tab would lose it, so the browser asks first.
  useEffect(() => {
    const ask = (e: BeforeUnloadEvent) => e.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={title} onClose={onClose} locked>
      <div class="stack">
        <Notice kind="warn">{note ?? say("Store it now, where you keep passwords. It cannot be shown again.")}</Notice>
        <div class="field secret">
          <label for="shown-secret">{label}</label>
          <input
            id="shown-secret"
            class="mono"
            readOnly
            value={secret}
            autocomplete="off"
            spellcheck={false}
            onFocus={(e) => e.currentTarget.select()}
          />
        </div>
        {children}
        <div class="actions">
          <Copy text={secret} />
          <Button look="primary" onClick={onClose}>
            {done ?? say("I have stored it")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
