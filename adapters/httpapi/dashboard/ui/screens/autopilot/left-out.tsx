// Mails with reports that were not taken, and why.
import { moment, say } from "../../text";
import type { LeftOut } from "../../views";

export function LeftOutMails({ mails }: { mails: LeftOut[] }) {
  if (mails.length === 0) return null;
  return (
    <>
      <p>{say("Mails with reports that were left out, the latest first:")}</p>
      <ul class="autopilot-files">
        {mails.map((m, i) => (
          <li key={i}>
            {m.from ? (
              <>
                <b>{m.from}</b>, {moment(m.at)}: {m.message}
              </>
            ) : (
              <>
                {moment(m.at)}: {m.message}
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
