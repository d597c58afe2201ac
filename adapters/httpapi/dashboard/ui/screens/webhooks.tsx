// The URL that is called after each run, its secret, and what came of the calls.
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../announce";
import { del, post, put } from "../api";
import { deliveries } from "../labels";
import { Page } from "../page";
import { Button } from "../parts/button";
import { Code } from "../parts/code";
import { Confirm, ConfirmButton } from "../parts/confirm";
import { Field } from "../parts/field";
import { ForAccount } from "../parts/for-account";
import { FormFrame, onceSaved, useForm, Wrong } from "../parts/form";
import { Notice } from "../parts/notice";
import { Secret } from "../parts/secret";
import { Section } from "../parts/section";
import { Failed, Loaded, Loading, NotInPlan } from "../parts/states";
import { useResource } from "../resource";
import { Link } from "../router";
import { account } from "../session";
import { count, label, moment, named, say } from "../text";
import type { Attempt, Delivery, Webhook } from "../views";
import { inGo, inNode, inPython } from "./verify";

export function WebhooksScreen() {
  return (
    <Page title={say("Webhooks")} lead={say("After each run, Milaan sends its sums to a URL of yours.")}>
      <ForAccount>
        {account.value?.has_webhooks ? (
          <Webhooks />
        ) : (
          <NotInPlan title={say("Webhooks are part of the Enterprise plan")}>
            {say(
              "On that plan, Milaan tells a program of yours about each run: its brand and time, how many orders are flagged, and how much money is at risk.",
            )}
          </NotInPlan>
        )}
      </ForAccount>
    </Page>
  );
}

function Webhooks() {
  const webhook = useResource<Webhook>("/app/api/webhook");
  const [secret, setSecret] = useState("");
  const [tested, setTested] = useState(0);
  const none = webhook.error?.code === "webhook_missing";
  const kept = none ? undefined : webhook.value;
  // A secret is in the answer to the request that has made it, and in no further one.
  const take = ({ secret: fresh, ...rest }: Webhook) => {
    webhook.set(rest);
    if (fresh) setSecret(fresh);
  };
  if (webhook.error && !none) return <Failed message={webhook.error.message} onRetry={webhook.reload} />;
  if (!kept && !none) return <Loading />;
  const set = kept?.endpoint ? kept : null;
  const rotate = async () => take(await post<Webhook>("/app/api/webhook/rotate"));
  const reveal = async () => take(await post<Webhook>("/app/api/webhook/secret"));
  const remove = async () => {
    await del("/app/api/webhook");
    await webhook.reload();
    announce(say("The webhook is removed."));
  };
  return (
    <div class="stack roomy">
      <Endpoint webhook={set} onSaved={take} onRemove={remove} />
      {set && (
        <div class="halves">
          <Test onTested={() => setTested(tested + 1)} />
          <SigningSecret webhook={set} onReveal={reveal} onRotate={rotate} />
        </div>
      )}
      {set && <Deliveries key={set.endpoint} tested={tested} />}
      <Verify />
      {secret && <Secret title={say("Your signing secret")} label={say("Signing secret")} secret={secret} onClose={() => setSecret("")} />}
    </div>
  );
}

