// What is shown of a key, and what can be done with it: the same of both kinds.
import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import type { Key } from "../../shapes";
import { moment, say } from "../../text";

export function KeyAttributes({ of: key }: { of: Key }) {
  return (
    <dl class="attributes">
      <div>
        <dt>{say("Begins with")}</dt>
        <dd>
          <code>{key.prefix}</code>
        </dd>
      </div>
      <div>
        <dt>{say("Made on")}</dt>
        <dd>{moment(key.issued_at)}</dd>
      </div>
      <div>
        <dt>{say("Last used")}</dt>
        <dd>{key.last_used_at ? moment(key.last_used_at) : say("never")}</dd>
      </div>
    </dl>
  );
}

interface KeyButtonsProps {
  of: Key;
  sandbox?: boolean;
  onReplace: () => Promise<void>;
  onRevoke: () => Promise<void>;
}

export function KeyButtons({ of: key, sandbox = false, onReplace, onRevoke }: KeyButtonsProps) {
  const [asking, setAsking] = useState<"replace" | "revoke" | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <div class="actions">
        <Button aria-label={sandbox ? say("Rotate the sandbox key…") : undefined} onClick={() => setAsking("replace")}>
          {say("Rotate…")}
        </Button>
        <Button aria-label={sandbox ? say("Revoke the sandbox key…") : undefined} onClick={() => setAsking("revoke")}>
          {say("Revoke…")}
        </Button>
      </div>
      {asking === "replace" && (
        <Confirm
          title={sandbox ? say("Replace the sandbox key by a new one?") : say("Replace the key by a new one?")}
          action={say("Make a new key")}
          typed={key.prefix}
          onConfirm={onReplace}
          onClose={close}>
          <p>
            {say(
              "The present key stops working at once. Programs that use it are refused until they have the new one, which is shown once.",
            )}
          </p>
        </Confirm>
      )}
      {asking === "revoke" && (
        <Confirm
          title={sandbox ? say("Revoke the sandbox key?") : say("Revoke the key?")}
          action={sandbox ? say("Revoke the sandbox key") : say("Revoke the key")}
          typed={key.prefix}
          onConfirm={onRevoke}
          onClose={close}>
          <p>{say("The key stops working at once, and for good. You can make a new one at any time.")}</p>
        </Confirm>
      )}
    </>
  );
}
