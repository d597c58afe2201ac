import { useEffect, useRef } from "preact/hooks";
import { partLater } from "../../later";
import { Bar } from "../../parts/bar";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Notice } from "../../parts/notice";
import { WayOut } from "../../parts/way-out";
import { firstFaulty } from "../../places";
import { Link } from "../../router";
import { answer, atHand, changed, files, options, orders, ready, reports, setOptions, unsorted } from "../../files";
import { account, me, quota } from "../../session";
import { date, plainRupees, say, size } from "../../text";
import { focusFile } from "./drop-zone";
import { failure, faultsOf, lost, run, underway } from "./run-state";
import { cancel, reconcile } from "./running";

/** The options of the run, the button that starts it, and how far it is. */
export function StartPanel() {
  return (
    <div class="start-panel stack">
      <OptionFields />
      <Quota />
      <Start />
    </div>
  );
}

const AcceptCharges = partLater("AcceptCharges");

function OptionFields() {
  const { brand, overdueDays, minorGap } = options.value;
  const { defaults } = me.value!;
  const days = account.value?.overdue_days || defaults.overdue_days;
  return (
    <fieldset class="options stack">
      <legend>{say("Options")}</legend>
      {account.value && (
        <Field
          label={say("Brand")}
          value={brand}
          onValue={(v) => setOptions({ brand: v })}
          error={faultsOf(["brand"])[0]}
          maxlength={200}
          autocomplete="off"
          hint={say("Optional. It names the run in the history.")}
        />
      )}
      <div class="two-fields">
        <Field
          label={say("Overdue (days)")}
          value={overdueDays}
          onValue={(v) => setOptions({ overdueDays: v })}
          error={faultsOf(["overdue_threshold_days"])[0]}
          inputmode="numeric"
          placeholder={String(days)}
          autocomplete="off"
        />
        <Field
          label={say("Small difference (₹)")}
          value={minorGap}
          onValue={(v) => setOptions({ minorGap: v })}
          error={faultsOf(["minor_gap_threshold"])[0]}
          inputmode="decimal"
          placeholder={String(defaults.minor_gap)}
          autocomplete="off"
        />
      </div>
      <p class="hint">
        {say(
          "A parcel is overdue when its money has not come {n} day after the delivery. Differences up to {gap} are called small.|A parcel is overdue when its money has not come {n} days after the delivery. Differences up to {gap} are called small.",
          { n: typed(overdueDays, days), gap: plainRupees(typed(minorGap, defaults.minor_gap)) },
        )}
      </p>
      <AcceptCharges />
    </fieldset>
  );
}

/** The number that is typed; the usual one if it is none. */
const typed = (text: string, usual: number) => (text.trim() && Number.isFinite(+text) ? +text : usual);

function Quota() {
  const q = quota.value;
  if (!q || q.cap === null) return null;
  const full = q.used >= q.cap;
  return (
    <div class="quota">
      <Bar
        label={say("{used} of {n} run used this month|{used} of {n} runs used this month", { used: q.used, n: q.cap })}
        value={q.used}
        max={q.cap}
        full={full}
      />
      <p class="hint">{say("The count starts again on {day}.", { day: date(q.resets_on) })}</p>
    </div>
  );
}

/** What is still needed before a run. */
function needed(): string {
  if (!orders.value && !reports.value.length) return say("Choose the orders export and a courier's report first.");
  if (!orders.value) return say("Choose the orders export too.");
  return say("Choose a courier's report too.");
}

// The sentences in which the service speaks of one field or file stand there.
const placedFields = [
  "brand",
  "overdue_threshold_days",
  "minor_gap_threshold",
  "orders",
  "shopify_csv",
  "report",
  "courier_csv",
  "courierName",
  "columns",
  "bank",
  "bank_csv",
  "previous",
];

function Start() {
  const box = useRef<HTMLDivElement>(null);
  const error = failure.value;
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  const q = quota.value;
  const full = q !== null && q.cap !== null && q.used >= q.cap;
  const total = atHand.value.reduce((sum, f) => sum + f.file.size, 0);
  const most = me.value!.limits.body_bytes;
  const start = async () => {
    const faulty = firstFaulty(files.value);
    if (faulty) return focusFile(faulty);
    await reconcile();
    if (lost.value) focusFile(lost.value);
  };
  const placed =
    error !== null && (error.file !== "" || (error.faults.length > 0 && error.faults.every((f) => placedFields.includes(f.field ?? ""))));
  return (
    <>
      {error && (
        <div ref={box} tabIndex={-1} class="run-error">
          <Notice
            kind="error"
            title={placed ? say("The files could not be reconciled. The message beside the file or field says why.") : undefined}>
            {!placed && <p>{error.message}</p>}
            <WayOut code={error.code} />
            {error.code === "run_cap_reached" && q && (
              <p>{say("The count starts again on {day}. You can still open the sample and the history.", { day: date(q.resets_on) })}</p>
            )}
            {(error.status === 503 || error.status === 0) && (
              <p>{say("Your files are still here: you do not need to choose them again.")}</p>
            )}
          </Notice>
        </div>
      )}
      {!error && full && (
        <Notice kind="warn">
          <p>{say("You have used all runs of this month. The next one is possible on {day}.", { day: date(q.resets_on) })}</p>
        </Notice>
      )}
      {total > most && (
        <Notice kind="error">
          <p>
            {say(
              "Together the files have {size}, and {most} are the most. Export a shorter period, or reconcile the reports one after the other.",
              { size: size(total), most: size(most) },
            )}
          </p>
        </Notice>
      )}
      {underway.value ? (
        <Running />
      ) : (
        <>
          <Button
            look="primary"
            class="start"
            disabled={(!ready.value && !unsorted.value.some((u) => u.reading)) || total > most}
            onClick={() => void start()}
            aria-describedby="start-hint">
            {say("Reconcile")}
          </Button>
          <p id="start-hint" class="hint">
            {hint()}
          </p>
        </>
      )}
    </>
  );
}

function hint() {
  if (!ready.value && !unsorted.value.some((u) => u.reading)) return needed();
  if (firstFaulty(files.value)) return say("A file has a problem. The button takes you to it.");
  if (answer.value && !changed.value) return <Link to="/app/results">{say("See the results of these files")}</Link>;
  return account.value
    ? say("This takes a few seconds. Counts and sums are kept, and never rows.")
    : say("This takes a few seconds, and nothing is kept.");
}

function Running() {
  const now = run.value;
  const sent = now.is === "sending" ? now.sent : now.is === "waiting" ? 0 : undefined;
  const text = sent === undefined ? say("Reading and comparing…") : say("Sending the files…");
  return (
    <div class="running stack tight">
      <p role="status">{text}</p>
      <progress value={sent} max={1} aria-label={text} />
      <Button onClick={cancel}>{say("Stop")}</Button>
    </div>
  );
}
