// The account's sandbox key: with it, programs try the API, and nothing is stored or counted.
import { Button } from "../../parts/button";
import { Code } from "../../parts/code";
import { useForm, Wrong } from "../../parts/form";
import { Secret } from "../../parts/secret";
import { Section } from "../../parts/section";
import { Loaded } from "../../parts/states";
import { Link } from "../../router";
import { account } from "../../session";
import { say } from "../../text";
import { command, KeyAttributes, KeyButtons, useKey } from "./key-parts";

export function Sandbox() {
  return (
    <Section title={say("Sandbox key")}>
      <p class="prose">
        {say(
          "With it, a program tries the API with your own files and without a plan. Milaan compares them as in a real run, but nothing is stored, and no run of the month is counted. The key begins with milaan_sandbox_.",
        )}
      </p>
      {account.value!.phone_verified ? (
        <Keys />
      ) : (
        <p>
          {say("The phone number of the account has to be verified first.")} <Link to="/app/setup">{say("Verify it")}</Link>
        </p>
      )}
    </Section>
  );
}

function Keys() {
  const { active, replace, revoke, secret } = useKey("/app/api/sandbox-key");
  const form = useForm([]);
  return (
    <>
      <Loaded from={active}>
        {({ key }) => (
          <>
            <p class="hint">{say("Up to 100 rows in a file, 50 runs in a day, and 10 requests in 60 seconds.")}</p>
            {key ? (
              <>
                <KeyAttributes of={key} />
                <KeyButtons of={key} onReplace={replace} onRevoke={() => revoke(say("The sandbox key is revoked."))} sandbox />
                <Try prefix={key.prefix} />
              </>
            ) : (
              <>
                <Wrong form={form} />
                <div class="actions">
                  <Button busy={form.busy} onClick={form.submit(replace)}>
                    {say("Create a sandbox key")}
                  </Button>
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
      {secret && (
        <Secret title={say("Your new sandbox key")} label={say("Sandbox key")} {...secret}>
          <p class="hint">{say("It makes sandbox runs alone. Programs for real runs need the API key.")}</p>
        </Secret>
      )}
    </>
  );
}

function Try({ prefix }: { prefix: string }) {
  return (
    <>
      <Code label={say("Command that makes a sandbox run")} text={command(prefix, "curl -i")} />
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
