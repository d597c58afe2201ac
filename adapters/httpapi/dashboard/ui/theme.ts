// Runs before the first paint, so that a page in a chosen theme never appears in the other.
import { storedTheme } from "./stored";

const theme = storedTheme();
if (theme !== "auto") document.documentElement.dataset.theme = theme;
