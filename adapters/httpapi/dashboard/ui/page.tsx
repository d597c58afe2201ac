import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { takeEntered } from "./router";

interface PageProps {
  title: string;
  /** A sentence below the title. */
  lead?: ComponentChildren;
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  /** Tables use the whole width of the window. */
  wide?: boolean;
  /** Another page takes its place shortly, and the focus. */
  passing?: boolean;
  children: ComponentChildren;
}

/** The frame of a screen. Whoever comes by a link has the focus on its title. */
export function Page({ title, lead, actions, wide = false, passing = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title + " · Milaan";
  }, [title]);
  useEffect(() => {
    if (!passing && takeEntered()) heading.current!.focus();
  }, []);
  return (
    <main id="main" class={wide ? "page wide" : "page"}>
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}
