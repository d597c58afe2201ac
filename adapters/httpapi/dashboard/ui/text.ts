// Words, numbers and dates in the language of the page.
import { computed, signal } from "@preact/signals";
import { storedLanguage, storeLanguage } from "./stored";

/** The code of the page's language. */
export const language = signal("en");

/** Translations by the English text; empty for English. */
const words = signal<Record<string, string>>({});

type Values = Record<string, string | number>;

/**
 * The text in the page's language. The English text is the key, and must be a literal, so
 * that a test can find it. {name} stands for a value; a number is written with its commas.
 * "one form|other form" is chosen by the value n.
 */
export function say(english: string, values?: Values): string {
  const text = words.value[english] ?? english;
  if (!values) return text;
  const forms = text.split("|");
  const form = forms.length > 1 && plural.value.select(Number(values.n)) !== "one" ? forms[1]! : forms[0]!;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "number" ? count(value) : (value ?? "");
  });
}

/** The label of a value in the page's language, from a table of labels.ts; the value itself if it is not there. */
export const label = (table: Record<string, string>, value: string) => words.value[table[value] ?? value] ?? table[value] ?? value;

/** The words for a value, by its name; one that has none is shown as it is, or as other. */
export const named = (value: string, words: Record<string, string>, other = value) => words[value] ?? other;

let asked = ""; // the language that was chosen last

/** Loads the words of a language and shows the page in it, unless another one is chosen meanwhile. English needs none. */
export async function speak(code: string): Promise<void> {
  asked = code;
  let found: Record<string, string> = {};
  if (code !== "en") {
    const answer = await fetch("/app/api/words/" + encodeURIComponent(code));
    if (!answer.ok) throw new Error("no words of this language");
    found = await answer.json();
  }
  if (asked !== code) return;
  words.value = found;
  language.value = code;
  document.documentElement.lang = code;
}

/** Shows the page in a language, and keeps it for the next visit. */
export async function chooseLanguage(code: string): Promise<void> {
  await speak(code);
  storeLanguage(language.value);
}

/** The language of the last visit, else the first one of the browser. */
export function firstLanguage(): string {
  return storedLanguage() ?? navigator.language.slice(0, 2);
}

// Latin digits in every language: they are what reports and bank statements have.
const locale = computed(() => language.value + "-IN-u-nu-latn");
const plural = computed(() => new Intl.PluralRules(locale.value));
const numbers = (how?: Intl.NumberFormatOptions) => computed(() => new Intl.NumberFormat(locale.value, how));
const inRupees = (how?: Intl.NumberFormatOptions) => numbers({ style: "currency", currency: "INR", ...how });
const money = inRupees();
const tidy = inRupees({ trailingZeroDisplay: "stripIfInteger" } as Intl.NumberFormatOptions);
const short = inRupees({ notation: "compact", maximumFractionDigits: 1, minimumFractionDigits: 0 });
const signedMoney = inRupees({ signDisplay: "exceptZero" });
const counts = numbers();
const signedCounts = numbers({ signDisplay: "exceptZero" });
/** Days and times are those of India, wherever the machine is. */
const inIndia = (how: Intl.DateTimeFormatOptions) =>
  computed(() => new Intl.DateTimeFormat(locale.value, { ...how, timeZone: "Asia/Kolkata" }));
const days = inIndia({ dateStyle: "medium" });
const shortDays = inIndia({ day: "numeric", month: "short" });
const moments = inIndia({ dateStyle: "medium", timeStyle: "short" });
const clocks = inIndia({ timeStyle: "short" });
const written = ({ value }: { value: Intl.DateTimeFormat }, iso: string | null | undefined) =>
  iso ? value.format(new Date(iso.length > 10 ? iso : iso + "T00:00+05:30")) : "";

/** ₹1,23,456.70: always with paise, in tables and for sums. */
export const rupees = (n: number) => money.value.format(n);
/** ₹1,499, and ₹1,499.50: with paise only if there are any, in sentences, as the service writes them. */
export const plainRupees = (n: number) => tidy.value.format(n);
/** ₹1.2L: for axes. */
export const shortRupees = (n: number) => short.value.format(n);
/** +₹1,23,456.70: for differences. */
export const signedRupees = (n: number) => signedMoney.value.format(n);
/** 1,23,456 */
export const count = (n: number) => counts.value.format(n);
/** +1,23,456: for differences. */
export const signedCount = (n: number) => signedCounts.value.format(n);
/** 1 Sept 2026: a day such as 2026-09-01, or that of a moment. Blank stays blank. */
export const date = (iso: string | null | undefined) => written(days, iso);
/** The same without its year. */
export const shortDate = (iso: string | null | undefined) => written(shortDays, iso);
/** A moment such as 2026-09-01T10:00:00Z, by the clock of India. */
export const moment = (iso: string | null | undefined) => written(moments, iso);
/** Its time of day alone: 2:37 pm. */
export const clock = (iso: string | null | undefined) => written(clocks, iso);
/** A size of a file. */
export function size(bytes: number): string {
  if (bytes < 1 << 20) return say("{size} KB", { size: counts.value.format(Math.ceil(bytes / 1024)) });
  return say("{size} MB", { size: counts.value.format(Math.round((bytes / (1 << 20)) * 10) / 10) });
}
