// How the pages look: their language and their theme.
import { useState } from "preact/hooks";
import { announce } from "../announce";
import { me } from "../session";
import { storedTheme, storeTheme, type Theme } from "../stored";
import { chooseLanguage, language, say } from "../text";
import { Select } from "./field";

export function LanguageChoice() {
  const languages = me.value!.languages;
  const [, redraw] = useState({});
  if (languages.length < 2) return null;
  const choose = (code: string) =>
    chooseLanguage(code).catch(() => {
      announce(say("The words of this language could not be loaded. Try again."));
      redraw({}); // so that the list shows the language that the page still has
    });
  return (
    <Select
      label={say("Language")}
      value={language.value}
      onValue={(code) => void choose(code)}
      choices={languages.map((l) => ({ value: l.code, label: l.name }))}
    />
  );
}

export function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string) => {
    setTheme(value as Theme);
    storeTheme(value as Theme);
    if (value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  };
  return (
    <Select
      label={say("Theme")}
      value={theme}
      onValue={choose}
      choices={[
        { value: "auto", label: say("As the system") },
        { value: "light", label: say("Light") },
        { value: "dark", label: say("Dark") },
      ]}
    />
  );
}
