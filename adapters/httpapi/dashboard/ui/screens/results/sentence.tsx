import { Fragment } from "preact";

/** A text of the service in which dates and numbers are not broken at their hyphens. */
export const Sentence = ({ text }: { text: string }) => (
  <>
    {text.split(/(\S*\d-\d\S*)/).map((part, i) =>
      i % 2 === 1 && part.length < 30 ? (
        <span key={i} class="figure">
          {part}
        </span>
      ) : (
        <Fragment key={i}>{part}</Fragment>
      ),
    )}
  </>
);
