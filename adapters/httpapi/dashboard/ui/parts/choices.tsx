import type { ComponentChildren } from "preact";

interface ChoicesProps<V extends string> {
  /** Names the group of choices. */
  name: string;
  legend: string;
  /** The legend is read out and not shown. */
  bare?: boolean;
  value: V;
  onValue: (value: V) => void;
  choices: { value: V; title: string; more?: ComponentChildren }[];
  error?: string;
  class?: string;
}

/** A choice of one, of which each is explained. */
export function Choices<V extends string>({ name, legend, bare, value, onValue, choices, error, class: extra }: ChoicesProps<V>) {
  return (
    <fieldset class={`formats ${extra ?? ""}`} aria-describedby={error ? name + "-error" : undefined}>
      <legend class={bare ? "unseen" : "field-label"}>{legend}</legend>
      {choices.map((c) => (
        <label key={c.value} class="format">
          <input
            type="radio"
            name={name}
            value={c.value}
            checked={c.value === value}
            aria-invalid={error ? true : undefined}
            onChange={() => onValue(c.value)}
          />
          <span>
            {c.more ? <strong>{c.title}</strong> : c.title}
            {c.more}
          </span>
        </label>
      ))}
      {error && (
        <p id={name + "-error"} class="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  hint: string;
  on: boolean;
  /** While a choice is saved, there is no other one. */
  busy?: boolean;
  onValue: (on: boolean, e: Event) => void;
}

/** Something that is switched on or off, and explained. */
export const Switch = ({ label, hint, on, busy, onValue }: SwitchProps) => (
  <label class="format">
    <input
      type="checkbox"
      checked={on}
      aria-disabled={busy || undefined}
      onClick={(e) => busy && e.preventDefault()}
      onChange={(e) => onValue(e.currentTarget.checked, e)}
    />
    <span>
      <b>{label}</b>
      <span class="hint">{hint}</span>
    </span>
  </label>
);
