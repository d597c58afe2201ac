// What a test has found of the shop or of a source.
import { Button } from "../../parts/button";
import { Notice } from "../../parts/notice";
import { courierName } from "../../session";
import { count, date, say } from "../../text";
import { LeftOutMails } from "./left-out";
import type { ConnectorFailure, TestedFile, TestedPart } from "../../views";

interface FoundProps {
  found: TestedPart | undefined;
  /** Whether it has files; a shop has none. */
  files: boolean;
  busy: boolean;
  onAccept: (accepted: NonNullable<ConnectorFailure["accept"]>) => void;
}

export function Found({ found, files, busy, onAccept }: FoundProps) {
  if (!found) return null;
  const { failure } = found;
  if (failure) {
    const { accept } = failure;
    return (
      <Notice kind="error" title={say("This does not work yet")}>
        <p>{failure.message}</p>
        <Folders names={found.folders} />
        <LeftOutMails mails={found.left_out} />
        {accept && (
          <div class="actions">
            <Button busy={busy} onClick={() => onAccept(accept)}>
              {accept.setting === "host_key"
                ? say("Use this fingerprint and test again")
                : say("Use {value} and test again", { value: accept.value })}
            </Button>
          </div>
        )}
      </Notice>
    );
  }
  return (
    <Notice kind={found.left_out.length || found.files.some((f) => f.failure) ? "warn" : "good"} title={say("Connected")} live>
      {files && found.matching > 0 && <p>{say("{n} file matches.|{n} files match.", { n: found.matching })}</p>}
      {files && found.matching === 0 && (
        <p>{say("No report is there yet, of those that the settings and the pattern choose since the start of the window.")}</p>
      )}
      {found.files.length > 0 && (
        <ul class="autopilot-files">
          {found.files.map((f) => (
            <li key={f.name}>
              <OneFile file={f} />
            </li>
          ))}
          {found.matching > found.files.length && <li>{say("And {n} more, not read", { n: found.matching - found.files.length })}</li>}
        </ul>
      )}
      <LeftOutMails mails={found.left_out} />
      <Folders names={found.folders} />
    </Notice>
  );
}

/** The folders of a mailbox, from which a person may choose another one. */
const Folders = ({ names }: { names: string[] }) =>
  names.length > 0 ? <p class="soft">{say("Folders of the mailbox: {folders}", { folders: names.join(", ") })}</p> : null;

function OneFile({ file: f }: { file: TestedFile }) {
  const courier = courierName(f.courier) || say("courier not recognised");
  const values = { file: f.name, courier, n: f.rows, rows: count(f.rows), date: date(f.through) };
  if (f.failure)
    return (
      <>
        <b>{f.name}</b> <span class="field-error">{f.failure.message}</span>
      </>
    );
  if (f.left_out) return <>{say("{file}: left out, {reason}", { file: f.name, reason: f.left_out })}</>;
  return (
    <>
      {f.through
        ? say("{file}: {courier}, {n} row to {date}|{file}: {courier}, {n} rows to {date}", values)
        : say("{file}: {courier}, {n} row|{file}: {courier}, {n} rows", values)}
    </>
  );
}
