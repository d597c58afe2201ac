import { useId, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

/** The kinds of files that the service reads. */
export const accepted = ".csv,.tsv,.txt,.xlsx,.xls,.ods,.htm,.html,.xml";

interface DropZoneProps {
  label: string;
  hint?: string;
  icon?: IconName;
  multiple?: boolean;
  /** A line instead of a field. */
  small?: boolean;
  /** by: whether they were dropped, or chosen by the keyboard or a click. */
  onFiles: (files: File[], by: "drop" | "choice") => void;
}

/** Takes files that are dropped or chosen. It is a file field with its label, so it works by keyboard too. */
export function DropZone({ label, hint, icon = "upload", multiple = false, small = false, onFiles }: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
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
        setOver(false);
        onFiles([...(e.dataTransfer?.files ?? [])], "drop");
      }}>
      <input
        type="file"
        class="unseen"
        accept={accepted}
        multiple={multiple}
        aria-describedby={hint ? id : undefined}
        onChange={(e) => {
          onFiles([...(e.currentTarget.files ?? [])], "choice");
          e.currentTarget.value = ""; // so that the same file can be chosen again
        }}
      />
      <Icon name={icon} />
      <span class="drop-label">{label}</span>
      {hint && (
        <span class="hint" id={id}>
          {hint}
        </span>
      )}
    </label>
  );
}
