import { useEffect } from "preact/hooks";
import { accepted, DropZone } from "../../parts/drop-zone";
import type { Place } from "../../places";
import { say } from "../../text";
import { add } from "./running";

/** Moves the focus to a file that has just come in, because what had it is gone. */
export const focusFile = (key: number) => requestAnimationFrame(() => document.getElementById("file-" + key)?.focus());

interface PlaceZoneProps {
  place: Place;
  label: string;
  hint?: string;
  multiple?: boolean;
  /** A line instead of a field, where files are there already or may be left out. */
  small?: boolean;
}

/** Takes files to a place. */
export function PlaceZone({ place, ...zone }: PlaceZoneProps) {
  const take = (files: File[], by: "drop" | "choice") => {
    const key = add(files, place);
    if (key && by === "choice") focusFile(key);
  };
  return <DropZone {...zone} icon={zone.small ? "plus" : "upload"} onFiles={take} />;
}

/** Takes files that are dropped anywhere else on the page. */
export function useDropAnywhere() {
  useEffect(() => {
    const ended = new AbortController();
    const hasFiles = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
    const dragging = (now: boolean) => document.body.classList.toggle("dragging", now);
    const over = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      e.preventDefault();
      dragging(true);
    };
    addEventListener("dragenter", over, { signal: ended.signal }); // or files that are dropped as soon as they come are not taken
    addEventListener("dragover", over, { signal: ended.signal });
    addEventListener("dragleave", (e) => e.relatedTarget || dragging(false), { signal: ended.signal });
    addEventListener(
      "drop",
      (e) => {
        dragging(false);
        if (!hasFiles(e) || e.defaultPrevented) return; // a zone has taken them
        e.preventDefault();
        add(e.dataTransfer!.files, "");
      },
      { signal: ended.signal },
    );
    return () => ended.abort();
  }, []);
}

/** Chooses another file in place of one. */
export function ReplaceButton({ name, onFile }: { name: string; onFile: (file: File) => void }) {
  return (
    <label class="button plain replace">
      <input
        type="file"
        class="unseen"
        accept={accepted}
        aria-label={say("Choose another file instead of {name}", { name })}
        onChange={(e) => {
          const file = e.currentTarget.files?.[0];
          e.currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
      {say("Replace")}
    </label>
  );
}
