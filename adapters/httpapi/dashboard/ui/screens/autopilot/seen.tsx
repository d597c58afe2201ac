// The files that the last pass knew of: what it took them for, and which of them are to be ignored.
import { announce } from "../../announce";
import { del, post } from "../../api";
import { Button } from "../../parts/button";
import { ConfirmButton } from "../../parts/confirm";
import { useForm, Wrong } from "../../parts/form";
import { Section } from "../../parts/section";
import { Loaded } from "../../parts/states";
import { Table } from "../../parts/table";
import type { Resource } from "../../resource";
import { count, moment, say } from "../../text";
import { sourceName } from "./names";
import type { Connection, Connectors, IgnoredFile, SeenFile, SeenFiles } from "../../views";

interface SeenProps {
  connection: Connection;
  connectors: Connectors;
  path: string;
  files: Resource<SeenFiles>;
}

export function Seen({ connection: c, connectors, path, files }: SeenProps) {
  const nameOf = (id: string) => sourceName(c, connectors, id);
  return (
    <Section title={say("Files of the last pass")} class="stack">
      <p class="soft prose">
        {say(
          "A file that is plainly no report is left out by itself. Any other that cannot be read stops the pass, so that no money is missed: have it ignored here if it is no report, or if a later one replaces it.",
        )}
      </p>
      <Loaded from={files}>
        {(all) => (
          <>
            {all.files.length === 0 ? (
              <p class="soft">{say("No pass has seen a file yet.")}</p>
            ) : (
              <SeenList files={all.files} nameOf={nameOf} path={path} onChanged={files.reload} />
            )}
            {all.more > 0 && <p class="soft">{say("Not listed: {count} more, which newer files replace.", { count: count(all.more) })}</p>}
            {all.ignored.length > 0 && <IgnoredList files={all.ignored} nameOf={nameOf} path={path} onChanged={files.reload} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface ListProps<F> {
  files: F[];
  nameOf: (id: string) => string;
  path: string;
  onChanged: () => Promise<void>;
}

function SeenList({ files, nameOf, path, onChanged }: ListProps<SeenFile>) {
  const ignore = async (f: SeenFile) => {
    await post(path + "/ignored", { file: f.id });
    announce(say("The file is ignored from the next pass on."));
    await onChanged();
  };
  return (
    <Table
      caption={say("Files of the last pass, by source, the latest first")}
      headings={[say("File"), say("Source"), say("Came"), say("What it is"), { name: say("Ignore"), unseen: true }]}>
      {files.map((f) => (
        <tr key={f.id}>
          <th scope="row" class="cell-text">
            {f.name}
          </th>
          <td data-label={say("Source")}>{nameOf(f.source_id)}</td>
          <td data-label={say("Came")}>{moment(f.at) || say("not stated")}</td>
          <td data-label={say("What it is")} class="cell-text">
            <What file={f} />
          </td>
          <td>
            {f.rule !== "ignored" && (
              <ConfirmButton
                look="plain"
                label={say("Ignore…")}
                name={say("Ignore {file}", { file: f.name })}
                title={say("Ignore {file}?", { file: f.name })}
                action={say("Ignore the file")}
                onConfirm={() => ignore(f)}>
                <p>
                  {f.rule === ""
                    ? say("The next pass does without it: orders that it alone has paid count as unpaid then.")
                    : say("No pass reads it any more. A corrected file with the same name is compared again.")}
                </p>
              </ConfirmButton>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function What({ file: f }: { file: SeenFile }) {
  if (f.left_out)
    return (
      <span>
        <span class="badge">{say("Left out")}</span> <span class="soft">{f.reason}</span>
      </span>
    );
  if (f.rule)
    return (
      <span>
        <span class="badge bad">{say("Stops the pass")}</span> {f.reason}
      </span>
    );
  return <span class="badge">{say("To be compared")}</span>;
}

function IgnoredList({ files, nameOf, path, onChanged }: ListProps<IgnoredFile>) {
  const form = useForm([]);
  const takeBack = (f: IgnoredFile) => async () => {
    await del(`${path}/ignored/${encodeURIComponent(f.id)}`);
    announce(say("The file is compared again from the next pass on."));
    await onChanged();
  };
  return (
    <>
      <Table
        caption={say("Files that are ignored, the latest first")}
        headings={[say("File"), say("Source"), say("Ignored since"), { name: say("Compare again"), unseen: true }]}>
        {files.map((f) => (
          <tr key={f.id}>
            <th scope="row" class="cell-text">
              {f.name}
            </th>
            <td data-label={say("Source")}>{nameOf(f.source_id)}</td>
            <td data-label={say("Ignored since")}>{moment(f.at)}</td>
            <td>
              <Button
                look="plain"
                busy={form.busy}
                aria-label={say("Compare again: {file}", { file: f.name })}
                onClick={form.submit(takeBack(f))}>
                {say("Compare again")}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      <Wrong form={form} />
    </>
  );
}