function Endpoint({
  webhook,
  onSaved,
  onRemove,
}: {
  webhook: Webhook | null;
  onSaved: (w: Webhook) => void;
  onRemove: () => Promise<void>;
}) {
  const form = useForm(["endpoint"]);
  const [url, setURL] = useState(webhook?.endpoint ?? "");
  const [removing, setRemoving] = useState(false);
  const act = async () => {
    const kept = await put<Webhook>("/app/api/webhook", { endpoint: url.trim() });
    setURL(onceSaved(url, kept.endpoint));
    onSaved(kept);
    announce(say("Saved. Send a test to see it arrive."));
  };
  return (
    <Section title={webhook ? say("Your URL") : say("Set a URL")}>
      <FormFrame
        form={form}
        act={act}
        submit={say("Save")}
        actions={webhook && <Button onClick={() => setRemoving(true)}>{say("Remove…")}</Button>}>
        <Field
          label={say("URL that is called")}
          hint={
            webhook?.set_at
              ? say("Set on {time}.", { time: moment(webhook.set_at) })
              : say("It begins with https:// and can be reached from the internet.")
          }
          error={form.errors.endpoint}
          type="url"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="https://shop.example/milaan"
          value={url}
          onValue={setURL}
        />
      </FormFrame>
      {removing && (
        <Confirm
          title={say("Remove the webhook?")}
          action={say("Remove the webhook")}
          onConfirm={async () => {
            await onRemove();
            setURL("");
          }}
          onClose={() => setRemoving(false)}>
          <p>{say("Your URL is not called any more, and its signing secret is forgotten. Deliveries that are under way are dropped.")}</p>
        </Confirm>
      )}
    </Section>
  );
}

function Test({ onTested }: { onTested: () => void }) {
  const form = useForm([]);
  const act = async () => {
    await post<Delivery>("/app/api/webhook/test");
    announce(say("The test is on its way. The result is listed below."));
    onTested();
  };
  return (
    <Section title={say("Try it")} class="card stack tight">
      <p>{say("A test is sent like an event of a run, with invented figures, and says that it is a test.")}</p>
      <Wrong form={form} />
      <div class="actions">
        <Button busy={form.busy} onClick={form.submit(act)}>
          {say("Send a test")}
        </Button>
      </div>
    </Section>
  );
}

