import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { takeEntered } from "./router";

interface PageProps {
  /** The browser keeps it in its history: it has nothing of the files. */
  title: string;
  /** What stands above the page, if it is not the title. */
  heading?: string;
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
export function Page({ title, heading = title, lead, actions, wide = false, passing = false, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title + " · Milaan";
  }, [title]);
  useEffect(() => {
    if (!passing && takeEntered()) head.current!.focus();
  }, []);
  return (
    <main id="main" class={wide ? "page wide" : "page"}>
      <div class="page-head">
        <div>
          <h1 ref={head} tabIndex={-1}>
            {heading}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}

/** Calls act when what has been drawn is painted. It returns what takes that back. */
export function afterPaint(act: () => void): () => void {
  let later = 0;
  const frame = requestAnimationFrame(() => (later = setTimeout(act)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(later);
  };
}
