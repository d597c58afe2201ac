import { useEffect, useId, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/icon";
import { say } from "../../text";
import type { Place } from "../../places";
import { add } from "./running";

/** The kinds of files that the service reads. */
export const accepted = ".csv,.tsv,.txt,.xlsx,.xls,.ods,.htm,.html,.xml";

/** Moves the focus to a file that has just come in, because what had it is gone. */
export const focusFile = (key: number) => requestAnimationFrame(() => document.getElementById("file-" + key)?.focus());

interface DropZoneProps {
  place: Place;
  label: string;
  hint?: ComponentChildren;
  multiple?: boolean;
  /** A line instead of a field, where files are there already or may be left out. */
  small?: boolean;
}

/** Takes files that are dropped or chosen. It is a file field with its label, so it works by keyboard too. */
export function DropZone({ place, label, hint, multiple = false, small = false }: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined, focuses: boolean) => {
    const key = add(files ?? [], place);
    if (key && focuses) focusFile(key);
  };
  return (
    <label
      class={`drop-zone ${small ? "small-zone" : ""} ${over ? "over" : ""}`}
      onDragEnter={(e) => {
        e.preventDefault(); // or files that are dropped as soon as they come are not taken
        setOver(true);
      }}
      onDragOver={(e) => e.preventDefault()}
      onDragLeave={(e) => {
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(e) => {
        e.preventDefault();
        e.stopPropagation();
        setOver(false);
        document.body.classList.remove("dragging");
        take(e.dataTransfer?.files, false);
      }}>
      <input
        type="file"
        class="unseen"
        accept={accepted}
        multiple={multiple}
        aria-describedby={hint ? id : undefined}
        onChange={(e) => {
          take(e.currentTarget.files, true);
          e.currentTarget.value = ""; // so that the same file can be chosen again
        }}
      />
      <Icon name={small ? "plus" : "upload"} />
      <span class="drop-label">{label}</span>
      {hint && (
        <span class="hint" id={id}>
          {hint}
        </span>
      )}
    </label>
  );
}

/** Takes files that are dropped anywhere else on the page. */
export function useDropAnywhere(active: boolean) {
  useEffect(() => {
    if (!active) return;
    const hasFiles = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
    const over = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      e.preventDefault();
      document.body.classList.add("dragging");
    };
    const leave = (e: DragEvent) => {
      if (!e.relatedTarget) document.body.classList.remove("dragging");
    };
    const drop = (e: DragEvent) => {
      document.body.classList.remove("dragging");
      if (!hasFiles(e)) return;
      e.preventDefault();
      add(e.dataTransfer!.files, "");
    };
    addEventListener("dragenter", over); // or files that are dropped as soon as they come are not taken
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", over);
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [active]);
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
