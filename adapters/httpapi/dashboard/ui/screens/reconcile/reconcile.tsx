import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Page } from "../../page";
import { Button, PrimaryLink, SecondaryLink } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Notice } from "../../parts/notice";
import { Empty } from "../../parts/states";
import { place } from "../../router";
import { answer, bank, clear, files, options, orders, previous, reports, unsorted } from "../../files";
import { mayReconcile, me, signInAddress } from "../../session";
import { language, say } from "../../text";
import { PlaceZone, useDropAnywhere } from "./drop-zone";
import { BankCard, LedgerCard, OrdersCard, ReportCard, UnsortedCard } from "./file-card";
import { inspect, inspectFaulty, inspectRest } from "./inspecting";
import { touched } from "./run-state";
import { cancel } from "./running";
import { StartPanel } from "./start-panel";
import { WhereBank, WhereLedger, WhereOrders, WhereReports } from "./where";

/** Files are chosen here, looked at, and reconciled. */
export function ReconcileScreen() {
  return mayReconcile.value ? <Files /> : <SignInFirst />;
}

function SignInFirst() {
  return (
    <Page
      title={say("Reconcile")}
      lead={say(
        "Compare the cash that your orders should have brought with what the courier has paid you: parcel by parcel, in a few seconds.",
      )}>
      <Empty
        title={say("Sign in to reconcile your own files")}
        action={
          <>
            <PrimaryLink to={signInAddress()}>{say("Sign in")}</PrimaryLink>
            <SecondaryLink to="/app/results?sample">{say("See a sample result")}</SecondaryLink>
          </>
        }>
        <p>{say("The sample is open to everyone. It shows what Milaan finds in a month of orders.")}</p>
      </Empty>
    </Page>
  );
}

function Files() {
  useDropAnywhere();
  useEffect(() => {
    inspectRest();
    for (const f of files.value) if (f.failure) inspect(f.key); // nobody may have been signed in
    const brand = place.value.search.get("brand");
    if (brand && !options.value.brand) options.value = { ...options.value, brand };
  }, []);
  const spoken = useRef(language.value);
  useEffect(() => {
    if (spoken.current !== language.value) inspectFaulty();
    spoken.current = language.value;
  }, [language.value]);
  const empty = files.value.length === 0;
  const count = reports.value.length;
  const mostReports = me.value!.limits.reports;
  return (
    <Page
      title={say("Reconcile")}
      lead={say(
        "Compare what your orders should have brought with what the courier has paid. Drop all files anywhere on this page: Milaan finds out which is which.",
      )}
      actions={empty ? <SecondaryLink to="/app/results?sample">{say("See a sample result")}</SecondaryLink> : <StartOver />}>
      {me.value!.visitor === "local" && <Visitor />}
      <div class="reconcile">
        <div class="file-places stack">
          {unsorted.value.map((u) => (
            <UnsortedCard key={u.key} file={u} />
          ))}
          <div class={empty ? "first-choice" : "stack"}>
            <Place title={say("Orders export")} where={!orders.value && <WhereOrders />}>
              {orders.value ? (
                <OrdersCard key={orders.value.key} file={orders.value} />
              ) : (
                <PlaceZone
                  place="orders"
                  label={say("Drop the orders export here, or choose it")}
                  hint={say("From Shopify: CSV or Excel")}
                />
              )}
            </Place>
            <Place title={say("Courier reports")} where={<WhereReports />}>
              {reports.value.map((r, i) => (
                <ReportCard key={r.key} report={r} index={i} />
              ))}
              {count === 0 && (
                <PlaceZone
                  place="report"
                  label={say("Drop the courier's report here, or choose it")}
                  hint={say("One or more: CSV, Excel, OpenDocument or HTML")}
                  multiple
                />
              )}
              {count > 0 && count < mostReports && <PlaceZone place="report" label={say("Add a report")} multiple small />}
              {count >= mostReports && (
                <p class="hint">{say("{n} report is the most in one run.|{n} reports are the most in one run.", { n: mostReports })}</p>
              )}
            </Place>
          </div>
          <Place title={say("Bank statement")} optional where={!bank.value && <WhereBank />}>
            {bank.value ? (
              <BankCard key={bank.value.key} file={bank.value} />
            ) : (
              <PlaceZone place="bank" label={say("Add a bank statement")} small />
            )}
          </Place>
          <Place title={say("Ledger of the run before")} optional where={!previous.value && <WhereLedger />}>
            {previous.value ? (
              <LedgerCard key={previous.value.key} file={previous.value} />
            ) : (
              <PlaceZone place="previous" label={say("Add the ledger")} small />
            )}
          </Place>
        </div>
        <StartPanel />
      </div>
    </Page>
  );
}

function Place({
  title,
  where,
  optional = false,
  children,
}: {
  title: string;
  where: ComponentChildren;
  optional?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section class="file-place" aria-label={title}>
      <h2>
        {title} {optional && <span class="badge">{say("Optional")}</span>}
      </h2>
      {children}
      {where}
    </section>
  );
}

/** Says what a visitor's runs are, and how to have more. */
function Visitor() {
  return (
    <Notice kind="info" live={false}>
      <p>{say("You work on this computer without an account: the files are read here, and nothing of them is kept.")}</p>
      <details class="where">
        <summary>{say("How do I get a history?")}</summary>
        <p>{say("Make an account once, then a link with which you sign in. In the folder of Milaan, run:")}</p>
        <pre tabIndex={0}>
          <code>{"milaan account create --email you@shop.example --plan pro\nmilaan session --email you@shop.example --link"}</code>
        </pre>
        <p>{say("A history has counts and sums of each run, and never its rows.")}</p>
      </details>
    </Notice>
  );
}

function StartOver() {
  const [asks, setAsks] = useState(false);
  const restart = () => {
    cancel();
    clear();
    touched();
    document.querySelector<HTMLElement>("h1")?.focus();
  };
  return (
    <>
      <Button onClick={() => (answer.value ? setAsks(true) : restart())}>{say("Start over")}</Button>
      {asks && (
        <Confirm title={say("Start over?")} action={say("Start over")} onConfirm={async () => restart()} onClose={() => setAsks(false)}>
          <p>{say("The files and the results are removed from this tab. They are kept nowhere else.")}</p>
        </Confirm>
      )}
    </>
  );
}
