// Reports that people drop for the autopilot.
import { useRef, useState } from "preact/hooks";
import { announce } from "../../announce";
import { del, form, messageOf } from "../../api";
import { ConfirmButton } from "../../parts/confirm";
import { DropZone } from "../../parts/drop-zone";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/section";
import { Loaded, Loading } from "../../parts/states";
import { Figure, Table } from "../../parts/table";
import { useResource } from "../../resource";
import { moment, say, size } from "../../text";
import { connectorName } from "./names";
import type { Connection, Connectors, KeptFile } from "../../views";

export function Kept({ connection: c, connectors, path }: { connection: Connection; connectors: Connectors; path: string }) {
  const files = useResource<{ files: KeptFile[] }>(path + "/files");
  const kept = c.sources.map((s, i) => ({ ...s, number: i + 1 })).filter((s) => connectors.sources.find((k) => k.id === s.connector)?.kept);
  return (
    <Section title={say("Kept files")} class="stack">
      <p class="soft prose">
        {say(
          "Reports that you drop here are read by each pass. They are kept encrypted, and deleted {n} day after they came, or when you delete them.|Reports that you drop here are read by each pass. They are kept encrypted, and deleted {n} days after they came, or when you delete them.",
          { n: connectors.limits.kept_days },
        )}
      </p>
      {kept.map((s) => (
        <Zone
          key={s.id}
          label={
            kept.length > 1
              ? say("Drop reports for source {number}, {name}, or choose them", {
                  number: s.number,
                  name: connectorName(connectors.sources, s.connector),
                })
              : say("Drop reports here, or choose them")
          }
          hint={say("At most {size} each.", { size: size(connectors.limits.kept_file_bytes) })}
          path={`${path}/sources/${encodeURIComponent(s.id)}/files`}
          onKept={files.reload}
        />
      ))}
      <Loaded from={files}>
        {(all) =>
          all.files.length === 0 ? (
            <p class="soft">{say("No file is kept.")}</p>
          ) : (
            <List files={all.files} path={path} onRemoved={files.reload} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Zone({ label, hint, path, onKept }: { label: string; hint: string; path: string; onKept: () => Promise<void> }) {
  const [sending, setSending] = useState("");
  const [refused, setRefused] = useState<{ name: string; message: string }[]>([]);
  const queue = useRef<File[]>([]).current; // the file that is being sent is the first
  const take = async (files: File[]) => {
    if (queue.push(...files) > files.length) return;
    setRefused([]);
    let kept = 0;
    for (; queue[0]; queue.shift()) {
      const file = queue[0];
      setSending(file.name);
      const data = new FormData();
      data.append("file", file);
      try {
        await form<KeptFile>(path, data);
        kept++;
      } catch (e) {
        setRefused((all) => [...all, { name: file.name, message: messageOf(e) }]);
      }
    }
    setSending("");
    if (kept) {
      announce(say("{n} file is kept.|{n} files are kept.", { n: kept }));
      await onKept();
    }
  };
  return (
    <>
      <DropZone label={label} hint={hint} multiple small onFiles={take} />
      {sending && <Loading what={say("Sending {file}…", { file: sending })} />}
      {refused.map((r) => (
        <Notice key={r.name} kind="error" title={say("{file} is not kept", { file: r.name })}>
          <p>{r.message}</p>
        </Notice>
      ))}
    </>
  );
}

function List({ files, path, onRemoved }: { files: KeptFile[]; path: string; onRemoved: () => Promise<void> }) {
  const remove = async (f: KeptFile) => {
    await del(`${path}/files/${encodeURIComponent(f.id)}`);
    announce(say("The file is deleted."));
    await onRemoved();
  };
  return (
    <Table
      caption={say("Kept files, the latest first")}
      headings={[say("File"), { name: say("Size"), num: true }, say("Came"), say("Is deleted"), { name: say("Delete"), unseen: true }]}>
      {files.map((f) => (
        <tr key={f.id}>
          <th scope="row" class="cell-text">
            {f.name}
          </th>
          <Figure name={say("Size")}>{size(f.bytes)}</Figure>
          <td data-label={say("Came")}>{moment(f.at)}</td>
          <td data-label={say("Is deleted")}>{moment(f.deleted_at)}</td>
          <td>
            <ConfirmButton
              look="plain"
              label={say("Delete…")}
              name={say("Delete {file}", { file: f.name })}
              title={say("Delete {file}?", { file: f.name })}
              action={say("Delete the file")}
              onConfirm={() => remove(f)}>
              <p>{say("The next pass does without it. Orders that it alone has paid count as unpaid then.")}</p>
            </ConfirmButton>
          </td>
        </tr>
      ))}
    </Table>
  );
}
