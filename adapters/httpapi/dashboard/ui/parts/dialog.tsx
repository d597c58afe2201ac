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
    const before = document.activeElement;
    self.current!.showModal();
    return () => {
      // What opened it may be gone by then.
      const back = before instanceof HTMLElement && before.isConnected ? before : document.querySelector<HTMLElement>("h1");
      back?.focus();
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
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button look="plain" class="icon-only" aria-label={say("Close")} disabled={locked} onClick={onClose}>
          <Icon name="cross" />
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="actions">{actions}</footer>}
    </dialog>
  );
}
