import { useId } from "preact/hooks";
import type { ComponentChildren, PartialInputHTMLAttributes } from "preact";

interface FrameProps {
  label: string;
  hint?: ComponentChildren;
  error?: string;
}

interface FieldProps extends FrameProps, Omit<PartialInputHTMLAttributes<HTMLInputElement>, "label" | "value" | "type" | "role"> {
  value: string;
  onValue: (value: string) => void;
  type?: "text" | "number" | "url" | "search" | "color" | "email" | "date" | "password";
}

/** A text field with its label, hint and error. */
export function Field({ label, hint, error, value, onValue, type = "text", class: extra, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div class={`field ${extra ?? ""}`}>
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        type={type as "text"}
        value={value}
        onInput={(e) => onValue(e.currentTarget.value)}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error ? true : undefined}
      />
      <Below id={id} hint={hint} error={error} />
    </div>
  );
}

interface TextAreaProps extends FrameProps {
  value: string;
  onValue: (value: string) => void;
  placeholder?: string;
  autocomplete?: "off";
  spellcheck?: boolean;
  class?: string;
}

/** A field for several lines, with its label, hint and error. */
export function TextArea({ label, hint, error, value, onValue, class: extra, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div class={`field ${extra ?? ""}`}>
      <label for={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        rows={4}
        value={value}
        onInput={(e) => onValue(e.currentTarget.value)}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error ? true : undefined}
      />
      <Below id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectProps extends FrameProps {
  value: string;
  onValue: (value: string) => void;
  choices: { value: string; label: string }[];
  name?: string;
  class?: string;
  /** The label is read out and not shown. */
  bare?: boolean;
}

/** A choice of one, with its label, hint and error. */
export function Select({ label, hint, error, value, onValue, choices, name, bare, class: extra }: SelectProps) {
  const id = useId();
  return (
    <div class={`field ${extra ?? ""}`}>
      <label for={id} class={bare ? "unseen" : undefined}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={(e) => onValue(e.currentTarget.value)}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error ? true : undefined}>
        {choices.map((c) => (
          <option key={c.value} value={c.value} selected={c.value === value}>
            {c.label}
          </option>
        ))}
      </select>
      <Below id={id} hint={hint} error={error} />
    </div>
  );
}

const describedBy = (id: string, hint: ComponentChildren, error?: string) =>
  [hint ? id + "-hint" : "", error ? id + "-error" : ""].filter(Boolean).join(" ") || undefined;

function Below({ id, hint, error }: { id: string; hint?: ComponentChildren; error?: string }) {
  return (
    <>
      {hint && (
        <p id={id + "-hint"} class="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={id + "-error"} class="field-error">
          {error}
        </p>
      )}
    </>
  );
}
