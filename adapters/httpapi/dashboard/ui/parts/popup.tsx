import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { place } from "../router";
import { Icon, type IconName } from "./icon";

interface PopupProps {
  label: ComponentChildren;
  icon?: IconName;
  look?: "secondary" | "plain";
  class?: string;
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small box of choices below itself. Escape, or leaving it or the address, closes it. */
export function Popup({ label, icon, look = "secondary", class: name = "popup", children }: PopupProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const self = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [place.value]);
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    const leave = (e: Event) => self.current!.contains(e.target as Node) || setOpen(false);
    for (const left of ["pointerdown", "focusin"]) addEventListener(left, leave, { signal: ended.signal });
    return () => ended.abort();
  }, [open]);
  const close = () => {
    setOpen(false);
    opener.current!.focus();
  };
  return (
    <div
      class={name}
      ref={self}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open) return;
        e.stopPropagation();
        close();
      }}>
      <button ref={opener} type="button" class={"button " + look} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {icon && <Icon name={icon} />}
        {label}
        <Icon name="down" />
      </button>
      <div id={id} class={name + "-box"} hidden={!open}>
        {open && children(close)}
      </div>
    </div>
  );
}
