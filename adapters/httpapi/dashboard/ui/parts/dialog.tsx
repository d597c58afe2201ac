import { useEffect, useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { say } from "../text";
import { Button } from "./button";
import { Icon } from "./icon";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at its end. */
  actions?: ComponentChildren;
  /** Escape and the cross do nothing while this holds. */
  locked?: boolean;
  class?: string;
}

/** A dialog over the page. It is open while it is rendered; the focus goes back when it ends. */
export function Dialog({ title, onClose, children, actions, locked = false, class: extra }: DialogProps) {
  const id = useId();
  const self = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = self.current!;
    const opener = document.activeElement as HTMLElement | null;
    dialog.showModal();
    // Not on the button that closes: the Enter that opens the dialog would press it.
    (dialog.querySelector<HTMLElement>(".dialog-body :is(input, select, textarea)") ?? dialog.querySelector("h2"))?.focus();
    return () => {
      // The page can have the focus once the dialog is out of it. What opened the dialog may
      // be gone by then, with what was deleted; or the screen has put the focus elsewhere.
      setTimeout(() => {
        if (document.querySelector("dialog[open]") || document.activeElement !== document.body) return;
        opener?.focus();
        if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={self}
      class={extra}
      aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault();
        if (!locked) onClose();
      }}
      // Of two Escapes, some browsers let only the first one be refused as an event of the
      // dialog, and close it at the second.
      onKeyDown={(e) => {
        if (e.key === "Escape" && locked) e.preventDefault();
      }}
      onClose={() => (locked ? self.current!.showModal() : onClose())}>
      <header>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <Button look="plain" class="icon-only" aria-label={say("Close")} disabled={locked} onClick={onClose}>
          <Icon name="cross" />
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="actions">{actions}</footer>}
    </dialog>
  );
}
