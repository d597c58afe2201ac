import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "../../parts/icon";
import { useLeaving } from "../../parts/leaving";

/** A button that opens a small box of choices below itself. Escape, or leaving it, closes it. */
export function Popup({ label, icon, children }: { label: string; icon?: IconName; children: (close: () => void) => ComponentChildren }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const self = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useLeaving(open, self, () => setOpen(false));
  const close = () => {
    setOpen(false);
    opener.current!.focus();
  };
  return (
    <div
      class="popup"
      ref={self}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open) return;
        e.stopPropagation();
        close();
      }}>
      <button ref={opener} type="button" class="button secondary" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {icon && <Icon name={icon} />}
        {label}
        <Icon name="down" />
      </button>
      <div id={id} class="popup-box" hidden={!open}>
        {open && children(close)}
      </div>
    </div>
  );
}
