import { useId } from "preact/hooks";
import type { ComponentChildren, PartialInputHTMLAttributes } from "preact";

interface FrameProps {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  class?: string;
}

interface Control {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** The label, hint and error of a control, which is made with what ties it to them. */
export function Frame({ label, hint, error, class: extra, control }: FrameProps & { control: (tied: Control) => ComponentChildren }) {
  const id = useId();
  const described = [hint ? id + "-hint" : "", error ? id + "-error" : ""].filter(Boolean).join(" ");
  return (
    <div class={`field ${extra ?? ""}`}>
      <label for={id}>{label}</label>
      {control({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
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
    </div>
  );
}

interface FieldProps extends FrameProps, Omit<PartialInputHTMLAttributes<HTMLInputElement>, "label" | "value" | "type" | "role" | "class"> {
  value: string;
  onValue: (value: string) => void;
  type?: "text" | "number" | "url" | "search" | "color" | "email" | "date" | "password";
}

/** A text field. */
export function Field({ label, hint, error, class: extra, value, onValue, type = "text", ...rest }: FieldProps) {
  const control = (tied: Control) => (
    <input {...rest} {...tied} type={type as "text"} value={value} onInput={(e) => onValue(e.currentTarget.value)} />
  );
  return <Frame label={label} hint={hint} error={error} class={extra} control={control} />;
}

/** A field by which a list is searched. */
export const SearchField = (props: Pick<FieldProps, "label" | "value" | "onValue" | "placeholder">) => (
  <Field class="search" type="search" autocomplete="off" spellcheck={false} {...props} />
);

interface TextAreaProps extends FrameProps {
  value: string;
  onValue: (value: string) => void;
  placeholder?: string;
  autocomplete?: "off";
  spellcheck?: boolean;
}

/** A field for several lines. */
export function TextArea({ label, hint, error, class: extra, value, onValue, ...rest }: TextAreaProps) {
  const control = (tied: Control) => (
    <textarea {...rest} {...tied} rows={4} value={value} onInput={(e) => onValue(e.currentTarget.value)} />
  );
  return <Frame label={label} hint={hint} error={error} class={extra} control={control} />;
}

export interface Choice {
  value: string;
  label: string;
}

interface OptionsProps extends Partial<Control> {
  value: string;
  onValue: (value: string) => void;
  choices: Choice[];
}

/** A choice of one, without its label. */
export const Options = ({ value, onValue, choices, ...tied }: OptionsProps) => (
  <select {...tied} value={value} onChange={(e) => onValue(e.currentTarget.value)}>
    {choices.map((c) => (
      <option key={c.value} value={c.value} selected={c.value === value}>
        {c.label}
      </option>
    ))}
  </select>
);

/** A choice of one. */
export const Select = ({ value, onValue, choices, ...frame }: FrameProps & OptionsProps) => (
  <Frame {...frame} control={(tied) => <Options {...tied} value={value} onValue={onValue} choices={choices} />} />
);
