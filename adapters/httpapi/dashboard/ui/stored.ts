// What the browser keeps of a visit: the language and the theme, and nothing else. A browser
// may refuse to keep anything; then the choice lasts as long as the tab.
export type Theme = "auto" | "light" | "dark";

const themeKey = "milaan.theme";
const languageKey = "milaan.language";

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows of some browsers have no storage.
  }
}

export function storedTheme(): Theme {
  const value = read(themeKey);
  return value === "light" || value === "dark" ? value : "auto";
}

export const storeTheme = (theme: Theme) => write(themeKey, theme === "auto" ? null : theme);
export const storedLanguage = () => read(languageKey);
export const storeLanguage = (code: string) => write(languageKey, code);