function SigningSecret({
  webhook,
  onReveal,
  onRotate,
}: {
  webhook: Webhook;
  onReveal: () => Promise<void>;
  onRotate: () => Promise<void>;
}) {
  const form = useForm([]);
  return (
    <Section title={say("Signing secret")} class="card stack tight">
      <p>
        {webhook.secret_unseen
          ? say("Every call is signed with a secret that only you and Milaan have. It was made for a batch, and can be shown once.")
          : say("Every call is signed with a secret that only you and Milaan have. It was shown when it was made.")}
      </p>
      {webhook.secret_rotated_at && <p class="hint">{say("Rotated on {time}.", { time: moment(webhook.secret_rotated_at) })}</p>}
      {webhook.former_until && (
        <Notice>
          {say(
            "Until {time}, the header webhook-signature has a signature of the former secret too. X-Milaan-Sig is made with the new one alone.",
            { time: moment(webhook.former_until) },
          )}
        </Notice>
      )}
      <Wrong form={form} />
      <div class="actions">
        {webhook.secret_unseen && (
          <Button busy={form.busy} onClick={form.submit(onReveal)}>
            {say("Show the secret once")}
          </Button>
        )}
        <ConfirmButton
          label={say("Rotate the secret…")}
          title={say("Make a new signing secret?")}
          action={say("Make a new secret")}
          onConfirm={onRotate}>
          <p>
            {say(
              "The new secret is shown once. From then on X-Milaan-Sig is made with it. For 24 hours, webhook-signature has a signature of both secrets.",
            )}
          </p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

// How often deliveries under way are asked after: for about two minutes.
const pollEvery = 2000;
const mostPolls = 60;

function Deliveries({ tested }: { tested: number }) {
  const list = useResource<{ deliveries: Delivery[] }>("/app/api/webhook/deliveries");
  const polls = useRef(0);
  const reload = list.reload;
  useEffect(() => {
    if (!tested) return;
    polls.current = 0;
    void reload();
  }, [tested]);
  const underway = list.value?.deliveries.some((d) => d.state === "pending") ?? false;
  useEffect(() => {
    if (!underway || list.loading || polls.current >= mostPolls) return;
    const timer = setTimeout(() => {
      polls.current++;
      void reload();
    }, pollEvery);
    return () => clearTimeout(timer);
  }, [underway, list.loading]);

  const again = async (d: Delivery) => {
    await post("/app/api/webhook/deliveries/" + encodeURIComponent(d.id) + "/redeliver");
    announce(say("The event is sent once more."));
    polls.current = 0;
    await reload();
  };
  return (
    <section class="stack" aria-labelledby="deliveries-title">
      <div class="title-row">
        <h2 id="deliveries-title">{say("Deliveries")}</h2>
        <Button look="plain" busy={list.loading} onClick={() => void reload()}>
          {say("Refresh")}
        </Button>
      </div>
      <Loaded from={list}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p class="soft">{say("Nothing has been sent yet.")}</p>
          ) : (
            <ul class="deliveries">
              {deliveries.map((d) => (
                <OneDelivery key={d.id} delivery={d} onAgain={() => again(d)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function OneDelivery({ delivery: d, onAgain }: { delivery: Delivery; onAgain: () => Promise<void> }) {
  const form = useForm([]);
  const attempts = d.attempts ?? [];
  return (
    <li class="card delivery">
      <div class="title-row">
        <span class="delivery-what">
          <State state={d.state} />
          <b>{kindName(d.kind)}</b>
          <span class="soft">{moment(d.created_at)}</span>
          {d.run_id && <Link to={"/app/history/" + d.run_id}>{say("The run")}</Link>}
        </span>
        {d.state !== "pending" && (
          <Button
            busy={form.busy}
            onClick={form.submit(onAgain)}
            aria-label={say("Send again, the event of {time}", { time: moment(d.created_at) })}>
            {say("Send again")}
          </Button>
        )}
      </div>
      <Wrong form={form} />
      {attempts.length === 0 ? (
        <p class="hint">{d.state === "pending" ? say("Not sent yet.") : say("It was not sent.")}</p>
      ) : (
        <ol class="attempts">
          {attempts.map((a) => (
            <li key={a.number}>
              {attemptText(a)}
              {a.failure && <span class="failure">{a.failure}</span>}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

const stateClass = { pending: "accent", delivered: "good", failed: "bad", dropped: "" };

const State = ({ state }: { state: Delivery["state"] }) => <span class={"badge " + stateClass[state]}>{label(deliveries, state)}</span>;

const kindName = (kind: string) =>
  named(kind, {
    run: say("Run"),
    batch: say("Batch"),
    test: say("Test"),
  });

function attemptText(a: Attempt): string {
  const values = { time: moment(a.at), took: count(a.took_ms), status: String(a.status) };
  return named(
    a.outcome,
    {
      delivered: say("{time}: answered {status} after {took} ms", values),
      refused: say("{time}: refused with {status} after {took} ms", values),
      redirected: say("{time}: answered with a redirect, which is not followed, after {took} ms", values),
      timeout: say("{time}: no answer within {took} ms", values),
      unreachable: say("{time}: could not be reached", values),
      forbidden: say("{time}: not sent, because the URL leads to an address that is not public", values),
    },
    say("{time}: sent, and no answer is known", values),
  );
}

function Verify() {
  const languages = [
    ["Go", inGo],
    ["Node.js", inNode],
    ["Python", inPython],
  ] as const;
  return (
    <Section title={say("Verify a call")} class="stack">
      <p class="prose">
        {say(
          "Anybody can call your URL. A call from Milaan has the header X-Milaan-Sig: the HMAC-SHA256 of the raw body in hexadecimal, with the whole signing secret as its key. Use the body as it arrived, before a library parses it.",
        )}
      </p>
      {languages.map(([name, text], i) => (
        <details key={name} class="folded" name="verify" open={i === 0}>
          <summary>{name}</summary>
          <Code label={say("How to verify a signature in {language}", { language: name })} text={text} />
        </details>
      ))}
      <p class="prose soft">
        {say(
          "Answer with a status of 200 to 299 within 5 seconds. Any other answer counts as failed, and the event is sent once more. The same event may arrive twice, with the same webhook-id.",
        )}
      </p>
    </Section>
  );
}
