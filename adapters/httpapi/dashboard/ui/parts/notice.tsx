import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

interface NoticeProps {
  kind?: "info" | "good" | "warn" | "error";
  title?: string;
  children?: ComponentChildren;
  /** Errors that appear are read out at once; set it to false for what is on the screen from the start. */
  live?: boolean;
}

export function Notice({ kind = "info", title, children, live = kind === "error" }: NoticeProps) {
  return (
    <div class={"notice " + kind} role={live ? (kind === "error" ? "alert" : "status") : undefined}>
      <Icon name={kind === "good" ? "check" : kind} />
      <div>
        {title && <p class="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
