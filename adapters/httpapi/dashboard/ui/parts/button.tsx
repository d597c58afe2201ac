import type { ButtonHTMLAttributes, ComponentChildren, MouseEventHandler } from "preact";
import { Link } from "../router";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "disabled" | "type"> {
  /** How much it stands out; a plain one does least, and a screen has one primary at most. */
  look?: "primary" | "secondary" | "plain" | "danger";
  /** While its work is done, it cannot be used again. */
  busy?: boolean;
  type?: "button" | "submit";
  disabled?: boolean;
  children: ComponentChildren;
}

export function Button({
  look = "secondary",
  busy = false,
  type = "button",
  disabled = false,
  children,
  class: extra,
  ...rest
}: ButtonProps) {
  const blocked = busy || disabled;
  const act = rest.onClick;
  // Not the attribute disabled: it would take the focus away from who has just pressed it.
  return (
    <button
      {...rest}
      type={type}
      class={`button ${look} ${extra ?? ""}`}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      onClick={(e) => (blocked ? e.preventDefault() : (act as MouseEventHandler<HTMLButtonElement> | undefined)?.call(e.currentTarget, e))}>
      {children}
    </button>
  );
}

/** Shows the rest of the list above it, and gives this the focus, because it goes away itself. */
export const ShowAll = ({ onShow, children }: { onShow: () => void; children: ComponentChildren }) => (
  <Button
    onClick={(e) => {
      const list = e.currentTarget.previousElementSibling!;
      const shown = list.children.length;
      onShow();
      requestAnimationFrame(() => {
        const next = list.children[shown] as HTMLElement;
        next.tabIndex = -1;
        next.focus();
      });
    }}>
    {children}
  </Button>
);

/** A link that looks like a button, for what a screen is left for. */
export const PrimaryLink = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <Link class="button primary" to={to}>
    {children}
  </Link>
);

export const SecondaryLink = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <Link class="button secondary" to={to}>
    {children}
  </Link>
);
