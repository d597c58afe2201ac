// The settings of a shop or of a source, as the service describes them.
import { Field, Select, TextArea } from "../../parts/field";
import { say } from "../../text";
import type { DraftPart } from "./draft";
import type { Connector, Setting } from "../../views";

interface SettingsProps {
  connector: Connector | undefined;
  part: DraftPart;
  /** Where its fields are, in the words of the service's refusals. */
  at: string;
  errors: Record<string, string>;
  onChange: (settings: Record<string, string>) => void;
}

export function Settings({ connector, part, at, errors, onChange }: SettingsProps) {
  if (!connector)
    return <p class="soft">{say("The operator of this service does not offer this kind any more. Remove it, or choose another one.")}</p>;
  return (
    <div class="autopilot-fields">
      {connector.settings.map((s) => (
        <OneSetting
          key={connector.id + s.name}
          setting={s}
          stored={part.stored.includes(s.name)}
          value={part.settings[s.name] ?? ""}
          error={errors[`${at}.settings.${s.name}`]}
          onValue={(value) => onChange({ ...part.settings, [s.name]: value })}
        />
      ))}
    </div>
  );
}

function OneSetting({
  setting: s,
  stored,
  value,
  error,
  onValue,
}: {
  setting: Setting;
  stored: boolean;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
}) {
  const label = s.required || (s.options.length && s.default) ? s.label : say("{label} (optional)", { label: s.label });
  const hint = stored ? say("Stored. Leave it empty to keep it.") : s.hint || undefined;
  const common = { label, hint, error, value, onValue, autocomplete: "off" as const, spellcheck: false };
  if (s.options.length) {
    const choices = s.options.map((o, i) => ({ value: o, label: s.option_labels[i] ?? o }));
    return (
      <Select
        label={label}
        hint={hint}
        error={error}
        value={value || s.default}
        onValue={onValue}
        choices={s.required || s.default ? choices : [{ value: "", label: say("none") }, ...choices]}
      />
    );
  }
  const placeholder = s.default || s.example;
  if (s.lines) return <TextArea {...common} placeholder={placeholder} class="wide" />;
  // What a password manager would put there is the password of this page.
  if (s.secret) return <Field {...common} type="password" autocomplete="new-password" />;
  return <Field {...common} placeholder={placeholder} />;
}
