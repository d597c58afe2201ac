import { Copy } from "./copy";

/** A text for a terminal or a program, which can be copied. It scrolls by itself if it is wide. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} />
    </div>
  );
}
