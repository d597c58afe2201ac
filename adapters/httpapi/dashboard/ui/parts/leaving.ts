import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Calls onLeave when the pointer or the focus goes outside of a box that is open. */
export function useLeaving(open: boolean, box: RefObject<HTMLElement | null>, onLeave: () => void) {
  useEffect(() => {
    if (!open) return;
    const leave = (e: Event) => {
      if (!box.current!.contains(e.target as Node)) onLeave();
    };
    const ended = new AbortController();
    for (const left of ["pointerdown", "focusin"]) addEventListener(left, leave, ended);
    return () => ended.abort();
  }, [open]);
}
