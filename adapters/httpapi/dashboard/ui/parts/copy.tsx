import { useState } from "preact/hooks";
import { announce } from "../announce";
import { say } from "../text";
import { Button } from "./button";
import { Icon } from "./icon";

/** A button that copies a text. */
export function Copy({ text, label, look = "secondary" }: { text: string | (() => string); label?: string; look?: "secondary" | "plain" }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setDone(true);
      announce(say("Copied."));
      setTimeout(() => setDone(false), 2000);
    } catch {
      announce(say("The browser did not allow copying. Select the text, and copy it yourself."));
    }
  };
  return (
    <Button look={look} onClick={copy}>
      <Icon name={done ? "check" : "copy"} />
      {done ? say("Copied") : (label ?? say("Copy"))}
    </Button>
  );
}
