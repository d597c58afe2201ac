import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface FoldProps {
  kind: "info" | "warn";
  title: string;
  /** The beginning of what is inside, as far as the line has room. */
  begins: string;
  children: ComponentChildren;
}

/** A notice that is one line until it is opened. On paper it is open. */
export function Fold({ kind, title, begins, children }: FoldProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const ended = new AbortController();
    let open = false;
    const print = () => {
      open = box.current!.open;
      box.current!.open = true;
    };
    addEventListener("beforeprint", print, { signal: ended.signal });
    addEventListener("afterprint", () => (box.current!.open = open), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return (
    <details ref={box} class={"notice fold " + kind}>
      <summary>
        <Icon name={kind} />
        <span class="notice-title">{title}</span>
        <span class="fold-begins">{begins}</span>
        <Icon name="down" />
      </summary>
      <div>{children}</div>
    </details>
  );
}
