// Reports that people drop for the autopilot.
import { useId, useState } from "preact/hooks";
import { announce } from "../../announce";
import { del, form, messageOf } from "../../api";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { Failed, Loading } from "../../parts/states";
import { useResource } from "../../resource";
import { moment, say, size } from "../../text";
import { accepted } from "../reconcile/drop-zone";
import { connectorName } from "./names";
import type { Connection, Connectors, KeptFile } from "./shapes";

export function Kept({ connection: c, connectors, path }: { connection: Connection; connectors: Connectors; path: string }) {
  const files = useResource<{ files: KeptFile[] }>(path + "/files");
  const kept = c.sources.map((s, i) => ({ ...s, number: i + 1 })).filter((s) => connectors.sources.find((k) => k.id === s.connector)?.kept);
  return (
    <section class="stack" aria-labelledby="kept-title">
      <h2 id="kept-title">{say("Kept files")}</h2>
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
      {files.error ? (
        <Failed message={files.error.message} onRetry={files.reload} />
      ) : !files.value ? (
        <Loading />
      ) : files.value.files.length === 0 ? (
        <p class="soft">{say("No file is kept.")}</p>
      ) : (
        <List files={files.value.files} path={path} onRemoved={files.reload} />
      )}
    </section>
  );
}

function Zone({ label, hint, path, onKept }: { label: string; hint: string; path: string; onKept: () => Promise<void> }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState("");
  const [refused, setRefused] = useState<{ name: string; message: string }[]>([]);
  const take = async (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (!files.length || sending) return;
    setRefused([]);
    let kept = 0;
    for (const file of files) {
      setSending(file.name);
      const data = new FormData();
      data.append("file", file, file.name);
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
      <label
        class={`drop-zone small-zone ${over ? "over" : ""}`}
        onDragEnter={(e) => {
          e.preventDefault(); // or files that are dropped as soon as they come are not taken
          setOver(true);
        }}
        onDragOver={(e) => e.preventDefault()}
        onDragLeave={(e) => {
          if (!e.currentTarget.contains(e.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={(e) => {
          e.preventDefault();
          setOver(false);
          void take(e.dataTransfer?.files);
        }}>
        <input
          type="file"
          class="unseen"
          accept={accepted}
          multiple
          aria-describedby={id}
          onChange={(e) => {
            void take(e.currentTarget.files);
            e.currentTarget.value = ""; // so that the same file can be chosen again
          }}
        />
        <Icon name="upload" />
        <span class="drop-label">{label}</span>
        <span class="hint" id={id}>
          {hint}
        </span>
      </label>
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
  const [asked, setAsked] = useState<KeptFile | null>(null);
  const remove = async () => {
    await del(`${path}/files/${encodeURIComponent(asked!.id)}`);
    announce(say("The file is deleted."));
    await onRemoved();
  };
  return (
    <div class="table-scroll">
      <table class="stacked">
        <caption class="unseen">{say("Kept files, the latest first")}</caption>
        <thead>
          <tr>
            <th scope="col">{say("File")}</th>
            <th scope="col" class="num">
              {say("Size")}
            </th>
            <th scope="col">{say("Came")}</th>
            <th scope="col">{say("Is deleted")}</th>
            <th scope="col">
              <span class="unseen">{say("Delete")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((f) => (
            <tr key={f.id}>
              <th scope="row" class="cell-text">
                {f.name}
              </th>
              <td data-label={say("Size")} class="num">
                {size(f.bytes)}
              </td>
              <td data-label={say("Came")}>{moment(f.at)}</td>
              <td data-label={say("Is deleted")}>{moment(f.deleted_at)}</td>
              <td>
                <Button look="plain" aria-label={say("Delete {file}", { file: f.name })} onClick={() => setAsked(f)}>
                  {say("Delete…")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked && (
        <Confirm
          title={say("Delete {file}?", { file: asked.name })}
          action={say("Delete the file")}
          onConfirm={remove}
          onClose={() => setAsked(null)}>
          <p>{say("The next pass does without it. Orders that it alone has paid count as unpaid then.")}</p>
        </Confirm>
      )}
    </div>
  );
}
