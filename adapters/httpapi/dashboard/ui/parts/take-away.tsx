// Documents of the files at hand. They are made by sending the same files again, because
// neither the browser nor the service keeps rows.
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../announce";
import { formToFile, messageOf, save, type Progress } from "../api";
import { answer, changed, firstUnreadable, formOf, itemKey, marks, ready, unsavedMarks } from "../files";
import { Link } from "../router";
import { openItemsOf } from "../screens/results/items";
import { account } from "../session";
import { say } from "../text";
import type { OpenItem } from "../views";
import { Button } from "./button";
import { Choices } from "./choices";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { Icon } from "./icon";
import { Notice } from "./notice";

/** The button that opens the dialog, for the results of the files at hand. */
export function TakeAway() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Icon name="download" />
        {say("Download")}
      </Button>
      {open && <TakeAwayDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const formats = () => [
  format(
    "xlsx",
    say("Excel workbook"),
    say("Summary, all orders, disputes, payouts and unclaimed lines, each on a sheet. For the accountant."),
  ),
  format(
    "dispute",
    say("Dispute pack"),
    say("For each courier a workbook of the parcels that it owes for, and a letter to send with it. A ZIP file."),
  ),
  format("pdf", say("PDF report"), say("The sums and the orders to act on, to print or to send.")),
  format("csv", say("CSV files"), say("The same tables as in the workbook, for other programs. A ZIP file.")),
  format(
    "tally",
    say("Vouchers for TallyPrime"),
    say("A voucher for each payout, in the XML that TallyPrime imports. With a bank statement, only what it shows is posted to the bank."),
  ),
  format("journal", say("Journal in CSV"), say("The same vouchers for Zoho Books and QuickBooks, a row for each line.")),
];

const format = (value: string, title: string, what: string) => ({ value, title, more: <span class="soft small">{what}</span> });

/** The marks of orders that the results have, as the service takes them; other files may not have these orders. */
function marksOf(): string {
  if (changed.value || !answer.value || !marks.value.size) return "";
  const all = new Map<string, object>(); // by key: orders that nothing tells apart have one mark
  for (const item of openItemsOf(answer.value).items) {
    const mark = marks.value.get(itemKey(item));
    if (mark) all.set(itemKey(item), { order_id: item.order_id, awb: item.awb, ...mark });
  }
  return all.size ? JSON.stringify([...all.values()]) : "";
}

interface TakeAwayDialogProps {
  onClose: () => void;
  /** The orders whose dispute pack is made; without them any document is. */
  only?: readonly OpenItem[];
  /** The dispute pack was saved. */
  onDisputed?: () => void;
}

export function TakeAwayDialog({ onClose, only, onDisputed }: TakeAwayDialogProps) {
  const [format, setFormat] = useState(only ? "dispute" : "xlsx");
  const [brand, setBrand] = useState("");
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState("");
  const [leftOut, setLeftOut] = useState(""); // of the document that was made last
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const canBrand = account.value?.has_branding ?? false;

  const make = async (e: Event) => {
    e.preventDefault();
    if (progress) return;
    setError("");
    setLeftOut("");
    setProgress({ phase: "sending", done: 0 });
    stop.current = new AbortController();
    try {
      const gone = await firstUnreadable();
      if (gone) {
        setError(
          say("The file {name} was changed, moved or deleted after you chose it. Choose it again under Reconcile.", {
            name: gone.file.name,
          }),
        );
        return;
      }
      const data = formOf();
      data.append("format", format);
      const noted = marksOf();
      if (noted) data.append("marks", noted);
      if (only) data.append("only", JSON.stringify(only.map(({ order_id, awb }) => ({ order_id, awb }))));
      if (canBrand && brand.trim()) data.append("branding_name", brand.trim());
      const file = await formToFile("/app/api/document", data, { signal: stop.current.signal, onProgress: setProgress });
      save(file);
      if (noted && (format === "xlsx" || format === "csv")) unsavedMarks.value = false;
      if (format === "dispute") onDisputed?.();
      announce(say("{name} is in your downloads.", { name: file.name }));
      if (file.leftOut) setLeftOut(file.leftOut);
      else onClose();
    } catch (e) {
      if (!stop.current?.signal.aborted) setError(messageOf(e));
    } finally {
      setProgress(null);
    }
  };

  return (
    <Dialog
      title={only ? say("Dispute pack of {n} order|Dispute pack of {n} orders", { n: only.length }) : say("Download the results")}
      onClose={onClose}>
      {!ready.value ? (
        <Notice kind="warn" live={false} title={say("The files of these results are no longer in this tab.")}>
          <p>
            <Link to="/app">{say("Choose them again")}</Link>
          </p>
        </Notice>
      ) : (
        <form class="stack" onSubmit={make}>
          {changed.value && (
            <Notice kind="warn" live={false}>
              <p>{say("Files or options were changed after these results. The document is made of what is chosen now.")}</p>
              {unsavedMarks.value && <p>{say("What you have marked is not in it: reconcile again first.")}</p>}
            </Notice>
          )}
          {!only && <Choices name="format" legend={say("What to download")} bare value={format} onValue={setFormat} choices={formats()} />}
          {format === "dispute" && (
            <p class="hint">{say("Send each courier its workbook and letter. The workbook says what you claim for each parcel.")}</p>
          )}
          {canBrand && (
            <Field
              label={say("Name on the document")}
              value={brand}
              onValue={setBrand}
              maxlength={100}
              autocomplete="organization"
              hint={say("Blank: the name of your branding.")}
            />
          )}
          <p class="hint">
            {say("The files are sent again to make the document, and nothing of them is kept. It does not count as another run.")}
          </p>
          {(error || leftOut) && (
            <Notice kind={error ? "error" : "warn"} live>
              <p>{error || leftOut}</p>
            </Notice>
          )}
          {progress ? (
            <div class="stack tight">
              <p role="status">{progress.phase === "sending" ? say("Sending the files…") : say("Making the document…")}</p>
              <progress aria-label={say("Making the document…")} value={progress.phase === "sending" ? progress.done : undefined} max={1} />
              <div class="actions">
                <Button onClick={() => stop.current?.abort()}>{say("Stop")}</Button>
              </div>
            </div>
          ) : (
            <div class="actions">
              <Button type="submit" look="primary">
                <Icon name="download" />
                {say("Download")}
              </Button>
              <Button onClick={onClose}>{say("Cancel")}</Button>
            </div>
          )}
        </form>
      )}
    </Dialog>
  );
}
