// The account's sandbox key: with it, programs try the API, and nothing is stored or counted.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { ApiError, del, post } from "../../api";
import { Button } from "../../parts/button";
import { Code } from "../../parts/code";
import { useForm } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Secret } from "../../parts/secret";
import { Failed, Loading } from "../../parts/states";
import { useResource } from "../../resource";
import { Link } from "../../router";
import { account, me } from "../../session";
import type { Key, NewKey } from "../../shapes";
import { say } from "../../text";
import { KeyAttributes, KeyButtons } from "./key-parts";

export function Sandbox() {
  return (
    <section class="card stack" aria-labelledby="sandbox-title">
      <h2 id="sandbox-title">{say("Sandbox key")}</h2>
      <p class="prose">
        {say(
          "With it, a program tries the API with your own files and without a plan. Milaan compares them as in a real run, but nothing is stored, and no run of the month is counted. The key begins with milaan_sandbox_.",
        )}
      </p>
      {account.value!.phone_verified ? (
        <Loaded />
      ) : (
        <p>
          {say("The phone number of the account has to be verified first.")} <Link to="/app/setup">{say("Verify it")}</Link>
        </p>
      )}
    </section>
  );
}

function Loaded() {
  const active = useResource<{ key: Key | null }>("/app/api/sandbox-key");
  const [fresh, setFresh] = useState<NewKey | null>(null);
  const form = useForm([]);
  if (active.error) return <Failed message={active.error.message} onRetry={active.reload} />;
  if (!active.value) return <Loading />;
  const { key } = active.value;
  const replace = async () => {
    try {
      setFresh(await post<NewKey>("/app/api/sandbox-key", { replaces: key?.prefix ?? "" }));
    } catch (e) {
      if (e instanceof ApiError && e.status === 409) void active.reload();
      throw e;
    }
    await active.reload();
  };
  const revoke = async () => {
    await del("/app/api/sandbox-key", { prefix: key!.prefix });
    await active.reload();
    announce(say("The sandbox key is revoked."));
  };
  return (
    <>
      <p class="hint">{say("Up to 100 rows in a file, 50 runs in a day, and 10 requests in 60 seconds.")}</p>
      {key ? (
        <>
          <KeyAttributes of={key} />
          <KeyButtons of={key} onReplace={replace} onRevoke={revoke} sandbox />
          <Try prefix={key.prefix} />
        </>
      ) : (
        <>
          {form.general && <Notice kind="error">{form.general}</Notice>}
          <div class="actions">
            <Button busy={form.busy} onClick={form.submit(replace)}>
              {say("Create a sandbox key")}
            </Button>
          </div>
        </>
      )}
      {fresh && (
        <Secret title={say("Your new sandbox key")} label={say("Sandbox key")} secret={fresh.key} onClose={() => setFresh(null)}>
          <p class="hint">{say("It makes sandbox runs alone. Programs for real runs need the API key.")}</p>
        </Secret>
      )}
    </>
  );
}

function Try({ prefix }: { prefix: string }) {
  const base = me.value!.base_url || location.origin;
  const lines = [
    `KEY='${prefix}…'`,
    `curl -i -H "Authorization: Bearer $KEY" \\`,
    `  -F orders=@orders.csv -F report=@remittance.csv \\`,
    `  ${base}/reconcile/files`,
  ];
  return (
    <>
      <Code label={say("Command that makes a sandbox run")} text={lines.join("\n")} />
      <p class="hint">{say("Every answer to a sandbox key has the header X-Sandbox: true.")}</p>
      <details class="folded">
        <summary>{say("Brands that cause errors")}</summary>
        <div class="stack tight">
          <p class="prose">
            {say(
              "Send one of these as the brand, and the service answers as it would in that case. So you can see what your program does. With an API key they are brands like others.",
            )}
          </p>
          <dl class="brands">
            {brands().map(([brand, what]) => (
              <div key={brand}>
                <dt>
                  <code>{brand}</code>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      </details>
    </>
  );
}

const brands = (): [brand: string, what: string][] => [
  ["sandbox:403-phone", say("The phone number is not verified.")],
  ["sandbox:403-plan", say("The plan does not include the API.")],
  ["sandbox:429-rate", say("There were too many requests in a short time.")],
  ["sandbox:429-runs", say("All runs of the month are used.")],
  ["sandbox:500", say("The service has a fault.")],
];
